public import AuditModel
public import EventModel
public import EventProofs

/// Asks one witness for cosignatures: one request after another, and never for more than the newest checkpoint.
///
/// Witnesses do not wait for each other, and nothing waits for them.
///
/// ```swift
/// if asker.isDue(for: newest, at: clock.now()) { await asker.ask(for: newest, of: cosigned, at: clock.now()) }
/// ```
public struct WitnessAsker: Sendable {
    /// After so long the same checkpoint is cosigned again, so that a log that rests can be seen to rest; in nanoseconds.
    static let renewalNanoseconds: UInt64 = 3_600_000_000_000
    /// The longest pause after failures, in seconds.
    static let longestPause: Int64 = 300

    /// The witness.
    public let address: WitnessAddress
    private let log: any SealLog
    private let transport: any OutsideTransport
    private var dialogue: WitnessDialogue
    private var last: (checkpoint: Checkpoint, nanoseconds: UInt64)?
    private var failures = 0

    /// Creates an asker that knows nothing of what the witness has seen; the witness tells.
    ///
    /// - Parameters:
    ///   - address: The witness.
    ///   - log: The log, which proofs are made from.
    ///   - transport: How the witness is reached.
    public init(_ address: WitnessAddress, log: any SealLog, transport: any OutsideTransport) {
        self.address = address
        self.log = log
        self.transport = transport
        dialogue = WitnessDialogue(with: address.key)
    }

    /// Returns whether the witness has not cosigned a checkpoint, or did so long ago.
    public func isDue(for signed: SignedCheckpoint, at reading: ClockReading) -> Bool {
        guard let last, last.checkpoint == signed.checkpoint else { return true }
        return reading.monotonicNanoseconds &- last.nanoseconds >= Self.renewalNanoseconds
    }

    /// How long to wait before the witness is asked again: a second, and ever longer while it fails, at most five minutes.
    public var pause: Duration {
        .seconds(failures == 0 ? 1 : min(Self.longestPause, 1 << Int64(min(failures, 20))))
    }

    /// Asks for a cosignature of a checkpoint, and adds it to those that there are.
    ///
    /// - Parameters:
    ///   - signed: The checkpoint, with the log's own signature.
    ///   - cosigned: Where cosignatures are gathered.
    ///   - reading: The time.
    /// - Returns: Why there is none; nil when there is one.
    @discardableResult
    public mutating func ask(
        for signed: SignedCheckpoint,
        of cosigned: CosignedLog,
        at reading: ClockReading
    ) async -> WitnessConcern? {
        let outcome = await outcome(for: signed, of: cosigned, at: reading)
        if case .cosigned = outcome { last = (signed.checkpoint, reading.monotonicNanoseconds) }
        var concern: WitnessConcern?
        if case .failed(let found) = outcome, await !isOvertaken(found) { concern = found }
        failures = concern == nil ? 0 : failures + 1
        cosigned.note(concern, of: address.key)
        return concern
    }

    private mutating func outcome(
        for signed: SignedCheckpoint,
        of cosigned: CosignedLog,
        at reading: ClockReading
    ) async -> WitnessDialogue.Outcome {
        // A size that it tells is believed once.
        for _ in 0..<2 {
            let outcome = await outcome(for: signed)
            if outcome == .askAgain { continue }
            guard case .cosigned(let line) = outcome else { return outcome }
            do throws(ProofError) {
                try cosigned.add(line, to: signed, at: reading)
                return outcome
            } catch {
                return .failed(.unreadable)
            }
        }
        return .failed(.unreadable)
    }

    /// Returns whether the database has what the witness has cosigned: another server on it was quicker, and the next checkpoint has it.
    private func isOvertaken(_ concern: WitnessConcern) async -> Bool {
        guard case .ahead(let size, _) = concern else { return false }
        do {
            return try await log.withLog(durably: false) { $0.count } >= size
        } catch {
            return false
        }
    }

    private mutating func outcome(for signed: SignedCheckpoint) async -> WitnessDialogue.Outcome {
        do {
            guard let request = try await request(for: signed) else { return .failed(.unprovable) }
            let limit = WitnessAnswer.maximumBytes
            let response = try await transport.post(
                request.bytes,
                as: "text/plain; charset=utf-8",
                to: address.submission,
                limit: limit
            )
            return dialogue.judge(response, to: signed)
        } catch let error as AuditServerError {
            return .failed(.unreachable(reason: "the database does not answer: \(error)"))
        } catch {
            return .failed(.unreachable(reason: String("\(error)".prefix(200))))
        }
    }

    /// Puts a request together; nil when the log is shorter than the checkpoint.
    private func request(for signed: SignedCheckpoint) async throws -> WitnessRequest? {
        let (first, second) = (min(dialogue.known, signed.checkpoint.size), signed.checkpoint.size)
        let proof = try await log.withLog(durably: false) { tree in
            tree.count >= second ? try tree.consistencyProof(from: first, to: second).path : nil
        }
        return try proof.map { try WitnessRequest(oldSize: first, proof: $0, signed: signed) }
    }
}
