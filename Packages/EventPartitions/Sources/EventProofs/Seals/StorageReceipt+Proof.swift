public import EventModel

extension StorageReceipt {
    /// Checks that the signature belongs to the fields and to ``publicKey``.
    ///
    /// Whether that key is the server's own is for the caller to know.
    ///
    /// - Throws: ``ProofError/invalidReceipt(partition:)`` when it does not.
    public func verifySignature() throws(ProofError) {
        guard EdwardsSignature.isValid(signature, for: canonicalBytes, by: publicKey) else {
            throw .invalidReceipt(partition: partition)
        }
    }
}
