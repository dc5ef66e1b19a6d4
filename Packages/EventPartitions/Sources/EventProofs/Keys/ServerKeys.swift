import EventModel

/// The public keys of a server: what it signs receipts and exports with, checkpoints of its log, and seals of its auditors' trail.
///
/// All are Ed25519. They are derived from one secret, and so they come and go together.
public struct ServerKeys: Sendable, Hashable {
    /// The key of receipts and exports, 32 bytes: the one that apps and auditors know the server by.
    public let receipts: [UInt8]
    /// The key of checkpoints, 32 bytes; with the log's origin it is the log's verifier key.
    public let log: [UInt8]
    /// The key that seals the auditors' trail, 32 bytes.
    public let trail: [UInt8]

    /// Names the keys of a server.
    ///
    /// - Throws: ``ProofError/malformedSuccession(reason:)`` when one has not 32 bytes, is one for which anybody can sign, or is there twice.
    public init(receipts: [UInt8], log: [UInt8], trail: [UInt8]) throws(ProofError) {
        let all = [receipts, log, trail]
        guard all.allSatisfy({ $0.count == 32 && !EdwardsPoint.isOfSmallOrder($0) }), Set(all).count == all.count else {
            throw .malformedSuccession(reason: "the keys of a server are three keys of 32 bytes, each another one")
        }
        self.receipts = receipts
        self.log = log
        self.trail = trail
    }

    /// The keys as a line of a statement has them.
    var text: String { [receipts, log, trail].map { Hexadecimal.text($0) }.joined(separator: " ") }

    /// Reads ``text``; nil when it has another form.
    init?(text: Substring) throws(ProofError) {
        let keys = text.split(separator: " ", omittingEmptySubsequences: false)
            .compactMap { Hexadecimal.bytes(String($0)) }
        guard keys.count == 3 else { return nil }
        try self.init(receipts: keys[0], log: keys[1], trail: keys[2])
        guard self.text == text else { return nil }
    }
}
