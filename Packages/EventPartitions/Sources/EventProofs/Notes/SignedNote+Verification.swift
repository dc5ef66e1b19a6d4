public import EventModel

/// A signature of a note that a known key made.
public struct VerifiedSignature: Sendable, Hashable {
    /// The key.
    public let key: NoteVerifierKey
    /// When it cosigned, in seconds since 1970 by the cosigner's own clock; nil for a signature that has no time.
    public let cosignedSeconds: UInt64?

    /// When it cosigned; nil for a signature that has no time, or one that lies some 292,000 years away.
    public var cosigned: EventInstant? {
        guard let cosignedSeconds, let seconds = Int64(exactly: cosignedSeconds) else { return nil }
        let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
        return microseconds.overflow ? nil : EventInstant(microseconds: microseconds.partialValue)
    }
}

// MARK: - Verification

extension SignedNote {
    /// Says which of these keys signed the note.
    ///
    /// Signatures of other keys are passed over, also those that have only the name or only the id of one of these. When the answer
    /// is empty, nothing of the text may be believed.
    ///
    /// - Parameter keys: The keys that are trusted.
    /// - Returns: The signatures of these keys, in the order of their lines; several of one key when it cosigned several times.
    /// - Throws: ``ProofError/invalidNoteSignature(name:)`` when a line has the name and id of one of them, and its key did not
    ///   make it: the whole note is to be rejected.
    /// - Complexity: O(*n* · *k*), where *n* is the number of signatures and *k* that of keys; a verification for each match.
    public func signatures(by keys: [NoteVerifierKey]) throws(ProofError) -> [VerifiedSignature] {
        let message = Array(text.string.utf8)
        var verified: [VerifiedSignature] = []
        for signature in signatures {
            let known = keys.filter { $0.id == signature.keyID && $0.name == signature.name }
            guard !known.isEmpty else { continue }
            // Two keys may share name and id by bad luck; the first one that made it did.
            var found: VerifiedSignature?
            for key in known where found == nil { found = signature.verified(by: key, over: message) }
            guard let found else { throw .invalidNoteSignature(name: signature.name.string) }
            verified.append(found)
        }
        return verified
    }
}

extension NoteSignature {
    /// Returns what the key signed; nil when it did not.
    fileprivate func verified(by key: NoteVerifierKey, over text: [UInt8]) -> VerifiedSignature? {
        switch key.algorithm {
        case .ed25519:
            guard EdwardsSignature.isValid(bytes, for: text, by: key.publicKey) else { return nil }
            return VerifiedSignature(key: key, cosignedSeconds: nil)
        case .cosignature:
            guard let cosignature = Cosignature(bytes), cosignature.isValid(over: text, by: key.publicKey) else {
                return nil
            }
            return VerifiedSignature(key: key, cosignedSeconds: cosignature.seconds)
        }
    }
}
