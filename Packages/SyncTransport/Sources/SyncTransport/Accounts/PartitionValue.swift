public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that names the partition of a user's realm: a string, an integer, an object id or a UUID.
public protocol PartitionValue: Sendable {
    /// The value as text with a letter for its type, such as `s_ward 7` or `i_7`; differs for different values.
    var typedText: String { get }
}

extension String: PartitionValue {
    /// The text behind `s_`.
    public var typedText: String { "s_\(self)" }
}

extension Int: PartitionValue {
    /// The number behind `i_`.
    public var typedText: String { "i_\(self)" }
}

extension Int64: PartitionValue {
    /// The number behind `i_`.
    public var typedText: String { "i_\(self)" }
}

extension ObjectId: PartitionValue {
    /// The digits behind `o_`.
    public var typedText: String { "o_\(stringValue)" }
}

extension UUID: PartitionValue {
    /// The lower-case digits behind `u_`.
    public var typedText: String { "u_\(uuidString.lowercased())" }
}
