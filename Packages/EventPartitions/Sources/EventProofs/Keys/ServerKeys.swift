import EventModel

/// The public keys of a server: what it signs receipts with, checkpoints of its log, seals of its auditors' trail, and exports.
///
/// All are Ed25519. They are derived from one secret, and so they come and go together.
public struct ServerKeys: Sendable, Hashable {
    /// The key of receipts, 32 bytes: the one that apps know the server by.
    public let receipts: [UInt8]
    /// The key of checkpoints, 32 bytes; with the log's origin it is the log's verifier key.
    public let log: [UInt8]
    /// The key that seals the auditors' trail, 32 bytes.
    public let trail: [UInt8]
    /// The key of exports, 32 bytes; nil of a server that signs them with ``receipts``, as those before version 2 of `KeySuccession` did.
    public let exports: [UInt8]?

    /// Names the keys of a server.
    ///
    /// - Throws: ``ProofError/malformedSuccession(reason:)`` when one has not 32 bytes, is one for which anybody can sign, or is there twice.
    public init(
        receipts: [UInt8],
        log: [UInt8],
        trail: [UInt8],
        exports: [UInt8]? = nil
    ) throws(ProofError) {
        let all = [receipts, log, trail] + (exports.map { [$0] } ?? [])
        guard all.allSatisfy({ $0.count == 32 && !EdwardsPoint.isOfSmallOrder($0) }), Set(all).count == all.count else {
            throw .malformedSuccession(
                reason: "the keys of a server are three or four keys of 32 bytes, each another one"
            )
        }
        self.receipts = receipts
        self.log = log
        self.trail = trail
        self.exports = exports
    }

    /// All keys, in the order of a statement.
    var all: [[UInt8]] { [receipts, log, trail] + (exports.map { [$0] } ?? []) }

    /// The keys as a line of a statement has them.
    var text: String { all.map { Hexadecimal.text($0) }.joined(separator: " ") }

    /// Reads ``text``; nil when it has another form.
    init?(text: Substring) throws(ProofError) {
        let keys = text.split(separator: " ", omittingEmptySubsequences: false)
            .compactMap { Hexadecimal.bytes(String($0)) }
        guard (3...4).contains(keys.count) else { return nil }
        try self.init(receipts: keys[0], log: keys[1], trail: keys[2], exports: keys.count > 3 ? keys[3] : nil)
        guard self.text == text else { return nil }
    }

    /// Whether a statement that begins with some keys goes on from these.
    ///
    /// A key of exports may be named for the first time, by a server that had none so far; one that was named is not left out again.
    func goesOn(as next: ServerKeys) -> Bool {
        guard (receipts, log, trail) == (next.receipts, next.log, next.trail) else { return false }
        return exports == nil || exports == next.exports
    }
}
