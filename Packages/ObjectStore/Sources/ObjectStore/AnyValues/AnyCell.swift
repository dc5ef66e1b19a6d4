import CSQLite
import EventModel
import Foundation
import ObjectQueries

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
        case .false: self = .value(.bool(false))
        case .true: self = .value(.bool(true))
        default: self = .value(tag?.kind.map { Value(column: column, of: statement, $0) } ?? .null)
        }
    }

    /// Binds the value and, behind it, its type.
    func bind(to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index + 1, Int64(tag.rawValue))
        switch self {
        case .value(let value): value.bind(to: statement, at: index)
        case .link(let className, let key): bindText(StorageNames.link(className, key), statement, index)
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

extension PackedValue.Tag {
    /// The type of the column beside the tag; nil where the tag says all, or where it is no single value.
    fileprivate var kind: PropertyShape.Kind? {
        switch self {
        case .int: .int
        case .float: .float
        case .double: .double
        case .string: .string
        case .data: .data
        case .date: .date
        case .objectId: .objectId
        case .uuid: .uuid
        case .decimal128: .decimal128
        case .null, .false, .true, .link, .list, .dictionary, .embedded: nil
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
