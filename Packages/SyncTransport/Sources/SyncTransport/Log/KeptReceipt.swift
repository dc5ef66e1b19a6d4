import EventModel

/// A receipt for a whole partition as it is kept, with the hash of the seal that was sent.
struct KeptReceipt: Hashable {
    let receipt: StorageReceipt
    /// `LogContradiction.sealHash(of:)`; nil where the seal went with an answer that was lost.
    let seal: Digest?
}

// MARK: - Codable

extension KeptReceipt: Codable {
    private enum Key: String, CodingKey {
        case seal
    }

    /// Reads a line; the seal is one more field of the receipt's own, and earlier versions wrote none.
    init(from decoder: any Decoder) throws {
        receipt = try StorageReceipt(from: decoder)
        seal = try decoder.container(keyedBy: Key.self).decodeIfPresent(Digest.self, forKey: .seal)
    }

    func encode(to encoder: any Encoder) throws {
        try receipt.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(seal, forKey: .seal)
    }
}
