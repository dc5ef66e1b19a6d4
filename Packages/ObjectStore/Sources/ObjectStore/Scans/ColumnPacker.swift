import CSQLite
import ColumnScans
import EventModel

/// Takes the values of columns as SQLite goes through the rows: an aggregate function of SQL that adds each row to packed columns.
///
/// A function is given the values themselves. To fetch them from a statement, row by row, costs twice as much.
///
/// It belongs to one connection, and is used where that is.
final class ColumnPacker {
    /// The name of the function; it takes the key and then the columns.
    static let name = "daybook_pack"
    /// How many columns are packed at once: SQLite bounds the arguments of a function.
    static let maximumColumnCount = 64

    /// One column that is being filled.
    private final class Filling {
        let kind: PropertyShape.Kind
        @exclusivity(unchecked) private var integers: [Int64] = []
        @exclusivity(unchecked) private var numbers: [Double] = []
        @exclusivity(unchecked) private var bytes: [UInt8] = []
        /// Where each text ends.
        @exclusivity(unchecked) private var ends: [UInt32] = []
        @exclusivity(unchecked) private var missing: [UInt32] = []

        init(_ kind: PropertyShape.Kind) { self.kind = kind }

        var byteCount: Int {
            (integers.capacity + numbers.capacity) * 8 + bytes.capacity + (ends.capacity + missing.capacity) * 4
        }

        /// The column; nil for a type that cannot be packed.
        var column: PackedColumn? {
            switch PackedColumn(kind) {
            case .integers: .integers(IntegerColumn(integers, missing: missing))
            case .numbers: .numbers(FloatingColumn(numbers, missing: missing))
            case .texts: .texts(TextColumn(bytes, ends: ends, missing: missing), folded: [:])
            case nil: nil
            }
        }

        /// Adds the value of a row.
        ///
        /// - Returns: False when it is of another type than the property, or there is too much.
        @inline(__always)
        func add(_ value: OpaquePointer?, _ row: Int) -> Bool {
            let type = sqlite3_value_type(value)
            switch kind {
            case .float, .double, .date:
                switch type {
                case SQLITE_FLOAT: numbers.append(sqlite3_value_double(value))
                // What is not a number is stored as a blob.
                case SQLITE_BLOB: numbers.append(.nan)
                case SQLITE_NULL:
                    numbers.append(.nan)
                    missing.append(UInt32(truncatingIfNeeded: row))
                default: return false
                }
            case .string:
                if type == SQLITE_TEXT {
                    let start = sqlite3_value_text(value)
                    bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
                } else {
                    guard type == SQLITE_NULL else { return false }
                    missing.append(UInt32(truncatingIfNeeded: row))
                }
                guard bytes.count < Int(UInt32.max) else { return false }
                ends.append(UInt32(truncatingIfNeeded: bytes.count))
            default:
                if type == SQLITE_INTEGER {
                    integers.append(sqlite3_value_int64(value))
                } else {
                    guard type == SQLITE_NULL else { return false }
                    integers.append(0)
                    missing.append(UInt32(truncatingIfNeeded: row))
                }
            }
            return true
        }
    }

    @exclusivity(unchecked)
    private var keys: [Int64] = []
    @exclusivity(unchecked)
    private var fillings: [Filling] = []
    @exclusivity(unchecked)
    private var lastKey = Int64.min
    @exclusivity(unchecked)
    private var isUsable = true
    /// How many bytes the columns may take.
    private var limit = 0
    /// After how many rows the size is looked at.
    private static let sizeInterval = 4096

    /// Registers the function on the connection whose packer this is, which must not live longer than it.
    ///
    /// - Returns: SQLite's result code.
    func register(_ connection: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            connection,
            Self.name,
            -1,
            SQLITE_UTF8,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            { context, count, values in
                guard let packer = sqlite3_user_data(context), let values else { return }
                Unmanaged<ColumnPacker>.fromOpaque(packer)._withUnsafeGuaranteedRef { $0.add(values, Int(count)) }
            },
            { context in sqlite3_result_null(context) },
            nil
        )
    }

    /// Begins with new columns.
    ///
    /// - Precondition: Each type can be packed.
    func begin(_ kinds: [PropertyShape.Kind], limit: Int) {
        keys = []
        fillings = kinds.map(Filling.init)
        isUsable = true
        lastKey = .min
        self.limit = limit
    }

    @inline(__always)
    private func add(_ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int) {
        guard isUsable, count == fillings.count + 1 else {
            isUsable = false
            return
        }
        let key = sqlite3_value_int64(values[0])
        // SQLite goes through the rows by their keys, though it does not promise to.
        if key <= lastKey { isUsable = false }
        lastKey = key
        let row = keys.count
        keys.append(key)
        for index in fillings.indices where !fillings[index].add(values[index + 1], row) { isUsable = false }
        if keys.count.isMultiple(of: Self.sizeInterval), byteCount > limit { isUsable = false }
    }

    /// Ends, and gives the columns; nil when they take too much memory, or a value is of another type than its property.
    func end() -> (keys: [Int64], columns: [PackedColumn])? {
        defer {
            keys = []
            fillings = []
        }
        let columns = fillings.compactMap(\.column)
        return isUsable && byteCount <= limit && columns.count == fillings.count ? (keys, columns) : nil
    }

    private var byteCount: Int { fillings.reduce(keys.capacity * 8) { $0 + $1.byteCount } }
}
