import AuditModel
public import EventModel
public import EventProofs

/// A line of the log of sealed partitions, as an auditor gets it.
public enum LogLine: Sendable, Hashable {
    /// A partition that the auditor may read.
    case entry(PartitionLogEntry)
    /// Another one, by its place and the hash that the tree is made of.
    case withheld(index: UInt64, leaf: Digest)
}

extension LogLine: Codable {
    private enum Key: String, CodingKey {
        case index, leaf
    }

    /// Reads a line; nothing of it is checked but its form.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let leaf = try container.decodeIfPresent(Digest.self, forKey: .leaf) else {
            self = .entry(try PartitionLogEntry(from: decoder))
            return
        }
        self = .withheld(index: try container.decode(UInt64.self, forKey: .index), leaf: leaf)
    }

    /// Writes the entry, or its place and its hash.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .entry(let entry): try entry.encode(to: encoder)
        case .withheld(let index, let leaf):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(index, forKey: .index)
            try container.encode(leaf, forKey: .leaf)
        }
    }
}
