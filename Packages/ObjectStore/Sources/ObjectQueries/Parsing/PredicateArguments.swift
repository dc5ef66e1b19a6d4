public import EventModel
import Foundation
import Geospatial

/// The values of a predicate's placeholders, in order, converted when they are asked for.
struct PredicateArguments {
    private let values: [Any?]
    private let convert: (Any) -> Value?
    private(set) var used = 0

    init(_ values: [Any?], convert: @escaping (Any) -> Value?) {
        self.values = values
        self.convert = convert
    }

    var count: Int { values.count }

    /// The value of the next placeholder.
    mutating func next(at position: Int) throws(QueryError) -> Value {
        let value = try take(at: position)
        guard let converted = Value(predicateArgument: value as Any, convert: convert) else {
            throw unsupported(value, expected: "a value that a property can hold")
        }
        return converted
    }

    /// The path of the next `%K`.
    mutating func nextPath(at position: Int) throws(QueryError) -> String {
        let value = try take(at: position)
        guard let path = value as? String else { throw unsupported(value, expected: "a path as text") }
        return path
    }

    /// Whether the next placeholder stands for a shape: `IN` then asks which points lie in it.
    var isShapeNext: Bool { used < values.count && values[used] is any GeoShape }

    /// The shape of the next placeholder behind `geoWithin` or `IN`.
    mutating func nextShape(at position: Int) throws(QueryError) -> GeoRegion {
        let value = try take(at: position)
        guard let shape = value as? any GeoShape else { throw unsupported(value, expected: "a shape on the earth") }
        return shape.region
    }

    private mutating func take(at position: Int) throws(QueryError) -> Any? {
        guard used < values.count else { throw .missingArgument(position: position, given: values.count) }
        used += 1
        return values[used - 1]
    }

    private func unsupported(_ value: Any?, expected: String) -> QueryError {
        let name = value.map { String(describing: Swift.type(of: $0)) } ?? "nil"
        return .unsupportedArgument(index: used - 1, type: name, expected: expected)
    }
}

extension Value {
    /// Converts an argument of a query: a value, a standard scalar, nil, `NSNull`, or a collection of these.
    ///
    /// Collections become lists. Ask `convert` for everything else, such as enumerations and objects.
    ///
    /// - Returns: nil when nobody knows the type.
    public init?(predicateArgument argument: Any, convert: (Any) -> Value? = { _ in nil }) {
        if let common = Self.common(argument) {
            self = common
            return
        }
        guard let unwrapped = Self.unwrapped(argument) else {
            self = .null
            return
        }
        if let scalar = Self.scalar(unwrapped) ?? Self.number(unwrapped) ?? convert(unwrapped) {
            self = scalar
            return
        }
        guard let elements = unwrapped as? any Collection else { return nil }
        var values: [Value] = []
        for element in elements {
            guard let value = Value(predicateArgument: element, convert: convert) else { return nil }
            values.append(value)
        }
        self = .list(values)
    }

    /// The types that nearly every argument has: comparing types costs far less than taking values apart.
    private static func common(_ argument: Any) -> Value? {
        let type = Swift.type(of: argument)
        if type == Int.self { return (argument as? Int).map { .int(Int64($0)) } }
        if type == String.self { return (argument as? String).map { .string($0) } }
        if type == Double.self { return (argument as? Double).map { .double($0) } }
        if type == Bool.self { return (argument as? Bool).map { .bool($0) } }
        return nil
    }

    /// Takes all optionals off; nil and `NSNull` are nil.
    private static func unwrapped(_ argument: Any) -> Any? {
        let mirror = Mirror(reflecting: argument)
        guard mirror.displayStyle == .optional else { return argument is NSNull ? nil : argument }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    // The exact type is asked for: on Apple's systems `as? Bool` and `as? Int` also succeed for other numbers.
    private static func scalar(_ argument: Any) -> Value? {
        let type = Swift.type(of: argument)
        switch argument {
        case let value as Value: return value
        case let value as ObjectReference: return .link(value)
        case let value as Bool where type == Bool.self: return .bool(value)
        case let value as Float where type == Float.self: return .float(value)
        case let value as Double where type == Double.self: return .double(value)
        case let value as any BinaryInteger:
            return Int64(exactly: value).map { .int($0) }
        case let value as String: return .string(value)
        case let value as Date: return .date(value)
        case let value as UUID: return .uuid(value)
        case let value as ObjectId: return .objectId(value)
        case let value as Decimal128: return .decimal128(value)
        case let value as Data: return .data(Array(value))
        case let value as [UInt8]: return .data(value)
        default: return nil
        }
    }

    /// Numbers of Foundation, which only tell by their encoding whether they are truth values.
    private static func number(_ argument: Any) -> Value? {
        guard let number = argument as? NSNumber else { return nil }
        if number is NSDecimalNumber { return Decimal128(number.description).map { .decimal128($0) } }
        #if canImport(Darwin)
        if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
        #else
        if String(cString: number.objCType) == "c", number === NSNumber(value: number.boolValue) {
            return .bool(number.boolValue)
        }
        #endif
        switch String(cString: number.objCType) {
        case "d": return .double(number.doubleValue)
        case "f": return .float(number.floatValue)
        case "Q": return Int64(exactly: number.uint64Value).map { .int($0) }
        default: return .int(number.int64Value)
        }
    }
}
