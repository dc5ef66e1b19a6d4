import ChangeModel
import EventModel
import Foundation
import ObjectQueries

/// What is read of the rows of a class to be sent: the primary key, and single values in the order of their stored names' bytes.
///
/// The table keeps it with its statements from one transaction to the next, which mostly writes the same properties.
final class SentColumns {
    /// One property, and where it is in what is read.
    struct Column {
        let slot: Int
        let kind: PropertyShape.Kind
        let index: Int32
    }

    /// The properties but the primary key.
    let all: ContiguousArray<Column>
    /// The stored name of the class.
    let className: ExactText
    /// The stored names of the properties.
    let names: [ExactText]
    /// The name of the class, and behind it those of the properties.
    let allNames: ChangeEncoder.Names
    private let keyKind: PropertyShape.Kind
    /// The column of the primary key, which may be the row's key.
    private let keyIndex: Int32
    /// Selects the row's key, the primary key and each property.
    private let selection: String
    private var one: Statement?
    private var some: Statement?

    /// The columns of the properties that are wanted.
    init(_ table: ClassTable, where isWanted: (Int) -> Bool) {
        let keySlot = table.schema.primaryKeySlot
        keyKind = keySlot.map { table.schema.shape.properties[$0].kind } ?? .any
        var selected = [StorageNames.key]
        if keySlot == nil || keySlot != table.rowKeySlot { selected.append(keySlot.map { table.column($0) } ?? "NULL") }
        keyIndex = Int32(selected.count - 1)
        var columns: [Column] = []
        for column in table.columns where column.slot != keySlot && isWanted(column.slot) {
            // The kind of the property: a row that serves reads has a link as a number.
            let kind = table.schema.shape.properties[column.slot].kind
            columns.append(Column(slot: column.slot, kind: kind, index: Int32(selected.count)))
            selected += table.columnNames(column)
        }
        let stored = table.storedNames
        all = ContiguousArray(columns.sorted { stored[$0.slot] < stored[$1.slot] })
        className = table.exactName
        names = all.map { stored[$0.slot] }
        allNames = ChangeEncoder.Names([className] + names)
        selection = "SELECT \(selected.joined(separator: ", ")) FROM \(table.name) WHERE \(StorageNames.key)"
    }

    /// The statement for the row of a key.
    func row(of table: ClassTable) throws(Realm.Error) -> Statement {
        if let one { return one }
        let made = try table.statement("\(selection) = ?1")
        one = made
        return made
    }

    /// The statement for the rows from one key through another, in their order.
    func rows(of table: ClassTable) throws(Realm.Error) -> Statement {
        if let some { return some }
        let made = try table.statement("\(selection) BETWEEN ?1 AND ?2 ORDER BY \(StorageNames.key)")
        some = made
        return made
    }

    /// The primary key of a row; nil for bytes that are none.
    @inline(__always)
    func primaryKey(_ row: Statement) -> PrimaryKey? {
        if keyKind == .int {
            let key = row.int(keyIndex)
            // No value is read as 0.
            if key != 0 || !row.isNull(keyIndex) { return .int(key) }
        }
        return PrimaryKey(Value(column: keyIndex, of: row.handle, keyKind))
    }
}

extension PlainValue {
    /// Reads a column of a type, until the statement moves on; nil for a link, and for a value of any type.
    ///
    /// What SQLite returns for no value is asked about only where it could be one.
    @inline(__always)
    init?(_ column: Int32, of row: Statement, _ kind: PropertyShape.Kind) {
        switch kind {
        case .any: return nil
        case .link, .embedded:
            guard row.isNull(column) else { return nil }
            self = .null
        case .int:
            let number = row.int(column)
            self = number == 0 && row.isNull(column) ? .null : .int(number)
        case .bool:
            let number = row.int(column)
            self = number == 0 && row.isNull(column) ? .null : .bool(number != 0)
        case .string:
            let bytes = row.bytes(column)
            self = bytes.isEmpty && row.isNull(column) ? .null : .text(bytes)
        case .data:
            let bytes = row.bytes(column)
            self = bytes.isEmpty && row.isNull(column) ? .null : .data(bytes)
        case .double: self = columnNumber(row.handle, column).map(PlainValue.double) ?? .null
        case .date: self = columnNumber(row.handle, column).map(PlainValue.date) ?? .null
        case .float: self = Float._decode(column: column, of: row.handle).map(PlainValue.float) ?? .null
        case .objectId: self = ObjectId._decode(column: column, of: row.handle).map(PlainValue.objectId) ?? .null
        case .uuid: self = UUID._decode(column: column, of: row.handle).map(PlainValue.uuid) ?? .null
        case .decimal128:
            self = Decimal128._decode(column: column, of: row.handle).map(PlainValue.decimal128) ?? .null
        }
    }
}
