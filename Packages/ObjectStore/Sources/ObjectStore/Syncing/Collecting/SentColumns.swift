import ChangeModel
import EventModel
import Foundation
import ObjectQueries

/// What is read of the rows of a class to be sent: the primary key, and single values in the order of their stored names' bytes.
struct SentColumns {
    /// One property, and where it is in what is read.
    struct Column {
        let slot: Int
        let kind: PropertyShape.Kind
        let index: Int32
    }

    let table: ClassTable
    /// The properties but the primary key.
    let all: [Column]
    private let keyKind: PropertyShape.Kind
    /// What is selected: the row's key, the primary key and each property.
    private let list: String

    /// The columns of the properties that are wanted.
    init(_ table: ClassTable, where isWanted: (Int) -> Bool) {
        self.table = table
        let keySlot = table.schema.primaryKeySlot
        keyKind = keySlot.map { table.schema.shape.properties[$0].kind } ?? .any
        var names = [StorageNames.key, keySlot.map { table.column($0) } ?? "NULL"]
        var columns: [Column] = []
        for column in table.columns where column.slot != keySlot && isWanted(column.slot) {
            // The kind of the property: a row that serves reads has a link as a number.
            let kind = table.schema.shape.properties[column.slot].kind
            columns.append(Column(slot: column.slot, kind: kind, index: Int32(names.count)))
            names += table.columnNames(column)
        }
        all = columns.sorted { left, right in
            let properties = table.schema.properties
            return properties[left.slot].columnName.precedesInBytes(properties[right.slot].columnName)
        }
        list = names.joined(separator: ", ")
    }

    /// The statement for the rows whose keys meet a condition.
    func rows(_ condition: String) throws(Realm.Error) -> Statement {
        try table.statement("SELECT \(list) FROM \(table.name) WHERE \(StorageNames.key) \(condition)")
    }

    /// The primary key of a row; nil for bytes that are none.
    func primaryKey(_ row: Statement) -> PrimaryKey? {
        if keyKind == .int, !row.isNull(1) { return .int(row.int(1)) }
        return PrimaryKey(Value(column: 1, of: row.handle, keyKind))
    }

    /// The value of a property, whatever its declared type is.
    func cell(_ column: Column, of row: Statement) -> AnyCell { AnyCell(row, column.index, shape(of: column)) }

    func shape(of column: Column) -> PropertyShape { table.schema.shape.properties[column.slot] }

    /// The stored name of a property.
    func name(_ column: Column) -> ExactText { ExactText(table.schema.properties[column.slot].columnName) }

    /// Where a property of an object lies.
    func place(_ column: Column, _ key: PrimaryKey) -> SyncedObjects.Place {
        SyncedObjects.Place(
            object: ObjectAddress(ExactText(table.schema.name), key),
            path: CellPath(name(column))
        )
    }
}

extension PlainValue {
    /// Reads a column of a type, until the statement moves on; nil for a link, and for a value of any type.
    init?(_ column: Int32, of row: Statement, _ kind: PropertyShape.Kind) {
        let handle = row.handle
        func read<Scalar: _ScalarValue>(_ make: (Scalar) -> CellValue) -> PlainValue {
            .other(Scalar._decode(column: column, of: handle).map(make) ?? .null)
        }
        if kind == .any { return nil }
        guard !row.isNull(column) else {
            self = .other(.null)
            return
        }
        switch kind {
        case .any, .link, .embedded: return nil
        case .string: self = .text(row.bytes(column))
        case .data: self = .data(row.bytes(column))
        case .int: self = .other(.int(row.int(column)))
        case .bool: self = .other(.bool(row.int(column) != 0))
        case .float: self = read(CellValue.float)
        case .double: self = read(CellValue.double)
        case .date: self = read { (date: Date) in .date(date.timeIntervalSinceReferenceDate) }
        case .objectId: self = read(CellValue.objectId)
        case .uuid: self = read(CellValue.uuid)
        case .decimal128: self = read(CellValue.decimal128)
        }
    }
}
