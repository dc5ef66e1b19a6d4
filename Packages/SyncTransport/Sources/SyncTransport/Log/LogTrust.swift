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
    /// - Throws: `LogDoubt.unproven` when what is kept names no key.
    init(in record: LogRecord, or configured: WitnessPolicy?) throws(LogDoubt) {
        do {
            if let configured {
                present = configured
                past = try WitnessPolicy(origin: configured.origin, logKeys: configured.logKeys)
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

    /// Whether one of the log's keys has signed a checkpoint, whatever else is wrong with it.
    func isSigned(_ signed: SignedCheckpoint) -> Bool {
        do throws(ProofError) {
            return !(try signed.note.signatures(by: present.logKeys)).isEmpty
        } catch {
            return false
        }
    }
}
