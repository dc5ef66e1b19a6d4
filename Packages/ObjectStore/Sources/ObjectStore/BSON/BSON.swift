public import EventModel
public import Foundation

/// A type that a BSON value may have; the types of the library conform.
public protocol BSON: Equatable {}

/// A BSON document: values by their names.
///
/// ```swift
/// let person: Document = ["name": "Ada", "age": 36, "tags": ["a", nil]]
/// let age = person["age"]??.asInt()
/// ```
public typealias Document = [String: AnyBSON?]

extension NSNull: BSON {}
extension Int: BSON {}
extension Int32: BSON {}
extension Int64: BSON {}
extension Bool: BSON {}
extension Double: BSON {}
extension String: BSON {}
extension Data: BSON {}
extension Date: BSON {}
extension Decimal128: BSON {}
extension ObjectId: BSON {}
extension UUID: BSON {}
extension NSRegularExpression: BSON {}
extension Dictionary: BSON where Key == String, Value == AnyBSON? {}
extension Array: BSON where Element == AnyBSON? {}

/// What comes before every other value in the order of BSON.
public struct MinKey: BSON, Hashable, Sendable {
    /// Creates the value; all are the same.
    public init() {}
}

/// What comes behind every other value in the order of BSON.
public struct MaxKey: BSON, Hashable, Sendable {
    /// Creates the value; all are the same.
    public init() {}
}
