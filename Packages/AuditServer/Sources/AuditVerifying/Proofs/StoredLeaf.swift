public import AuditModel
public import EventModel

/// What a verifier needs of one stored event: its bytes, made anew from its columns, and the hash stored beside them.
public struct StoredLeaf: Sendable, Hashable, Codable {
    /// The place in the partition, from 1.
    public let sequence: UInt64
    /// The canonical encoding as hexadecimal digits; nil when the columns no longer make up an event, or values are masked.
    public let encoded: String?
    /// The leaf hash that was stored when the event arrived; nil when it is damaged.
    public let leafHash: Digest?
    /// The number of the erasure that took what the event said; nil when nothing did.
    public let erasure: Int64?
    /// The leaf hash that the server computes of an event whose values are masked; nil of any other.
    public let maskedHash: Digest?
    /// When the server received it; nil when that is damaged.
    public let received: EventInstant?
    /// What the server signed as it stored the stretch that ends with this event; nil when it ends with another one.
    public let receipt: StretchReceipt?
    /// True when a version stored it that kept no receipts; else nil.
    public let isUnsigned: Bool?
    /// True when what should say how the time of receipt is bound is damaged; else nil.
    public let isReceiptDamaged: Bool?

    /// What binds the time of receipt.
    package var mark: StretchMark {
        if let receipt { return .end(receipt) }
        if isUnsigned == true { return .unsigned }
        return isReceiptDamaged == true ? .damaged : .inside
    }

    /// Encodes a stored event again.
    public init(_ stored: StoredEvent) {
        sequence = stored.sequence
        encoded = stored.isMasked ? nil : stored.event.map { Hexadecimal.text($0.encoded) }
        leafHash = stored.leaf
        erasure = stored.erasure
        maskedHash = stored.maskedHash
        received = stored.received
        receipt = stored.mark.receipt
        isUnsigned = stored.mark == .unsigned ? true : nil
        isReceiptDamaged = stored.mark == .damaged ? true : nil
    }
}
