/// Names one partition: the prefix that the app chose and an id of its own.
///
/// The text form, `<prefix>-<24 hex digits>`, is the value of an event's `_partition`. Two prefixes are the same when their bytes are.
public struct PartitionID: Sendable {
    /// The prefix of the event configuration.
    public let prefix: String
    /// The id, which increases from one partition of a process to its next.
    public let id: ObjectId

    /// Creates a name; the prefix is not checked, see ``checkPrefix(_:)``.
    public init(prefix: String, id: ObjectId) {
        self.prefix = prefix
        self.id = id
    }

    /// Reads the text form.
    ///
    /// - Throws: ``EventModelError/malformedPartition(_:)`` when it has another form.
    public init(_ value: String) throws(EventModelError) {
        // In bytes: as a character the hyphen may be one with what stands in front of it.
        guard let hyphen = value.utf8.lastIndex(of: 0x2D), hyphen > value.startIndex else {
            throw .malformedPartition(value)
        }
        do {
            id = try ObjectId(string: String(value[value.utf8.index(after: hyphen)...]))
        } catch {
            throw .malformedPartition(value)
        }
        prefix = String(value[..<hyphen])
    }

    /// The prefix, a hyphen and the 24 digits of the id.
    public var value: String { "\(prefix)-\(id.stringValue)" }

    /// Checks a prefix that an app chose.
    ///
    /// - Throws: ``EventModelError/invalidPartitionPrefix(_:reason:)`` when it is empty, longer than 128 bytes, holds a
    ///   slash, a backslash or a control character, or is `.` or `..`.
    public static func checkPrefix(_ prefix: String) throws(EventModelError) {
        if prefix.isEmpty {
            throw .invalidPartitionPrefix(prefix, reason: "it must not be empty")
        }
        if prefix.utf8.contains(where: { $0 == 0x2F || $0 == 0x5C }) {
            throw .invalidPartitionPrefix(prefix, reason: "it must not contain slashes")
        }
        if prefix == "." || prefix == ".." {
            throw .invalidPartitionPrefix(prefix, reason: "it names a folder above the partitions")
        }
        if prefix.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .invalidPartitionPrefix(prefix, reason: "it must not contain control characters")
        }
        if prefix.utf8.count > 128 {
            throw .invalidPartitionPrefix(prefix, reason: "it may have at most 128 bytes")
        }
    }
}

extension PartitionID: CustomStringConvertible {
    /// The prefix, a hyphen and the 24 digits of the id.
    public var description: String { value }
}

extension PartitionID: Codable {
    /// Decodes the text form.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension PartitionID: Hashable {
    /// Compares the id, and the bytes of the prefix.
    public static func == (left: PartitionID, right: PartitionID) -> Bool {
        left.id == right.id && left.prefix.hasSameBytes(as: right.prefix)
    }

    /// Feeds the id to the hasher; prefixes hardly ever distinguish partitions.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension PartitionID: Comparable {
    /// Compares by id, which is by age, then by the bytes of the prefix, as databases do.
    public static func < (left: PartitionID, right: PartitionID) -> Bool {
        left.id == right.id ? left.prefix.precedesInBytes(right.prefix) : left.id < right.id
    }
}
