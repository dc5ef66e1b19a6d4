public import EventModel
public import EventProofs

/// What a witness knows of all logs, and what it decides of a checkpoint: a pure state machine.
///
/// ```
///  request ──▶ decide ──▶ cosign: what is known now is stored first, then the cosignature is made
///                    └──▶ refuse: nothing that is known of the log's size and root changes
/// ```
/// Whoever owns one lets it decide one request after another, or a smaller checkpoint could take the place of a larger one.
public struct Witness: Sendable, Hashable {
    /// How many logs a witness knows at most: all of them are in one file.
    public static let maximumLogs = 100
    /// How many keys a log has at most.
    public static let maximumKeys = 16
    /// How many bytes the text of a checkpoint has at most: 16 KiB, which extension lines fill and nothing else.
    public static let maximumTextBytes = 16_384

    /// The logs, in the order in which they were added.
    public internal(set) var logs: [WitnessedLog] = []

    /// Creates a witness that knows no log.
    public init() {}

    /// Adds a log, or another key to a log that is known.
    ///
    /// - Parameters:
    ///   - key: The log's key.
    ///   - origin: The log's origin; nil for the name of the key, which it should be.
    /// - Throws: ``WitnessError/tooMany(of:limit:)`` when there are too many logs, or keys of this one, and
    ///   ``WitnessError/unusable(reason:)`` when the origin cannot be that of a checkpoint.
    public mutating func add(_ key: NoteVerifierKey, origin: ExactText? = nil) throws(WitnessError) {
        let origin = origin ?? key.name
        do throws(ProofError) {
            _ = try Checkpoint(origin: origin, size: 0, root: MerkleHash.empty)
        } catch {
            throw .unusable(reason: error.description)
        }
        guard let place = logs.firstIndex(where: { $0.origin == origin }) else {
            guard logs.count < Self.maximumLogs else { throw .tooMany(of: "logs", limit: Self.maximumLogs) }
            logs.append(WitnessedLog(origin: origin, key: key))
            return
        }
        guard !logs[place].keys.contains(key) else { return }
        guard logs[place].keys.count < Self.maximumKeys else {
            throw .tooMany(of: "keys of one log", limit: Self.maximumKeys)
        }
        logs[place].keys.append(key)
    }

    /// What is to be done with a request.
    public enum Decision: Sendable, Hashable {
        /// The checkpoint is cosigned with the time, after what the witness knows now was stored.
        case cosign(Checkpoint, at: EventInstant)
        /// It is not; what the witness knows is stored if it changed.
        case refuse(WitnessRefusal)
    }

    /// Decides of a request, and notes what it shows.
    ///
    /// - Parameters:
    ///   - body: The body of `add-checkpoint`.
    ///   - time: The wall time.
    /// - Returns: What is to be done.
    /// - Complexity: O(*n*) in the bytes of the body, and a verification for each signature of the log.
    public mutating func decide(_ body: [UInt8], at time: EventInstant) -> Decision {
        let request: WitnessRequest
        do throws(ProofError) {
            request = try WitnessRequest(body)
        } catch {
            return .refuse(.malformed(error.description))
        }
        let checkpoint = request.signed.checkpoint
        guard checkpoint.text.string.utf8.count <= Self.maximumTextBytes else {
            return .refuse(.malformed("The text of the checkpoint has more than \(Self.maximumTextBytes) bytes."))
        }
        guard let place = logs.firstIndex(where: { $0.origin == checkpoint.origin }) else {
            return .refuse(.unknownOrigin)
        }
        guard let signed = Self.signed(request.signed, by: logs[place].keys) else { return .refuse(.unsigned) }
        let log = logs[place]
        guard request.oldSize <= checkpoint.size else {
            return .refuse(.malformed("The old size is beyond that of the checkpoint."))
        }
        guard request.oldSize == log.size else { return .refuse(.otherSize(known: log.size)) }
        if checkpoint.size == log.size, checkpoint.root != log.root {
            if let last = log.last, log.contradiction == nil {
                logs[place].contradiction = WitnessedLog.Contradiction(cosigned: last, shown: signed)
            }
            return .refuse(.otherRoot)
        }
        let proof = ConsistencyProof(first: log.size, second: checkpoint.size, path: request.proof)
        guard proof.verify(firstRoot: log.root, secondRoot: checkpoint.root) else { return .refuse(.inconsistent) }
        // A cosignature says what was the largest at its time; an earlier time than the last one's would be a lie.
        guard let microseconds = UInt64(exactly: time.microseconds), microseconds / 1_000_000 >= log.cosignedSeconds
        else {
            return .refuse(.clockBehind)
        }
        logs[place].last = signed
        logs[place].cosignedSeconds = microseconds / 1_000_000
        return .cosign(checkpoint, at: time)
    }

    /// Returns the checkpoint with the signatures of its log alone; nil when there is none, or one that its key did not make.
    private static func signed(_ signed: SignedCheckpoint, by keys: [NoteVerifierKey]) -> SignedCheckpoint? {
        do throws(ProofError) {
            let verified = try signed.note.signatures(by: keys).map(\.key)
            let own = signed.note.signatures.filter { line in
                verified.contains { $0.id == line.keyID && $0.name == line.name }
            }
            return try SignedCheckpoint(SignedNote(text: signed.note.text, signatures: own))
        } catch {
            // A note without a signature of the log's, which is what nil says.
            return nil
        }
    }
}
