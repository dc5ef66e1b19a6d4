import CPostgreSQL

/// The rows that a statement returned, each value in PostgreSQL's binary form.
///
/// A value of another type, size or form than asked for is nil, as NULL is: whoever reads calls that damage.
final class SQLRows {
    private let result: OpaquePointer

    /// Takes a result over.
    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    /// How many rows there are.
    var count: Int { Int(PQntuples(result)) }

    /// How many columns they have.
    var columnCount: Int { Int(PQnfields(result)) }

    /// Returns whether a value is NULL.
    func isNull(_ row: Int, _ column: Int) -> Bool {
        PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    /// Returns the bytes of any value; nil for NULL.
    func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        guard !isNull(row, column), let address = PQgetvalue(result, Int32(row), Int32(column)) else { return nil }
        let count = Int(PQgetlength(result, Int32(row), Int32(column)))
        return Array(UnsafeRawBufferPointer(start: address, count: count))
    }

    /// Returns the original bytes of a `text`.
    func textBytes(_ row: Int, _ column: Int) -> [UInt8]? {
        bytes(row, column).flatMap { SQLText.original($0) }
    }

    /// Returns a `text`.
    func text(_ row: Int, _ column: Int) -> String? {
        textBytes(row, column).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns a `smallint`, `integer` or `bigint`.
    func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let bytes = bytes(row, column) else { return nil }
        switch bytes.count {
        case 2: return Int64(Int16(truncatingIfNeeded: Self.number(bytes)))
        case 4: return Int64(Int32(truncatingIfNeeded: Self.number(bytes)))
        case 8: return Int64(bitPattern: Self.number(bytes))
        default: return nil
        }
    }

    /// Returns a `boolean`.
    func boolean(_ row: Int, _ column: Int) -> Bool? {
        guard let bytes = bytes(row, column), bytes.count == 1 else { return nil }
        return bytes[0] != 0
    }

    /// Reads bytes as one big-endian number.
    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
