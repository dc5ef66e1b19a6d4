package import EventModel

/// The upload of one partition as a state machine: takes what happened, answers what to do next, does nothing itself.
///
/// The owner performs each action and calls the method that names its outcome. No action but `delete` removes
/// anything, and `delete` follows only a proof that was accepted and covers the seal.
package struct PartitionUpload: Sendable {
    /// What is remembered of a stretch while its proof is awaited.
    private struct Sent {
        let stretchRoot: Digest
        let first: UInt64
        let last: UInt64
        let count: Int
        let byteCount: Int

        init(_ stretch: PartitionStretch) {
            stretchRoot = stretch.root
            first = stretch.firstSequence
            last = stretch.lastSequence
            count = stretch.events.count
            byteCount = stretch.events.bytes.count
        }
    }

    private enum State {
        case idle
        case reading
        case sending(Sent)
        case acknowledging(Sent, DurabilityProof)
        case waiting
        case deleting
        case over
    }

    /// The partition.
    package let partition: PartitionID
    /// The highest sequence that an accepted proof covered; never goes back.
    package private(set) var provenThrough: UInt64 = 0
    /// Whether the partition is still written to, as far as is known.
    package var isCurrent: Bool { sealedCount == nil }
    /// How many events the partition was sealed with; nil while it is not known to be sealed.
    private var sealedCount: UInt64?
    private var state = State.idle
    private var backoff: Backoff
    private var byteBudget: Int
    private var knownCount: UInt64 = 0
    private var next: UInt64 = 1
    private let fraction: @Sendable () -> Double

    /// Creates the upload of a partition.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - limits: The bounds of a stretch and of pauses.
    ///   - fraction: Gives random numbers from 0 to 1 for the jitter.
    package init(partition: PartitionID, limits: UploadLimits, fraction: @escaping @Sendable () -> Double) {
        self.partition = partition
        backoff = Backoff(minimum: limits.minimumBackoff, maximum: limits.maximumBackoff)
        byteBudget = limits.maximumStretchBytes
        self.fraction = fraction
    }

    // MARK: - Inputs

    /// Returns whether something can happen now; whatever else happens is a mistake of the owner and traps.
    package func expects(_ input: Input) -> Bool {
        switch (state, input) {
        case (.idle, .begin), (.reading, .read), (.reading, .failLocally), (.sending, .receive), (.sending, .fail),
            (.acknowledging, .acknowledge), (.acknowledging, .refuseProof), (.waiting, .wait),
            (.waiting, .failLocally), (.deleting, .delete), (.deleting, .failLocally), (.deleting, .refuseDeletion):
            true
        default:
            false
        }
    }

    /// Starts with what is known of the partition.
    package mutating func begin(_ summary: PartitionSummary) -> Action {
        expect(.begin)
        provenThrough = summary.acknowledgedThrough
        return look(summary)
    }

    /// Takes what was read.
    package mutating func didRead(_ stretch: PartitionStretch) -> Action {
        expect(.read)
        if let seal = stretch.seal { sealedCount = seal.count }
        if stretch.events.isEmpty, stretch.seal == nil {
            guard isCurrent, next > knownCount else {
                return waitLocally(reason: "it holds no event or seal where its summary promises one")
            }
            state = .over
            return .rest
        }
        state = .sending(Sent(stretch))
        return .send(stretch)
    }

    /// Takes the server's answer.
    package mutating func didReceive(_ proof: DurabilityProof) -> Action {
        guard case .sending(let sent) = state else { unexpected(.receive) }
        guard proof.partition == partition, proof.durableThrough < .max else {
            return fail(TransportError(.malformedAnswer, message: "The proof is not of this partition."), sent)
        }
        guard proof.isReceipted else {
            return fail(TransportError(.untrustedServer, message: "The server does not sign what it says."), sent)
        }
        state = .acknowledging(sent, proof)
        return .acknowledge(proof)
    }

    /// Takes that the source has compared the roots and noted the proof.
    ///
    /// A proof of the whole leads to deletion at once, whichever stretch it answers: were the server asked again, it
    /// could say that it was restored from a backup, and a device that fails to note that would delete what is lost.
    package mutating func didAcknowledge() -> Action {
        guard case .acknowledging(let sent, let proof) = state else { unexpected(.acknowledge) }
        provenThrough = max(provenThrough, proof.durableThrough)
        next = proof.durableThrough + 1
        if proof.isSealed, proof.durableThrough == sealedCount {
            state = .deleting
            return .delete
        }
        guard proof.durableThrough >= sent.first else {
            // Lower than what was sent: resume there, but not in a tight loop with a server that keeps nothing.
            return wait(report: nil, for: .partition)
        }
        backoff.reset()
        return read()
    }

    /// Takes that the source did not note the proof.
    ///
    /// When the proof covers exactly what was sent and has its root, the roots agree and something else went wrong;
    /// otherwise the server holds other events, and the partition is set aside.
    package mutating func didRefuseProof(reason: String) -> Action {
        guard case .acknowledging(let sent, let proof) = state else { unexpected(.refuseProof) }
        if proof.durableThrough == sent.last, proof.root == sent.stretchRoot {
            return waitLocally(reason: reason)
        }
        return quarantine("the server's proof does not agree with it: \(reason)")
    }

    /// Takes that the stretch was not proven.
    package mutating func didFail(_ error: TransportError) -> Action {
        guard case .sending(let sent) = state else { unexpected(.fail) }
        return fail(error, sent)
    }

    private mutating func fail(_ error: TransportError, _ sent: Sent) -> Action {
        switch error.code.remedy {
        case .retry:
            // Being offline is no error; an answer that the protocol does not know is one.
            let isOdd = error.code != .unreachable && error.code != .unavailable
            return wait(
                report: isOdd ? .partitionDelayed(partition, error) : nil,
                for: error.code == .unreachable ? .network : .server,
                retryAfter: error.retryAfter
            )
        case .refreshToken:
            // The transport has refreshed already: the user must log in again.
            return wait(report: .partitionDelayed(partition, error), for: .signIn, retryAfter: error.retryAfter)
        case .split:
            guard sent.count > 1 else {
                return quarantine("event \(sent.first) alone is larger than the server takes")
            }
            byteBudget = max(1, sent.byteCount / 2)
            return read()
        case .splitOrRetry:
            // Who is in between may be gone tomorrow, so that one event alone is not set aside for it.
            guard sent.count > 1 else {
                return wait(report: .partitionDelayed(partition, error), for: .partition, retryAfter: error.retryAfter)
            }
            byteBudget = max(1, sent.byteCount / 2)
            return read()
        case .quarantine:
            return quarantine("\(error)")
        case .stop:
            state = .over
            return .stop(.partitionStopped(partition, error))
        }
    }

    /// Takes that reading, noting or deleting failed on this device.
    package mutating func didFailLocally(reason: String) -> Action {
        expect(.failLocally)
        return waitLocally(reason: reason)
    }

    /// Takes that the pause is over.
    ///
    /// - Parameter summary: What is known of the partition now; nil when it is gone.
    /// - Returns: What to do next.
    package mutating func didWait(_ summary: PartitionSummary?) -> Action {
        expect(.wait)
        guard let summary else {
            state = .over
            return .rest
        }
        return look(summary)
    }

    /// Takes that the partition is deleted.
    package mutating func didDelete() -> Action {
        expect(.delete)
        state = .over
        return .rest
    }

    /// Takes that the server is not believed any more, so that nothing may be deleted.
    package mutating func didRefuseDeletion(_ error: TransportError) -> Action {
        expect(.refuseDeletion)
        state = .over
        return .stop(.partitionStopped(partition, error))
    }

    // MARK: - Steps

    private mutating func look(_ summary: PartitionSummary) -> Action {
        sealedCount = summary.isSealed ? summary.count : nil
        knownCount = summary.count
        next = summary.acknowledgedThrough + 1
        guard summary.needsUpload else {
            state = .over
            return .rest
        }
        if summary.isSealed, summary.isSealAcknowledged, summary.acknowledgedThrough == summary.count {
            // Proven as a whole before, but the process ended or the deletion failed.
            state = .deleting
            return .delete
        }
        return read()
    }

    private mutating func read() -> Action {
        state = .reading
        return .read(from: next, maximumBytes: byteBudget)
    }

    private mutating func waitLocally(reason: String) -> Action {
        wait(report: .partitionFailed(partition, reason: reason), for: .partition)
    }

    private mutating func wait(
        report error: SyncTransportError?,
        for pause: Pause,
        retryAfter: Duration? = nil
    ) -> Action {
        state = .waiting
        let isFirst = backoff.attempts == 0
        let duration = backoff.next(fraction: fraction(), retryAfter: retryAfter)
        return .wait(duration, report: isFirst ? error : nil, for: pause)
    }

    private mutating func quarantine(_ reason: String) -> Action {
        state = .over
        return .quarantine(.partitionQuarantined(partition, reason: reason))
    }

    private func expect(_ input: Input) {
        if !expects(input) { unexpected(input) }
    }

    private func unexpected(_ input: Input) -> Never {
        preconditionFailure("The upload of a partition got the input '\(input)' in the state \(state).")
    }
}

extension PartitionSummary {
    /// Whether something of the partition is to be sent: events, or the seal; a sealed one stays until it is deleted.
    var needsUpload: Bool {
        quarantineReason == nil && (isSealed || acknowledgedThrough < count)
    }
}
