import CSQLite
import EventModel

// A single value as one column holds it; the only place that goes from values to columns and back for a type that is not known
// before. Properties of a known type do so by themselves.
extension Value {
    /// Reads a column of a type; null for NULL, and for bytes that no value of the type has.
    init(column: Int32, of statement: OpaquePointer, _ kind: PropertyShape.Kind) {
        func read<Scalar: _ScalarValue>(_ make: (Scalar) -> Value) -> Value {
            Scalar._decode(column: column, of: statement).map(make) ?? .null
        }
        self =
            switch kind {
            case .int: read(Value.int)
            case .bool: read(Value.bool)
            case .float: read(Value.float)
            case .double: read(Value.double)
            case .string: read(Value.string)
            case .data:
                sqlite3_column_type(statement, column) == SQLITE_NULL
                    ? .null : .data(Array(columnBytes(statement, column)))
            case .date: read(Value.date)
            case .objectId: read(Value.objectId)
            case .uuid: read(Value.uuid)
            case .decimal128: read(Value.decimal128)
            case .any, .link, .embedded: .null
            }
    }

    /// Binds the value; a link as the key of its row, and NULL for what no single column holds.
    func bind(to statement: OpaquePointer, at index: Int32) {
        switch self {
        case .bool(let value): value._bind(to: statement, at: index)
        case .int(let value): value._bind(to: statement, at: index)
        case .float(let value): value._bind(to: statement, at: index)
        case .double(let value): value._bind(to: statement, at: index)
        case .string(let value): value._bind(to: statement, at: index)
        case .data(let value): value.withUnsafeBytes { bindBytes($0, statement, index) }
        case .date(let value): value._bind(to: statement, at: index)
        case .objectId(let value): value._bind(to: statement, at: index)
        case .uuid(let value): value._bind(to: statement, at: index)
        case .decimal128(let value): value._bind(to: statement, at: index)
        case .link(let value): value.key._bind(to: statement, at: index)
        case .null, .list, .dictionary, .object: bindNull(statement, index)
        }
    }
}
