package import AuditModel
package import EventModel
import EventProofs

extension PartitionProving {
    /// Compares when an event was received, as it is shown, with the receipt that the server signed for its stretch.
    ///
    /// - Parameters:
    ///   - stored: The event.
    ///   - record: Its partition.
    ///   - keys: The public keys of the server, that of now and earlier ones.
    /// - Returns: What is wrong, a sentence without its end; nil when nothing is, or a version stored the event that kept no receipts.
    /// - Throws: `unavailable` when the storage fails, or a hash is missing or damaged.
    /// - Complexity: O(log *n*) hashes are read.
    package func timeProblem(
        of stored: StoredEvent,
        in record: PartitionRecord,
        signedBy keys: [[UInt8]]
    ) async throws -> String? {
        if stored.mark == .unsigned { return nil }
        let address = EventAddress(partition: stored.partition, sequence: stored.sequence)
        guard let end = try await stretchEnd(of: address) else { return "its time of receipt is not signed" }
        let different = "its time of receipt is not the one that this server signed"
        guard case .end(let receipt) = end.mark, keys.contains(receipt.publicKey), let received = stored.received,
            let frontier = MerkleFrontier(
                count: end.sequence,
                peaks: try await hashes(of: MerkleNode.peaks(of: end.sequence), in: stored.partition)
            )
        else { return different }
        let statement = StorageReceipt(
            receipt,
            of: record.owner,
            partition: stored.partition,
            through: end.sequence,
            root: frontier.root,
            at: received
        )
        return statement.isSigned ? nil : different
    }
}

extension StorageReceipt {
    /// What the server signed, made again from what is kept of it and what the events say.
    package init(
        _ kept: StretchReceipt,
        of owner: EventOwner,
        partition: PartitionID,
        through sequence: UInt64,
        root: Digest,
        at received: EventInstant
    ) {
        self.init(
            app: owner.app,
            user: owner.user,
            partition: partition,
            durableThrough: sequence,
            root: root,
            isSealed: kept.isSealed,
            issued: received,
            publicKey: kept.publicKey,
            signature: kept.signature
        )
    }

    /// Whether the signature belongs to the rest and to the key.
    package var isSigned: Bool { EdwardsSignature.isValid(signature, for: canonicalBytes, by: publicKey) }
}
