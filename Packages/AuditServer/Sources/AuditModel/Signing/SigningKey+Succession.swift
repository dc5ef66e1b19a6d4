public import EventModel
public import EventProofs

extension SigningKey {
    /// The public halves of everything that is signed with the key, or with one that is derived from it.
    ///
    /// - Throws: `ProofError` when one is of no use, which a key that was made here never is.
    public var publicKeys: ServerKeys {
        get throws(ProofError) {
            // The key of checkpoints is the same whatever the log is called.
            let log = try logSigner(origin: KeySuccession.signerName).verifierKey.publicKey
            return try ServerKeys(
                receipts: publicKey,
                log: log,
                trail: trailKey.publicKey,
                exports: exportKey.publicKey
            )
        }
    }

    /// States that another key takes the place of this one.
    ///
    /// - Parameters:
    ///   - next: The other key.
    ///   - time: When.
    /// - Returns: The statement, signed by both.
    /// - Throws: `ProofError` for the same key; whatever the system's cryptography throws when it cannot sign.
    public func succession(to next: SigningKey, at time: EventInstant) throws -> KeySuccession {
        try KeySuccession(
            from: publicKeys,
            to: next.publicKeys,
            at: time,
            signedBy: [StatementSigner(key: self), StatementSigner(key: next)]
        )
    }

    /// Countersigns what a device claims of its key.
    ///
    /// - Parameters:
    ///   - claim: The claim, which names this key.
    ///   - time: When it was received.
    /// - Returns: The registration.
    /// - Throws: `ProofError` for a claim that names another key; whatever the system's cryptography throws when it cannot sign.
    package func registration(of claim: DeviceKeyClaim, at time: EventInstant) throws -> DeviceRegistration {
        try DeviceRegistration(claim, receivedAt: time, signedBy: StatementSigner(key: self))
    }

    /// Signs statements about keys, which no receipt can be taken for.
    private struct StatementSigner: NoteSigner {
        let key: SigningKey
        let verifierKey: NoteVerifierKey

        init(key: SigningKey) throws(ProofError) {
            self.key = key
            verifierKey = try NoteVerifierKey(
                name: KeySuccession.signerName,
                algorithm: .ed25519,
                publicKey: key.publicKey
            )
        }

        func signature(for message: [UInt8]) throws -> [UInt8] { try key.sign(message) }
    }
}
