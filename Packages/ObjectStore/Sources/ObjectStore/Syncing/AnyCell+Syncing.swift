import ChangeModel
import EventModel
import Foundation
import ObjectQueries

extension AnyCell {
    /// Reads the value of a property, an element or an entry, whatever its declared type is.
    init(_ statement: Statement, _ column: Int32, _ shape: PropertyShape) {
        switch shape.kind {
        case .any: self.init(column: column, of: statement.handle)
        case .link, .embedded:
            let isNull = statement.isNull(column)
            self = isNull ? .none : .link(className: shape.targetClass ?? "", key: statement.int(column))
        default: self = .value(Value(column: column, of: statement.handle, shape.kind))
        }
    }
}

extension CellValue {
    /// A value that no row is needed for; nil for a link and a collection.
    init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(ExactText(value))
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value.timeIntervalSinceReferenceDate)
        case .objectId(let value): self = .objectId(value)
        case .uuid(let value): self = .uuid(value)
        case .decimal128(let value): self = .decimal128(value)
        case .link, .list, .dictionary, .object: return nil
        }
    }
}

extension PrimaryKey {
    /// The value of a primary key; nil for a value that none has.
    init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .int(let value): self = .int(value)
        case .string(let value): self = .string(ExactText(value))
        case .objectId(let value): self = .objectId(value)
        case .uuid(let value): self = .uuid(value)
        default: return nil
        }
    }
}
