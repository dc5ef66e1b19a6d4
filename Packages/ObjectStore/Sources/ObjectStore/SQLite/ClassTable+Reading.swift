import CSQLite
import ColumnScans
import EventModel
import ObjectQueries

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

    /// Packs the next rows of a statement that selects ``columnList(of:)`` first, or the list of some columns.
    ///
    /// - Returns: False when there are no more.
    func readRows(
        _ statement: Statement,
        _ partial: PartialColumns? = nil,
        upTo count: Int,
        into rows: inout [ObjectSnapshot]
    ) throws(Realm.Error) -> Bool {
        let isWhole = schema.isFlat && partial == nil
        let columns = partial?.columns ?? columns
        var left = count
        writer.reuseMemory()
        while left > 0 {
            guard try statement.step() else { return false }
            rows.append(Self.readRow(statement.handle, columns, version: version, whole: isWhole, &writer))
            left -= 1
        }
        return true
    }

    /// Reads some columns of rows one by one, in the order of their keys; keys without a row are left out.
    func readRows(
        inOrderOf keys: some Sequence<Int64>,
        _ partial: PartialColumns,
        into rows: inout [ObjectSnapshot]
    ) throws(Realm.Error) {
        let statement = try statement(
            "SELECT \(columnList(of: name, partial.columns)) FROM \(name) WHERE \(StorageNames.key) = ?1"
        )
        writer.reuseMemory()
        for key in keys {
            statement.bind(1, key)
            guard try statement.step() else { continue }
            rows.append(
                Self.readRow(statement.handle, partial.columns, version: version, whole: false, &writer)
            )
            statement.reset()
        }
    }

    /// Makes rows of packed columns.
    func packRows(
        _ packed: PackedRows,
        at places: ArraySlice<Int>,
        _ partial: PartialColumns,
        into rows: inout [ObjectSnapshot]
    ) {
        writer.reuseMemory()
        let columns = partial.columns.compactMap { column in
            packed.columns[column.slot].map { (slot: column.slot, kind: column.kind, column: $0) }
        }
        if let only = columns.first, columns.count == 1 {
            only.column.packAlone(packed.keys, at: places, into: &writer, only.slot, only.kind, version, into: &rows)
            return
        }
        for place in places {
            writer.begin(key: packed.keys[place], version: version)
            for (slot, kind, column) in columns { column.pack(place, into: &writer, slot, as: kind) }
            rows.append(writer.finish())
        }
    }

    @inline(__always)
    private static func readRow(
        _ handle: OpaquePointer,
        _ columns: ContiguousArray<Column>,
        version: UInt64,
        whole: Bool,
        _ writer: inout SnapshotWriter
    ) -> ObjectSnapshot {
        let key = sqlite3_column_int64(handle, 0)
        writer.begin(key: key, version: version, whole: whole)
        var index: Int32 = 0
        for column in columns {
            index += 1
            if column.isRowKey {
                writer.set(column.slot, int: key)
                continue
            }
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
        let statement = try slot == rowKeySlot ? rowStatement() : keyedStatement(slot)
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
    func column(_ slot: Int) -> String {
        slot == rowKeySlot ? StorageNames.key : StorageNames.column(schema.shape.properties[slot])
    }
}

extension Sequence where Element == Int64 {
    /// The numbers as a JSON array: how a statement takes any count of keys in one argument.
    var jsonArray: String {
        "[\(map { String($0) }.joined(separator: ","))]"
    }
}
