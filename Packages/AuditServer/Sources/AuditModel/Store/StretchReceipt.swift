public import EventModel

/// What is kept of the receipt that the server signed as it stored a stretch: without what the events beside it say.
///
/// It lies with the last event of the stretch. App, user, partition, count, root and time of the `StorageReceipt` are those of the
/// events up to there, so whoever alters one of them, as they are shown, makes the signature wrong.
public struct StretchReceipt: Sendable, Hashable {
    /// Whether the stretch ended its partition.
    public let isSealed: Bool
    /// The server's Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The signature, 64 bytes.
    public let signature: [UInt8]

    /// Keeps what a receipt says beside the events.
    public init(_ receipt: StorageReceipt) {
        isSealed = receipt.isSealed
        publicKey = receipt.publicKey
        signature = receipt.signature
    }

    /// Reads the bytes that a store keeps; nil when they are no receipt.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 97, bytes[0] <= 1 else { return nil }
        isSealed = bytes[0] == 1
        publicKey = Array(bytes[1..<33])
        signature = Array(bytes[33...])
    }

    /// The bytes that a store keeps: 1 when the stretch ended its partition, else 0; the key, and the signature.
    public var bytes: [UInt8] { [isSealed ? 1 : 0] + publicKey + signature }
}

extension StretchReceipt: Codable {
    private enum CodingKeys: String, CodingKey {
        case isSealed, publicKey, signature
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isSealed = try container.decode(Bool.self, forKey: .isSealed)
        publicKey = try Hexadecimal.bytes(.publicKey, in: container)
        signature = try Hexadecimal.bytes(.signature, in: container)
    }

    /// Writes key and signature as hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isSealed, forKey: .isSealed)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(Hexadecimal.text(signature), forKey: .signature)
    }
}

/// Where a stretch ends.
public struct StretchEnd: Sendable, Hashable {
    /// The sequence of its last event.
    public let sequence: UInt64
    /// What lies with that.
    public let mark: StretchMark

    /// Names an event.
    public init(sequence: UInt64, mark: StretchMark) {
        self.sequence = sequence
        self.mark = mark
    }
}

/// What binds an event's time of receipt.
public enum StretchMark: Sendable, Hashable {
    /// The receipt with the last event of the stretch, which is further on.
    case inside
    /// The event is the last of its stretch.
    case end(StretchReceipt)
    /// Nothing: a version stored it that kept no receipts.
    case unsigned
    /// What should say so is damaged.
    case damaged

    /// The receipt, where the stretch ends with the event.
    package var receipt: StretchReceipt? {
        if case .end(let receipt) = self { receipt } else { nil }
    }

    /// What a store keeps for an event of a version that kept no receipts: the default of the column.
    public static let unsignedBytes: [UInt8] = [0]

    /// Reads what a store keeps.
    public init(bytes: [UInt8]) {
        self = bytes == Self.unsignedBytes ? .unsigned : StretchReceipt(bytes: bytes).map { .end($0) } ?? .damaged
    }
}
