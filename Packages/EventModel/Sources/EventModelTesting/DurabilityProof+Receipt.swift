public import EventModel

extension DurabilityProof {
    /// The same proof with a receipt of its words, whose signature is only bytes.
    ///
    /// What checks no signatures takes it for signed; a proof of nothing stays without one.
    public var receipted: DurabilityProof {
        guard durableThrough > 0 || isSealed else { return self }
        return DurabilityProof(
            partition: partition,
            durableThrough: durableThrough,
            root: root,
            isSealed: isSealed,
            receipt: StorageReceipt(
                app: "sample",
                user: "sample",
                partition: partition,
                durableThrough: durableThrough,
                root: root,
                isSealed: isSealed,
                issued: EventInstant(microseconds: 1_700_000_000_000_000),
                publicKey: [UInt8](repeating: 1, count: 32),
                signature: [UInt8](repeating: 2, count: 64)
            )
        )
    }
}
