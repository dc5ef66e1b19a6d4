import EventModel
import ObjectQueries

/// What links, lists and dictionaries in values of any type stand for, fetched for many values at once.
struct AnyContents {
    fileprivate(set) var lists: [Int64: [AnyCell]] = [:]
    fileprivate(set) var dictionaries: [Int64: [String: AnyCell]] = [:]
    fileprivate(set) var primaryKeys: [String: [Int64: Value]] = [:]

    /// The value that a cell stands for, with all that it contains.
    func value(of cell: AnyCell) -> Value {
        switch cell {
        case .value(let value): value
        case .link(let className, let key):
            .link(ObjectReference(className: className, key: key, primaryKey: primaryKeys[className]?[key] ?? .null))
        case .list(let key): .list((lists[key] ?? []).map(value))
        case .dictionary(let key): .dictionary((dictionaries[key] ?? [:]).mapValues(value))
        }
    }
}

extension WholeCapture {
    /// Fetches what cells refer to.
    ///
    /// - Complexity: A few statements for each level of nesting and each class that is linked to.
    func contents(of cells: some Sequence<AnyCell>, _ table: ClassTable) throws(Realm.Error) -> AnyContents {
        var contents = AnyContents()
        var links: [String: Set<Int64>] = [:]
        var lists: [Int64] = []
        var dictionaries: [Int64] = []
        func visit(_ cell: AnyCell) {
            switch cell {
            case .value: break
            case .link(let className, let key): links[className, default: []].insert(key)
            case .list(let key): lists.append(key)
            case .dictionary(let key): dictionaries.append(key)
            }
        }
        for cell in cells { visit(cell) }
        while !lists.isEmpty || !dictionaries.isEmpty {
            let elements = try elements(of: lists, table)
            let entries = try entries(of: dictionaries, table)
            (lists, dictionaries) = ([], [])
            for cell in elements.values.joined() { visit(cell) }
            for cell in entries.values.lazy.map(\.values).joined() { visit(cell) }
            contents.lists.merge(elements) { first, _ in first }
            contents.dictionaries.merge(entries) { first, _ in first }
        }
        for (className, keys) in links {
            guard let target = store.table(named: className) else { continue }
            contents.primaryKeys[className] = try primaryKeys(target, keys)
        }
        return contents
    }

    private func elements(of keys: [Int64], _ table: ClassTable) throws(Realm.Error) -> [Int64: [AnyCell]] {
        guard !keys.isEmpty else { return [:] }
        let statement = try table.statement(
            """
            SELECT \(StorageNames.owner), \(StorageNames.value), \(StorageNames.valueType) \
            FROM \(StorageNames.nestedElements) WHERE \(StorageNames.owner) IN (SELECT value FROM json_each(?1)) \
            ORDER BY \(StorageNames.owner), \(StorageNames.position)
            """
        )
        statement.bind(1, keys.jsonArray)
        var elements: [Int64: [AnyCell]] = [:]
        while try statement.step() {
            elements[statement.int(0), default: []].append(AnyCell(column: 1, of: statement.handle))
        }
        return elements
    }

    private func entries(of keys: [Int64], _ table: ClassTable) throws(Realm.Error) -> [Int64: [String: AnyCell]] {
        guard !keys.isEmpty else { return [:] }
        let statement = try table.statement(
            """
            SELECT \(StorageNames.owner), \(StorageNames.value), \(StorageNames.valueType), \(StorageNames.entryKey) \
            FROM \(StorageNames.nestedEntries) WHERE \(StorageNames.owner) IN (SELECT value FROM json_each(?1))
            """
        )
        statement.bind(1, keys.jsonArray)
        var entries: [Int64: [String: AnyCell]] = [:]
        while try statement.step() {
            entries[statement.int(0), default: [:]][statement.text(3)] = AnyCell(column: 1, of: statement.handle)
        }
        return entries
    }

    // MARK: Targets of links

    /// Whole snapshots of all objects that the values of a property link to, also from nested lists and dictionaries.
    func targets(ofAny slot: Int, _ owner: Int64, _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        let property = table.schema.shape.properties[slot]
        let isSingle = property.collection == .none
        let statement = try table.statement(
            isSingle
                ? """
                SELECT \(StorageNames.column(property)), \(StorageNames.typeColumn(property)) \
                FROM \(StorageNames.table(table.schema.name)) WHERE \(StorageNames.key) = ?1
                """
                : """
                SELECT \(StorageNames.value), \(StorageNames.valueType) \
                FROM \(StorageNames.table(table.schema.name, property)) WHERE \(StorageNames.owner) = ?1
                """
        )
        statement.bind(1, owner)
        var cells: [AnyCell] = []
        while try statement.step() { cells.append(AnyCell(column: 0, of: statement.handle)) }
        let contents = try contents(of: cells, table)
        var links: [String: Set<Int64>] = [:]
        let nested = [contents.lists.values.joined().map { $0 }, contents.dictionaries.values.flatMap(\.values)]
        for case .link(let className, let key) in cells + nested.joined() {
            links[className, default: []].insert(key)
        }
        var targets: [ObjectSnapshot] = []
        for (className, keys) in links.sorted(by: { $0.key < $1.key }) {
            guard let target = store.table(named: className) else { continue }
            targets += try objects(keys.sorted(), target)
        }
        return targets
    }
}
