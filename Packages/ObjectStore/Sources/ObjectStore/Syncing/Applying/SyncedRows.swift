import ChangeModel
import EventModel
import Foundation
import ObjectQueries

/// Finds the rows that a server's names mean: the other way round than ``SyncedObjects``.
struct SyncedRows {
    /// What a path leads to.
    enum Spot {
        /// A single property.
        case column(ClassTable, Int64, Int)
        /// An entry of a map.
        case entry(CollectionRows, String)
        /// An element of a list, whether it is there or not.
        case element(CollectionRows, ElementID)
        /// A list, set or map.
        case collection(CollectionRows)
    }

    let realm: RealmCore
    let objects: SyncedObjects

    var store: StoreConnection { realm.store }

    func statement(_ sql: String) throws(Realm.Error) -> Statement { try objects.statement(sql) }

    /// The class of an object; nil for one that the program does not have.
    func table(of object: ObjectAddress) -> ClassTable? {
        guard let table = store.table(named: object.className.string), !table.schema.isEmbedded else { return nil }
        return table
    }

    /// The row of an object; nil when it is not there.
    func row(of object: ObjectAddress) throws(Realm.Error) -> (table: ClassTable, row: Int64)? {
        guard let table = table(of: object), let slot = table.schema.primaryKeySlot else { return nil }
        let statement: Statement
        if let known = table.findRow {
            statement = known
        } else {
            statement = try table.statement(
                "SELECT \(StorageNames.key) FROM \(table.name) WHERE \(table.column(slot)) IS ?1"
            )
            table.findRow = statement
        }
        object.key.value.bind(to: statement.handle, at: 1)
        defer { statement.reset() }
        return try statement.step() ? (table, statement.int(0)) : nil
    }

    /// The property that a path leads to, if that is a single value of an object itself that no link and no other object can be.
    func scalar(_ object: ObjectAddress, _ path: CellPath) -> (table: ClassTable, slot: Int)? {
        guard path.steps.count == 1, case .property(let name) = path.steps[0], let table = table(of: object),
            let slot = table.slot(named: name), slot != table.schema.primaryKeySlot, table.isScalar(slot)
        else { return nil }
        return (table, slot)
    }

    /// What a path leads to; nil when something on the way is gone, or unknown to this program.
    func spot(_ object: ObjectAddress, _ path: CellPath) throws(Realm.Error) -> Spot? {
        guard let (table, row) = try row(of: object) else { return nil }
        var inside = Inside.object(table, row)
        var spot: Spot?
        for step in path.steps {
            switch step {
            case .property(let name):
                guard case .object(let table, let row) = inside,
                    let slot = table.slot(named: name)
                else { return nil }
                let isColumn = table.schema.properties[slot].isColumn
                spot = isColumn ? .column(table, row, slot) : .collection(CollectionRows(table, row, slot))
            case .life(let id):
                guard let here = spot, let found = try contents(of: here, id) else { return nil }
                inside = found
                if case .collection(let rows) = found { spot = .collection(rows) }
            case .key(let key):
                guard case .collection(let rows) = spot else { return nil }
                spot = .entry(rows, key.string)
            case .element(let id):
                guard case .collection(let rows) = spot else { return nil }
                spot = .element(rows, id)
            case .member: return nil
            }
        }
        return spot
    }

    private enum Inside {
        case object(ClassTable, Int64)
        case collection(CollectionRows)
    }

    /// What lies in a cell, if its life is still the one that is meant.
    private func contents(of spot: Spot, _ id: ElementID) throws(Realm.Error) -> Inside? {
        guard let (cell, watched, isEmbedded) = try held(spot) else { return nil }
        switch cell {
        case .link(let className, let row) where isEmbedded:
            guard try objects.life(className, row)?.id == id, let table = store.table(named: className) else {
                return nil
            }
            return .object(table, row)
        case .list(let key), .dictionary(let key):
            guard try objects.life(SyncTables.nested, key)?.id == id else { return nil }
            return .collection(CollectionRows(nested: key, isMap: cell == .dictionary(key), in: watched))
        default: return nil
        }
    }

    /// What a cell holds now, and which property is told of changes in it; nil when the cell is not there.
    private func held(_ spot: Spot) throws(Realm.Error) -> (AnyCell, CollectionRows.Watched, isEmbedded: Bool)? {
        switch spot {
        case .column(let table, let row, let slot):
            let watched = CollectionRows.Watched(table: table, row: row, slot: slot)
            return (try cell(table, row, slot), watched, table.schema.shape.properties[slot].kind == .embedded)
        case .entry(let rows, let key):
            return try cell(of: key, rows).map { ($0, rows.watched, rows.shape.kind == .embedded) }
        case .element(let rows, let id):
            return try cell(of: id, rows).map { ($0.cell, rows.watched, rows.shape.kind == .embedded) }
        case .collection: return nil
        }
    }

    // MARK: Cells

    /// What a single property holds.
    func cell(_ table: ClassTable, _ row: Int64, _ slot: Int) throws(Realm.Error) -> AnyCell {
        let shape = table.schema.shape.properties[slot]
        let type = shape.kind == .any ? ", \(StorageNames.typeColumn(shape))" : ""
        let statement = try table.statement(
            "SELECT \(table.column(slot))\(type) FROM \(table.name) WHERE \(StorageNames.key) = ?1"
        )
        statement.bind(1, row)
        defer { statement.reset() }
        return try statement.step() ? AnyCell(statement, 0, shape) : .none
    }

    /// What an entry holds; nil when there is none.
    func cell(of key: String, _ rows: CollectionRows) throws(Realm.Error) -> AnyCell? {
        let statement = try statement(
            """
            SELECT \(rows.columns) FROM \(rows.table) \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.entryKey) = ?2
            """
        )
        statement.bind(1, rows.owner)
        statement.bind(2, key)
        defer { statement.reset() }
        return try statement.step() ? AnyCell(statement, 0, rows.shape) : nil
    }

    /// Where an element is shown, and what it holds; nil when it is not.
    func cell(of id: ElementID, _ rows: CollectionRows) throws(Realm.Error) -> (position: Int64, cell: AnyCell)? {
        let statement = try statement(
            """
            SELECT \(StorageNames.position), \(rows.columns) FROM \(rows.table) \
            WHERE \(StorageNames.element) = ?2 AND +\(StorageNames.owner) = ?1
            """
        )
        statement.bind(1, rows.owner)
        statement.bind(2, Int64(id.bits))
        defer { statement.reset() }
        return try statement.step() ? (statement.int(0), AnyCell(statement, 1, rows.shape)) : nil
    }
}

extension PrimaryKey {
    /// The key as a column holds it.
    var value: Value {
        switch self {
        case .null: .null
        case .int(let value): .int(value)
        case .string(let value): .string(value.string)
        case .objectId(let value): .objectId(value)
        case .uuid(let value): .uuid(value)
        }
    }
}

extension CellValue {
    /// The value as a column holds it; nil for a link and for what has cells of its own.
    var scalar: Value? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value.string)
        case .data(let value): .data(value)
        case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
        case .objectId(let value): .objectId(value)
        case .uuid(let value): .uuid(value)
        case .decimal128(let value): .decimal128(value)
        case .link, .anyLink, .life: nil
        }
    }

    /// Whether a column of a kind holds such a value.
    func fits(_ property: PropertyShape) -> Bool {
        switch (self, property.kind) {
        case (.null, _): property.isOptional || property.kind == .any || property.kind == .embedded
        case (.link, .any): false
        case (_, .any): true
        case (.link(let target), .link): target.className.string == property.targetClass
        case (.life(let life), .embedded): life.kind == .embedded
        default: isScalar(property.kind)
        }
    }

    /// Whether it is a value of a kind that is no link, and not null.
    func isScalar(_ kind: PropertyShape.Kind) -> Bool {
        switch (self, kind) {
        case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
            (.date, .date), (.objectId, .objectId), (.uuid, .uuid), (.decimal128, .decimal128):
            true
        default: false
        }
    }
}
