import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Operand {
    /// The constant in the form that the column holds, so that SQLite compares like with like.
    ///
    /// - Throws: ``QueryError/invalidComparison(path:className:reason:)`` when the type can never be equal.
    func coerced(_ constant: Value) throws(QueryError) -> Value {
        switch (kind, constant) {
        case (.int, .int), (.bool, .bool), (.double, .double), (.string, .string), (.data, .data), (.date, .date),
            (.objectId, .objectId), (.uuid, .uuid), (.int, .double), (.double, .int), (.float, .float):
            return constant
        case (.bool, .int(let number)) where number == 0 || number == 1:
            return .bool(number == 1)
        case (.int, .float(let number)), (.double, .float(let number)):
            return .double(Double(number))
        // The column holds what was left of the number when it became a Float.
        case (.float, .double(let number)):
            return .float(Float(number))
        case (.float, .int(let number)):
            return .float(Float(number))
        case (.decimal128, .decimal128(let number)):
            return number.isNaN ? .double(.nan) : .data(QueryFunctions.decimalKey(number))
        case (.decimal128, .int(let number)):
            return .data(QueryFunctions.decimalKey(Decimal128(number)))
        case (.decimal128, .double(let number)):
            return try coerced(.decimal128(Decimal128(number)))
        case (.decimal128, .float(let number)):
            return try coerced(.decimal128(Decimal128(number)))
        case (.link, .link(let reference)), (.embedded, .link(let reference)):
            guard reference.className == targetClass else {
                throw invalid("an object of class '\(reference.className)' is never equal to it")
            }
            return .int(reference.key)
        case (.link, .object(let object)), (.embedded, .object(let object)):
            guard object.shape.name == targetClass else {
                throw invalid("an object of class '\(object.shape.name)' is never equal to it")
            }
            // An object that no realm has equals none that is stored, like what is not a number.
            return .double(.nan)
        default:
            throw invalid("a value of type \(constant.typeName) is never equal to one of type \(kind)")
        }
    }
}

extension Value {
    /// Whether this is a floating-point value that is not a number.
    var isNaN: Bool {
        switch self {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }

    /// The integer, or nil when this is none.
    var integer: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    /// The name of the case, for messages; the value itself is the user's.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .double: "double"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .objectId: "objectId"
        case .uuid: "uuid"
        case .decimal128: "decimal128"
        case .link: "link"
        case .list: "list"
        case .dictionary: "dictionary"
        case .object: "object"
        }
    }
}
