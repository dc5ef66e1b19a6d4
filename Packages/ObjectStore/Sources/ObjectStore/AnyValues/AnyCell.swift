import EventModel
import Foundation
import GRDBSQLite

/// A value of any type as its two columns hold it: the value, and beside it a tag of `PackedValue`.
enum AnyCell: Hashable, Sendable {
    /// Null or a scalar.
    case value(Value)
    /// A row of a class, stored as `Class/row`, so that one equality finds all links to a row.
    case link(className: String, key: Int64)
    /// The key of a nested list.
    case list(Int64)
    /// The key of a nested dictionary.
    case dictionary(Int64)

    static let none = AnyCell.value(.null)
    /// The tag of links, as SQL writes it.
    static let linkTag = Int(PackedValue.Tag.link.rawValue)
    /// The tags of nested lists and dictionaries, as SQL writes them.
    static let nestedTags = "(\(PackedValue.Tag.list.rawValue), \(PackedValue.Tag.dictionary.rawValue))"

    /// How the column of a value holds a link.
    static func linkText(_ className: String, _ key: Int64) -> String { "\(className)/\(key)" }

    /// The key of a nested list or dictionary.
    var nestedKey: Int64? {
        switch self {
        case .list(let key), .dictionary(let key): key
        case .value, .link: nil
        }
    }

    /// Whether both show the same: texts by their bytes, and NaN is the same as NaN.
    func isSame(as other: AnyCell) -> Bool {
        switch (self, other) {
        case (.value(.string(let text)), .value(.string(let otherText))):
            _TextIdentity(text) == _TextIdentity(otherText)
        case (.value(let value), .value(let otherValue)): _ValueIdentity(value) == _ValueIdentity(otherValue)
        default: self == other
        }
    }
}

// MARK: - Columns

extension AnyCell {
    /// Reads a column and, behind it, the one with its type.
    init(column: Int32, of statement: OpaquePointer) {
        let tag = PackedValue.Tag(rawValue: UInt8(truncatingIfNeeded: sqlite3_column_int64(statement, column + 1)))
        switch tag {
        case .link:
            let text = columnText(statement, column)
            guard let slash = text.lastIndex(of: "/"), let key = Int64(text[text.index(after: slash)...]) else {
                self = .none
                return
            }
            self = .link(className: String(text[..<slash]), key: key)
        case .list: self = .list(sqlite3_column_int64(statement, column))
        case .dictionary: self = .dictionary(sqlite3_column_int64(statement, column))
        default: self = .value(tag.flatMap { Value(column: column, of: statement, $0) } ?? .null)
        }
    }

    /// Binds the value and, behind it, its type.
    func bind(to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index + 1, Int64(tag.rawValue))
        switch self {
        case .value(let value): value.bind(to: statement, at: index)
        case .link(let className, let key): bindText(Self.linkText(className, key), statement, index)
        case .list(let key), .dictionary(let key): sqlite3_bind_int64(statement, index, key)
        }
    }

    private var tag: PackedValue.Tag {
        switch self {
        case .link: .link
        case .list: .list
        case .dictionary: .dictionary
        case .value(let value):
            switch value {
            case .bool(let truth): truth ? .true : .false
            case .int: .int
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .objectId: .objectId
            case .uuid: .uuid
            case .decimal128: .decimal128
            case .null, .link, .list, .dictionary, .object: .null
            }
        }
    }
}

extension Value {
    fileprivate init?(column: Int32, of statement: OpaquePointer, _ tag: PackedValue.Tag) {
        func read<Scalar: _ScalarValue>(_ type: Scalar.Type, _ make: (Scalar) -> Value) -> Value? {
            Scalar._decode(column: column, of: statement).map(make)
        }
        let value: Value?
        switch tag {
        case .false: value = .bool(false)
        case .true: value = .bool(true)
        case .int: value = read(Int64.self, Value.int)
        case .float: value = read(Float.self, Value.float)
        case .double: value = read(Double.self, Value.double)
        case .string: value = read(String.self, Value.string)
        case .data: value = .data(Array(columnBytes(statement, column)))
        case .date: value = read(Date.self, Value.date)
        case .objectId: value = read(ObjectId.self, Value.objectId)
        case .uuid: value = read(UUID.self, Value.uuid)
        case .decimal128: value = read(Decimal128.self, Value.decimal128)
        case .null, .link, .list, .dictionary, .embedded: return nil
        }
        guard let value else { return nil }
        self = value
    }

    fileprivate func bind(to statement: OpaquePointer, at index: Int32) {
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
        case .null, .link, .list, .dictionary, .object: bindNull(statement, index)
        }
    }
}

// MARK: - Snapshots

// A row that serves property reads holds a link without its primary key, and of a nested list or dictionary only the key:
// as a list of one number, or a dictionary with one number under an empty name.
extension AnyCell {
    /// Puts the value into a slot of a row that serves property reads.
    func pack(into writer: inout SnapshotWriter, _ slot: Int) {
        if case .value(.null) = self { return }
        writer.setPacked(slot) { packed in
            switch self {
            case .value(let value): packed.append(value)
            case .link(let className, let key): packed.append(linkTo: className, key: key) { $0.appendNull() }
            case .list(let key): packed.append(.list([.int(key)]))
            case .dictionary(let key): packed.append(.dictionary(["": .int(key)]))
            }
        }
    }

    /// Reads the value from a slot of a row that serves property reads; nil stands for null.
    init(_ packed: PackedValue?) {
        guard let packed else {
            self = .none
            return
        }
        switch packed.decoded {
        case .link(let reference): self = .link(className: reference.className, key: reference.key)
        case .list(let elements):
            guard case .int(let key)? = elements.first else {
                self = .none
                return
            }
            self = .list(key)
        case .dictionary(let entries):
            guard case .int(let key)? = entries[""] else {
                self = .none
                return
            }
            self = .dictionary(key)
        case let value: self = .value(value)
        }
    }
}
