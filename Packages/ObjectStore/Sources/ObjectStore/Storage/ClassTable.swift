import EventModel
import GRDBSQLite
import ObjectQueries
public import Synchronization

/// The table of one class as one connection sees it: prepared statements and the counter that makes rows stale.
@usableFromInline
final class ClassTable {
    let schema: ClassSchema
    @usableFromInline let slots: SlotTable
    /// How far the slots of a row lie behind its start, in bytes.
    @usableFromInline let slotsOffset: Int
    /// Grows whenever an accessor has to read its row again: it may have changed, or an observer wants to be told.
    @exclusivity(unchecked)
    @usableFromInline
    var generation: UInt64 = 1
    /// How often rows are read again that did not change.
    private var lookCount: UInt64 = 0
    /// Grows whenever a row of the class may have changed.
    var contentGeneration: UInt64 { generation &- lookCount }
    /// The thread that reads the pinned version; all others have to check their place first.
    @usableFromInline let reader = Atomic<UInt>(0)
    /// The version that the connection reads.
    @exclusivity(unchecked)
    var version: UInt64 = 0
    /// The keys that this transaction gave to new rows; the upper bound is the next key.
    var newKeys: Range<Int64>?
    /// The older rows that this transaction touched.
    @exclusivity(unchecked)
    var touched = TouchedRows()
    /// What the instance wrote last; only while an observer wants to know what is shown.
    var written: WrittenRows?
    /// Tells the change log of other programs whether they mean the same properties by the same slots.
    private(set) lazy var signature = schema.changeSignature

    private var connection: Connection?
    private let name: String
    private let columns: ContiguousArray<Column>
    @exclusivity(unchecked)
    private var writer: SnapshotWriter
    /// What ``Realm/object(ofType:forPrimaryKey:)`` found.
    @exclusivity(unchecked)
    var recentRows = RecentRows()
    private static let maximumStatementCount = 256
    private var statements: [String: Statement] = [:]
    private var selectRow: Statement?
    private var selectKeyed: Statement?
    private var insertRow: Statement?
    private var updates: [Statement?]
    /// The texts of the row that is being inserted.
    let insertedTexts = TextBuffer()

    private struct Column {
        let slot: Int
        let kind: PropertyShape.Kind
        let isOptional: Bool
    }

    init(schema: ClassSchema, connection: Connection?) {
        self.schema = schema
        self.connection = connection
        slots = schema.slots
        slotsOffset = schema.rowShape.slotsOffset
        name = StorageNames.table(schema.name)
        columns = ContiguousArray(
            schema.properties.filter(\.isColumn)
                .map { property in
                    let shape = schema.rowShape.properties[property.slot]
                    return Column(slot: property.slot, kind: shape.kind, isOptional: shape.isOptional)
                }
        )
        writer = SnapshotWriter(shape: schema.rowShape)
        updates = Array(repeating: nil, count: schema.properties.count)
    }

    /// Goes on with another connection.
    func reconnect(_ new: Connection) {
        connection = new
        statements = [:]
        (selectRow, selectKeyed, insertRow) = (nil, nil, nil)
        updates = Array(repeating: nil, count: updates.count)
    }

    /// The key and all columns of the table under an alias, in the order that ``readRow(_:)`` expects.
    func columnList(of alias: String) -> String {
        let names = [StorageNames.key] + columns.flatMap(columnNames)
        return names.map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    /// How many columns ``columnList(of:)`` names.
    var columnCount: Int32 { Int32(1 + columns.count + schema.anySlots.count) }

    /// The columns of a property: a value of any type has one for its type, too.
    private func columnNames(_ column: Column) -> [String] {
        let property = schema.shape.properties[column.slot]
        let name = StorageNames.column(property)
        return column.kind == .any ? [name, StorageNames.typeColumn(property)] : [name]
    }

    /// Lets each accessor read its row again, though none changed.
    func lookAgain() {
        generation += 1
        lookCount += 1
    }

    /// A statement that is prepared once for this table.
    func statement(_ sql: String) throws(Realm.Error) -> Statement {
        if let statement = statements[sql] { return statement }
        guard let connection else {
            throw Realm.Error(.fail, "The class '\(schema.name)' is only known by name here and has no table.")
        }
        let statement = try connection.prepare(sql)
        makeRoom()
        statements[sql] = statement
        return statement
    }

    /// Takes a statement out, so that nobody else uses it until ``giveBack(_:_:)``.
    func takeStatement(_ sql: String) throws(Realm.Error) -> Statement {
        let statement = try statement(sql)
        statements[sql] = nil
        return statement
    }

    /// Makes a statement that was taken out available again.
    func giveBack(_ statement: Statement, _ sql: String) {
        makeRoom()
        statements[sql] = statement
    }

    /// Forgets all statements before there are too many: the text of a query says how many values it compares with.
    private func makeRoom() {
        if statements.count >= Self.maximumStatementCount { statements.removeAll(keepingCapacity: true) }
    }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { connection?.lastInsertedKey ?? 0 }

    /// How many rows the last statement changed.
    var changes: Int { connection?.changes ?? 0 }
}

// MARK: - Reading

extension ClassTable {
    /// Packs the current row of a statement that selects ``columnList(of:)`` first.
    func readRow(_ statement: Statement) -> ObjectSnapshot {
        Self.readRow(statement.handle, columns, version: version, whole: schema.isFlat, &writer)
    }

    /// Packs all rows that are left of a statement that selects ``columnList(of:)`` first.
    func readRows(_ statement: Statement) throws(Realm.Error) -> [ObjectSnapshot] {
        var rows: [ObjectSnapshot] = []
        _ = try readRows(statement, upTo: .max, into: &rows)
        return rows
    }

    /// Packs the next rows of a statement that selects ``columnList(of:)`` first.
    ///
    /// - Returns: False when there are no more.
    func readRows(_ statement: Statement, upTo count: Int, into rows: inout [ObjectSnapshot]) throws(Realm.Error)
        -> Bool
    {
        let isFlat = schema.isFlat
        var left = count
        writer.reuseMemory()
        while left > 0 {
            guard try statement.step() else { return false }
            rows.append(Self.readRow(statement.handle, columns, version: version, whole: isFlat, &writer))
            left -= 1
        }
        return true
    }

    @inline(__always)
    private static func readRow(
        _ handle: OpaquePointer,
        _ columns: ContiguousArray<Column>,
        version: UInt64,
        whole: Bool,
        _ writer: inout SnapshotWriter
    ) -> ObjectSnapshot {
        writer.begin(key: sqlite3_column_int64(handle, 0), version: version, whole: whole)
        var index: Int32 = 0
        for column in columns {
            index += 1
            if column.kind == .any {
                if sqlite3_column_type(handle, index) != SQLITE_NULL {
                    AnyCell(column: index, of: handle).pack(into: &writer, column.slot)
                }
                index += 1
                continue
            }
            // Each question about a column costs the statement's lock: the value is asked for once, and asked itself.
            let value = sqlite3_column_value(handle, index)
            // A required column is never NULL.
            if column.isOptional && sqlite3_value_type(value) == SQLITE_NULL { continue }
            switch column.kind {
            case .int: writer.set(column.slot, int: sqlite3_value_int64(value))
            case .bool: writer.set(column.slot, bool: sqlite3_value_int64(value) != 0)
            case .double, .date: writer.set(column.slot, double: number(value))
            case .float: writer.set(column.slot, float: Float(number(value)))
            case .string, .data: writer.setBytes(column.slot, bytes(value))
            case .objectId: setBytes(column.slot, bytes(value), count: 12, &writer)
            case .uuid, .decimal128: setBytes(column.slot, bytes(value), count: 16, &writer)
            case .any, .link, .embedded: continue
            }
        }
        return writer.finish()
    }

    /// Bytes of another count, which only a damaged file has, are no value: whoever reads the slot reads them all.
    @inline(__always)
    private static func setBytes(
        _ slot: Int,
        _ bytes: UnsafeRawBufferPointer,
        count: Int,
        _ writer: inout SnapshotWriter
    ) {
        if bytes.count == count { writer.setBytes(slot, bytes) }
    }

    /// NaN is stored as a blob, because SQLite would make it NULL; a blob reads as 0.
    @inline(__always)
    private static func number(_ value: OpaquePointer?) -> Double {
        let number = sqlite3_value_double(value)
        return number == 0 && sqlite3_value_type(value) == SQLITE_BLOB ? .nan : number
    }

    /// The bytes of text or data.
    @inline(__always)
    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// Reads one row by its key; nil when there is none.
    func row(_ key: Int64) throws(Realm.Error) -> ObjectSnapshot? {
        let statement = try rowStatement()
        statement.bind(1, key)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return readRow(statement)
    }

    /// Finds a row by its primary key; nil when there is none.
    func row(primaryKeySlot slot: Int, _ bind: (OpaquePointer, Int32) -> Void) throws(Realm.Error) -> ObjectSnapshot? {
        let statement = try keyedStatement(slot)
        bind(statement.handle, 1)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return readRow(statement)
    }

    private func rowStatement() throws(Realm.Error) -> Statement {
        if let selectRow { return selectRow }
        let made = try statement("SELECT \(columnList(of: name)) FROM \(name) WHERE \(StorageNames.key) = ?1")
        selectRow = made
        return made
    }

    private func keyedStatement(_ slot: Int) throws(Realm.Error) -> Statement {
        if let selectKeyed { return selectKeyed }
        let made = try statement("SELECT \(columnList(of: name)) FROM \(name) WHERE \(column(slot)) IS ?1")
        selectKeyed = made
        return made
    }

    /// Up to how many rows are read one by one, which costs less than a list of their keys.
    private static var fewKeys: Int { 4 }

    /// Reads the rows of several keys, many of them with one statement; keys without a row are absent.
    func rows(_ keys: some Collection<Int64>) throws(Realm.Error) -> [Int64: ObjectSnapshot] {
        if keys.count <= Self.fewKeys {
            var rows: [Int64: ObjectSnapshot] = [:]
            for key in keys { rows[key] = try row(key) }
            return rows
        }
        let statement = try statement(
            "SELECT \(columnList(of: name)) FROM \(name) WHERE \(StorageNames.key) IN (SELECT value FROM json_each(?1))"
        )
        statement.bind(1, keys.jsonArray)
        var rows: [Int64: ObjectSnapshot] = [:]
        while try statement.step() {
            let row = readRow(statement)
            rows[row.key] = row
        }
        return rows
    }

    /// Whether the class has no object.
    func isEmpty() throws(Realm.Error) -> Bool {
        let statement = try statement("SELECT 1 FROM \(name) LIMIT 1")
        defer { statement.reset() }
        return try !statement.step()
    }

    /// Where the values of a slot are.
    func place(_ slot: Int) -> PropertyPlace { schema.places[slot] }

    /// The quoted column of a slot.
    func column(_ slot: Int) -> String { StorageNames.column(schema.shape.properties[slot]) }
}

// MARK: - Writing

extension ClassTable {
    /// Returns a row key that was never given before.
    func takeKey() throws(Realm.Error) -> Int64 {
        let keys = try keysOfTransaction()
        newKeys = keys.lowerBound..<(keys.upperBound + 1)
        return keys.upperBound
    }

    /// Finds out which key is the next one; before rows are deleted, because the last of them may be among these.
    @discardableResult
    func keysOfTransaction() throws(Realm.Error) -> Range<Int64> {
        if let newKeys { return newKeys }
        let next = try StoredSchema.nextKey(self)
        newKeys = next..<next
        return next..<next
    }

    /// The statement that inserts a row: the key first, then each column in order.
    func insertion() throws(Realm.Error) -> Statement {
        if let insertRow { return insertRow }
        let names = [StorageNames.key] + columns.flatMap(columnNames)
        let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let statement = try statement("INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(places))")
        insertRow = statement
        return statement
    }

    /// Keeps rows as they are before the transaction changes them for the first time, if an observer wants to know.
    private func keepBefore(_ keys: some Collection<Int64>) throws(Realm.Error) {
        guard touched.before != nil else { return }
        let missing = keys.filter { touched.before?[$0] == nil && !(newKeys?.contains($0) ?? false) }
        guard !missing.isEmpty else { return }
        touched.before?.merge(try rows(missing)) { known, _ in known }
    }

    /// Writes one column of one row.
    func update(_ slot: Int, key: Int64, _ bind: (OpaquePointer, Int32) -> Void) throws(Realm.Error) {
        if touched.before != nil { try keepBefore(CollectionOfOne(key)) }
        let statement: Statement
        if let known = updates[slot] {
            statement = known
        } else {
            statement = try self.statement("UPDATE \(name) SET \(column(slot)) = ?1 WHERE \(StorageNames.key) = ?2")
            updates[slot] = statement
        }
        bind(statement.handle, 1)
        statement.bind(2, key)
        try statement.run()
    }

    /// Writes the two columns of a value of any type of one row.
    func update(_ slot: Int, key: Int64, to cell: AnyCell) throws(Realm.Error) {
        let type = StorageNames.typeColumn(schema.shape.properties[slot])
        let statement = try statement(
            "UPDATE \(name) SET \(column(slot)) = ?1, \(type) = ?2 WHERE \(StorageNames.key) = ?3"
        )
        cell.bind(to: statement.handle, at: 1)
        statement.bind(3, key)
        try statement.run()
    }

    /// Writes one column of one row if the value differs.
    ///
    /// - Returns: Whether it did.
    func updateIfDifferent(
        _ slot: Int,
        key: Int64,
        _ bind: (OpaquePointer, Int32) -> Void
    ) throws(Realm.Error) -> Bool {
        if touched.before != nil { try keepBefore(CollectionOfOne(key)) }
        let statement = try statement(
            "UPDATE \(name) SET \(column(slot)) = ?1 WHERE \(StorageNames.key) = ?2 AND \(column(slot)) IS NOT ?1"
        )
        bind(statement.handle, 1)
        statement.bind(2, key)
        try statement.run()
        return changes > 0
    }

    /// Prepares the deletion of all rows.
    func willClear(_ keys: [Int64]) throws(Realm.Error) {
        try keysOfTransaction()
        try keepBefore(keys)
    }

    /// Deletes rows and the elements of their collections.
    func delete(_ group: KeyGroup) throws(Realm.Error) {
        try keysOfTransaction()
        try keepBefore(group.keys)
        for property in schema.shape.properties where property.collection != .none {
            let elements = try statement(
                """
                DELETE FROM \(StorageNames.table(schema.name, property)) \
                WHERE \(StorageNames.owner) \(group.comparison)
                """
            )
            group.bind(to: elements)
            try elements.run()
        }
        if schema.hasAny {
            for key in group.keys { try NestedCollections(self).deleteAll(of: key, schema.name) }
        }
        let statement = try statement("DELETE FROM \(name) WHERE \(StorageNames.key) \(group.comparison)")
        group.bind(to: statement)
        try statement.run()
    }
}

extension Sequence where Element == Int64 {
    /// The numbers as a JSON array: how a statement takes any count of keys in one argument.
    var jsonArray: String {
        "[\(map { String($0) }.joined(separator: ","))]"
    }
}
