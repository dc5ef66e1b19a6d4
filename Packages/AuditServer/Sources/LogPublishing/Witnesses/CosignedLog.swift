public import EventModel
public import EventProofs
import Synchronization

/// What the witnesses of a log have cosigned, and which checkpoint readers are shown because of it.
///
/// Safe to use from any thread; readers wait for nothing but each other's memory.
///
/// ```swift
/// let cosigned = try CosignedLog(settings, of: publisher.verifierKey)
/// cosigned.advance(to: newest, at: clock.now())
/// let checkpoint = cosigned.shown
/// ```
public final class CosignedLog: Sendable {
    /// The witnesses, and how many of them are enough.
    public let settings: WitnessSettings
    /// Whom the log believes by them.
    public let policy: WitnessPolicy
    /// Whom it believes what was kept before the log's key took the place of another.
    let past: WitnessPolicy

    private struct State: Sendable {
        var cosignatures: Cosignatures
        var newest: SignedCheckpoint?
        var shown = ShownCheckpoint()
        var concerns: [NoteVerifierKey: WitnessConcern] = [:]

        mutating func decide(_ reading: ClockReading, _ settings: WitnessSettings) {
            guard let newest else { return }
            shown.decide(
                newest: cosignatures.of(newest),
                cosigned: settings.quorum > 0 ? cosignatures.cosigned : nil,
                at: reading.monotonicNanoseconds,
                patience: UInt64(settings.seconds) * 1_000_000_000
            )
        }
    }

    private let state: Mutex<State>

    /// Creates a log that nothing was cosigned of.
    ///
    /// - Parameters:
    ///   - settings: Its witnesses.
    ///   - key: The log's own key.
    ///   - formerKeys: The keys that it took the place of; none by default.
    /// - Throws: `ProofError.unusablePolicy` when a witness has the log's key.
    public init(
        _ settings: WitnessSettings,
        of key: NoteVerifierKey,
        formerKeys: [NoteVerifierKey] = []
    ) throws(ProofError) {
        self.settings = settings
        let policy = try settings.policy(of: key)
        past = try settings.policy(of: key, formerKeys)
        self.policy = policy
        state = Mutex(State(cosignatures: Cosignatures(by: policy)))
    }

    // MARK: Reading

    /// The checkpoint for readers; nil before anything was published.
    ///
    /// It is the newest that has a quorum, or the newest of all when no quorum came for ``WitnessSettings/seconds``, or none is asked for.
    public var shown: SignedCheckpoint? { state.withLock { $0.shown.signed } }

    /// The newest checkpoint that has a quorum; nil before there is one.
    public var cosigned: CosignedCheckpoint? { state.withLock { $0.cosignatures.cosigned } }

    /// The newest checkpoint, with the cosignatures that it has so far.
    public var newest: SignedCheckpoint? { state.withLock { state in state.newest.map { state.cosignatures.of($0) } } }

    /// What is wrong with witnesses, and with the quorum, in sentences, in the order of the configuration; empty when all is well.
    public var concerns: [String] {
        let (concerns, isCosigned, isPublished) = state.withLock {
            ($0.concerns, $0.shown.isCosigned, $0.shown.signed != nil)
        }
        var sentences = settings.addresses.compactMap { address in
            concerns[address.key].map { "The witness \(address.key.name) \($0)" }
        }
        if settings.quorum > 0, isPublished, !isCosigned {
            sentences.append(
                "The newest checkpoint of the log has not been cosigned by \(settings.quorum) witnesses yet."
            )
        }
        return sentences
    }

    // MARK: Writing

    /// Takes up what an earlier process had gathered.
    func restore(_ cosigned: CosignedCheckpoint, at reading: ClockReading) {
        state.withLock { state in
            state.cosignatures = Cosignatures(by: policy, from: cosigned)
            state.decide(reading, settings)
        }
    }

    /// Notes the newest checkpoint, and the time.
    public func advance(to newest: SignedCheckpoint, at reading: ClockReading) {
        state.withLock { state in
            state.newest = newest
            state.decide(reading, settings)
        }
    }

    /// Adds what a witness answered.
    ///
    /// - Throws: As `WitnessPolicy.verify`, but not when there are too few cosignatures yet; nothing is added then.
    func add(_ line: NoteSignature, to signed: SignedCheckpoint, at reading: ClockReading) throws(ProofError) {
        try state.withLock { state throws(ProofError) in
            try state.cosignatures.add(line, to: signed)
            state.decide(reading, settings)
        }
    }

    /// Notes what is wrong with a witness; nil when nothing is.
    func note(_ concern: WitnessConcern?, of witness: NoteVerifierKey) {
        state.withLock { $0.concerns[witness] = concern }
    }
}
