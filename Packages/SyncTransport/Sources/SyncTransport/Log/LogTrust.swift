import EventProofs

/// Whom a look believes: for what the log shows now, and for what was believed before.
struct LogTrust {
    /// Who has to have signed and cosigned what the log shows.
    let present: WitnessPolicy
    /// Who may have signed what was believed once: also a key that another one has followed, and nobody is asked for more cosignatures.
    let past: WitnessPolicy

    /// Reads it from what is kept of a log.
    ///
    /// - Parameters:
    ///   - record: What is kept.
    ///   - configured: What the app says, which counts alone.
    ///   - history: How the server's keys followed each other, where that is believed for the log of a configured policy.
    /// - Throws: `LogDoubt.unproven` when what is kept names no key.
    init(
        in record: LogRecord,
        or configured: WitnessPolicy?,
        following history: KeyHistory
    ) throws(LogDoubt) {
        do {
            if let configured {
                (present, past) = try Self.followed(configured, history)
                return
            }
            let key = try NoteVerifierKey(parsing: record.key)
            var former: [NoteVerifierKey] = []
            for text in record.formerKeys ?? [] { former.append(try NoteVerifierKey(parsing: text)) }
            present = try WitnessPolicy(logKeys: [key])
            past = try WitnessPolicy(origin: key.name, logKeys: [key] + former)
        } catch {
            throw .unproven("what this device kept of it names no key: \(error)")
        }
    }

    /// Puts the keys that followed those of a policy in their place; the witnesses and their quorum stay what the app says.
    private static func followed(
        _ policy: WitnessPolicy,
        _ history: KeyHistory
    ) throws(ProofError) -> (present: WitnessPolicy, past: WitnessPolicy) {
        let known = policy.logKeys.map(\.publicKey)
        let all = history.former.map(\.log) + (history.present.map { [$0.log] } ?? [])
        // A history of another log says nothing of this one.
        let first = all.firstIndex(where: known.contains) ?? all.endIndex
        var (keys, before): ([NoteVerifierKey], [NoteVerifierKey]) = (policy.logKeys, [])
        for (index, key) in all.enumerated() where first < all.endIndex && !known.contains(key) {
            let named = try NoteVerifierKey(name: policy.origin, algorithm: .ed25519, publicKey: key)
            if index > first { keys.append(named) } else { before.append(named) }
        }
        let gone = first < all.endIndex ? all.dropLast() : []
        return (
            try WitnessPolicy(
                origin: policy.origin,
                logKeys: keys.filter { !gone.contains($0.publicKey) },
                witnesses: policy.witnesses,
                quorum: policy.quorum
            ), try WitnessPolicy(origin: policy.origin, logKeys: keys + before)
        )
    }

    /// Whether one of the log's keys has signed a checkpoint, whatever else is wrong with it.
    func isSigned(_ signed: SignedCheckpoint) -> Bool {
        do throws(ProofError) {
            return !(try signed.note.signatures(by: present.logKeys)).isEmpty
        } catch {
            return false
        }
    }
}
