import EventModel
import ObjectQueries

// The elements of collections, fetched for all rows together.
extension WholeCapture {
    /// An element as it was read: a single value, or the row of an object that is fetched later.
    private struct RawElement {
        let key: String
        let value: Value
        let row: Int64?
        /// What an element of any type is.
        let cell: AnyCell?
    }

    /// Fetches a collection of every row.
    ///
    /// Lists come in their order, maps by their keys, and sets by their values: equal sets make equal snapshots.
    func collection(
        _ property: PersistedProperty,
        _ rows: [ObjectSnapshot],
        _ table: ClassTable
    ) throws(Realm.Error) -> Filler {
        let elements = try elements(property, rows, table)
        let values = try values(of: property, elements, table)
        guard property.type.collection == .dictionary else {
            return .elements(elements.mapValues { $0.compactMap { values($0) } })
        }
        return .entries(
            elements.mapValues { elements in elements.map { ($0.key, values($0) ?? .null) } }
        )
    }

    private func elements(
        _ property: PersistedProperty,
        _ rows: [ObjectSnapshot],
        _ table: ClassTable
    ) throws(Realm.Error) -> [Int64: [RawElement]] {
        let shape = table.schema.shape.properties[property.slot]
        let label = StorageNames.label(shape)
        let order = shape.collection == .set ? StorageNames.value : label
        let isAny = shape.kind == .any
        let statement = try table.statement(
            """
            SELECT \(StorageNames.owner), \(StorageNames.value), \(isAny ? StorageNames.valueType : "NULL"), \(label) \
            FROM \(StorageNames.table(table.schema.name, shape)) \
            WHERE \(StorageNames.owner) \(Self.condition(rows.count)) \
            ORDER BY \(StorageNames.owner), \(order)
            """
        )
        Self.bind(rows.lazy.map(\.key), to: statement)
        let isMap = shape.collection == .dictionary
        let isRow = property.type.target != nil
        var elements: [Int64: [RawElement]] = [:]
        while try statement.step() {
            let element = RawElement(
                key: isMap ? statement.text(3) : "",
                value: isRow ? .null : Value(column: 1, of: statement.handle, property.type.kind),
                row: isRow && !statement.isNull(1) ? statement.int(1) : nil,
                cell: isAny ? AnyCell(column: 1, of: statement.handle) : nil
            )
            elements[statement.int(0), default: []].append(element)
        }
        return elements
    }

    /// How elements become values, after fetching the objects that they refer to.
    private func values(
        of property: PersistedProperty,
        _ elements: [Int64: [RawElement]],
        _ table: ClassTable
    ) throws(Realm.Error) -> (RawElement) -> Value? {
        if property.type.kind == .any {
            let contents = try contents(of: elements.values.lazy.joined().compactMap(\.cell), table)
            return { element in element.cell.map(contents.value) }
        }
        guard let target = target(of: property) else { return { $0.value } }
        let rows = Set(elements.values.joined().compactMap(\.row))
        if target.schema.isEmbedded {
            let children = try children(target, rows)
            return { element in element.row.flatMap { children[$0] }.map(Value.object) }
        }
        let primaryKeys = try primaryKeys(target, rows)
        return { element in
            element.row.map { row in
                let primaryKey = primaryKeys[row] ?? .null
                return .link(ObjectReference(className: target.schema.name, key: row, primaryKey: primaryKey))
            }
        }
    }
}
