public import Foundation

/// What a comparison of two devices found.
public struct SyncSummary: Codable, Equatable, Sendable {
    /// How many changes of the realm both devices have.
    public var changes: Int
    /// How many objects each of them holds.
    public var objects: Int
    /// What is not the same on both, one sentence each.
    public var differences: [String]

    /// Creates a summary.
    public init(changes: Int, objects: Int, differences: [String] = []) {
        self.changes = changes
        self.objects = objects
        self.differences = differences
    }

    /// Reads a summary that another process wrote.
    public init(contentsOf url: URL) throws {
        self = try JSONDecoder().decode(SyncSummary.self, from: Data(contentsOf: url))
    }

    /// Writes the summary for another process.
    public func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: url, options: .atomic)
    }
}
