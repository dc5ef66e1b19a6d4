/// How the keys of a server followed each other, the oldest first: each statement begins where the one before it ended.
///
/// ```swift
/// let history = try KeyHistory(texts: answer.successions)
/// guard let present = history.successions(behind: known).last?.successor else { return known }
/// ```
public struct KeyHistory: Sendable, Hashable {
    /// How many successions there are at most: a server that changes its keys each year has room for 64 years.
    public static let maximumCount = 64

    /// The statements; each one verified.
    public let successions: [KeySuccession]

    /// A server that has the keys that it began with.
    public init() { successions = [] }

    /// Puts statements together.
    ///
    /// - Throws: ``ProofError/malformedSuccession(reason:)`` when one does not begin where the one before it ended, a key of any kind comes
    ///   back, a key of exports is left out again, or there are more than ``maximumCount``.
    public init(_ successions: [KeySuccession]) throws(ProofError) {
        guard successions.count <= Self.maximumCount else {
            throw .malformedSuccession(reason: "there are more than \(Self.maximumCount)")
        }
        for (before, after) in zip(successions, successions.dropFirst())
        where !before.successor.goesOn(as: after.predecessor) || before.time > after.time {
            throw .malformedSuccession(reason: "one does not begin where the one before it ended")
        }
        let keys = (successions.map(\.predecessor) + successions.suffix(1).map(\.successor)).flatMap(\.all)
        guard Set(keys).count == keys.count else { throw .malformedSuccession(reason: "a key comes back") }
        self.successions = successions
    }

    /// Reads and verifies statements as a server gives them.
    ///
    /// - Parameter texts: The notes, the oldest first.
    /// - Throws: What reading one throws, and as ``init(_:)``.
    public init(texts: [String]) throws(ProofError) {
        guard texts.count <= Self.maximumCount else {
            throw .malformedSuccession(reason: "there are more than \(Self.maximumCount)")
        }
        var successions: [KeySuccession] = []
        for text in texts { successions.append(try KeySuccession(Array(text.utf8))) }
        try self.init(successions)
    }

    /// The statements as they are sent and stored.
    public var texts: [String] { successions.map(\.text) }

    /// The keys that were taken last; nil when they never changed.
    public var present: ServerKeys? { successions.last?.successor }

    /// The keys that others took the place of, the oldest first.
    public var former: [ServerKeys] { successions.map(\.predecessor) }

    /// Returns what came after a key.
    ///
    /// - Parameter receipts: A key of receipts.
    /// - Returns: The statements behind it, the first of which it signed; none for a key that is the present one, or not of this history.
    public func successions(behind receipts: [UInt8]) -> ArraySlice<KeySuccession> {
        guard let first = successions.firstIndex(where: { $0.predecessor.receipts == receipts }) else { return [] }
        return successions[first...]
    }

    /// Returns the keys before one, the oldest first; none for a key that is not of this history.
    public func former(before receipts: [UInt8]) -> [ServerKeys] {
        guard let last = successions.firstIndex(where: { $0.successor.receipts == receipts }) else { return [] }
        return successions[...last].map(\.predecessor)
    }
}
