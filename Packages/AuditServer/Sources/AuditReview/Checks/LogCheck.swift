import AuditModel
import EventModel
import EventProofs

/// Recomputes the log of sealed partitions from its entries, page by page, and holds it against what others were given of it.
struct LogCheck: Sendable, Hashable {
    /// What a step came to.
    struct Step: Sendable {
        /// How many entries were read, at least one.
        let read: Int
        /// What is wrong, each a sentence; nil while there is more to read.
        let problems: [String]?
    }

    /// What the log was when it was published the last time before the check began.
    private struct Published: Hashable, Codable {
        let size: UInt64
        let root: Digest
    }

    private let published: Published?
    private var frontier = MerkleFrontier()
    /// The sizes at which the log is not the one that reviewers signed.
    private var wrong: [UInt64] = []
    private var isPublishedOne = true

    init(published: Checkpoint?) {
        self.published = published.map { Published(size: $0.size, root: $0.root) }
    }

    /// Looks at some more entries.
    ///
    /// - Throws: `unavailable` when the store fails.
    mutating func step(_ limit: Int, in log: any SealLog, heads: [UInt64: Digest]) async throws -> Step {
        let entries = try await log.logEntries(from: frontier.count, limit: limit)
        for entry in entries {
            // What comes behind it has another place in the tree.
            guard entry.index == frontier.count else {
                return Step(read: entries.count, problems: ["Entry \(frontier.count) of the log is missing."])
            }
            frontier.append(entry.leaf)
            if let head = heads[frontier.count], head != frontier.root { wrong.append(frontier.count) }
            if let published, published.size == frontier.count { isPublishedOne = published.root == frontier.root }
        }
        guard entries.isEmpty else { return Step(read: entries.count, problems: nil) }
        return Step(read: 1, problems: try await problems(in: log, heads))
    }

    /// Says what is wrong with a log of which all entries were read.
    private func problems(in log: any SealLog, _ heads: [UInt64: Digest]) async throws -> [String] {
        var problems: [String] = []
        let count = frontier.count
        let root = try await log.withLog(durably: false) { tree in
            tree.count >= count ? try tree.root(at: count) : nil
        }
        if root != frontier.root { problems.append("The root over the log's entries differs from the stored one.") }
        problems += wrong.map { "The log is not the one that had \($0) partitions when a review was signed off." }
        if let longest = heads.keys.max(), longest > count {
            problems.append("The log has \(count) partitions, and had \(longest) when a review was signed off.")
        }
        if let published, published.size > count {
            problems.append("The log has \(count) partitions, and had \(published.size) when it was published.")
        } else if let published, !isPublishedOne {
            problems.append("The log is not the one that had \(published.size) partitions when it was published.")
        }
        return problems
    }

    /// What is to be said of the log.
    func verdict(_ problems: [String]) -> StoreCheck.Verdict {
        StoreCheck.Verdict(subject: CheckSubject(.log), owner: nil, problems: problems, root: nil)
    }
}

extension LogCheck: Codable {
    private enum Key: String, CodingKey {
        case published, frontier, wrong, isPublishedOne
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        published = try container.decodeIfPresent(Published.self, forKey: .published)
        let bytes = try Hexadecimal.bytes(.frontier, in: container)
        guard let frontier = MerkleFrontier(bytes: bytes) else {
            throw DecodingError.dataCorruptedError(forKey: .frontier, in: container, debugDescription: "It is no tree.")
        }
        self.frontier = frontier
        wrong = try container.decode([UInt64].self, forKey: .wrong)
        isPublishedOne = try container.decode(Bool.self, forKey: .isPublishedOne)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(published, forKey: .published)
        try container.encode(Hexadecimal.text(frontier.bytes), forKey: .frontier)
        try container.encode(wrong, forKey: .wrong)
        try container.encode(isPublishedOne, forKey: .isPublishedOne)
    }
}
