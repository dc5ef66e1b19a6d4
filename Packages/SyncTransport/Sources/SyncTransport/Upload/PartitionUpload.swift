package import EventModel

/// The upload of one partition as a state machine: takes what happened, answers what to do next, does nothing itself.
///
/// The owner performs each action and calls the method that names its outcome. No action but `delete` removes
/// anything, and `delete` follows only a proof that was accepted and covers the seal.
package struct PartitionUpload: Sendable {
    /// What the owner does next.
    package enum Action: Sendable, Equatable {
        /// Read events, then call `didRead` or `didFailLocally`.
        case read(from: UInt64, maximumBytes: Int)
        /// Send them, then call `didReceive` or `didFail`.
        case send(PartitionStretch)
        /// Offer the proof to the source, then call `didAcknowledge` or `didRefuseProof`.
        case acknowledge(DurabilityProof)
        /// Report the error if there is one, pause, look the partition up again, then call `didWait`.
        case wait(Duration, report: SyncTransportError?)
        /// Delete the partition, then call `didDelete` or `didFailLocally`.
        case delete
        /// Set the partition aside and report it; the upload is over.
        case quarantine(SyncTransportError)
        /// Report the error and leave the partition alone; the upload is over.
        case stop(SyncTransportError)
        /// Nothing is left to do for now; the upload is over.
        case rest
    }

    /// What is remembered of a stretch while its proof is awaited.
    private struct Sent {
        let stretchRoot: Digest
        let first: UInt64
        let last: UInt64
        let count: Int
        let byteCount: Int
        let sealedCount: UInt64?

        init(_ stretch: PartitionStretch) {
            stretchRoot = stretch.root
            first = stretch.firstSequence
            last = stretch.lastSequence
            count = stretch.events.count
            byteCount = stretch.events.bytes.count
            sealedCount = stretch.seal?.count
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
    package private(set) var isCurrent = true
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

    // MARK: - Events

    /// Starts with what is known of the partition.
    package mutating func begin(_ summary: PartitionSummary) -> Action {
        guard case .idle = state else { return unexpected("began") }
        provenThrough = summary.acknowledgedThrough
        return look(summary)
    }

    /// Takes what was read.
    package mutating func didRead(_ stretch: PartitionStretch) -> Action {
        guard case .reading = state else { return unexpected("was read") }
        if stretch.seal != nil { isCurrent = false }
        if stretch.events.isEmpty, stretch.seal == nil {
            guard isCurrent, next > knownCount else {
                return didFailLocally(reason: "it holds no event or seal where its summary promises one")
            }
            state = .over
            return .rest
        }
        state = .sending(Sent(stretch))
        return .send(stretch)
    }

    /// Takes the server's answer.
    package mutating func didReceive(_ proof: DurabilityProof) -> Action {
        guard case .sending(let sent) = state else { return unexpected("was answered") }
        guard proof.partition == partition, proof.durableThrough < .max else {
            return didFail(TransportError(.malformedAnswer, message: "The proof is not of this partition."))
        }
        state = .acknowledging(sent, proof)
        return .acknowledge(proof)
    }

    /// Takes that the source has compared the roots and noted the proof.
    package mutating func didAcknowledge() -> Action {
        guard case .acknowledging(let sent, let proof) = state else { return unexpected("was acknowledged") }
        provenThrough = max(provenThrough, proof.durableThrough)
        next = proof.durableThrough + 1
        if proof.isSealed, sent.sealedCount == proof.durableThrough {
            state = .deleting
            return .delete
        }
        guard proof.durableThrough >= sent.first else {
            // Lower than what was sent: resume there, but not in a tight loop with a server that keeps nothing.
            return wait(report: nil)
        }
        backoff.reset()
        return read()
    }

    /// Takes that the source did not note the proof.
    ///
    /// When the proof covers exactly what was sent and has its root, the roots agree and something else went wrong;
    /// otherwise the server holds other events, and the partition is set aside.
    package mutating func didRefuseProof(reason: String) -> Action {
        guard case .acknowledging(let sent, let proof) = state else { return unexpected("was refused a proof") }
        if proof.durableThrough == sent.last, proof.root == sent.stretchRoot {
            return didFailLocally(reason: reason)
        }
        return quarantine("the server's proof does not agree with it: \(reason)")
    }

    /// Takes that the stretch was not proven.
    package mutating func didFail(_ error: TransportError) -> Action {
        guard case .sending(let sent) = state else { return unexpected("failed") }
        switch error.code.remedy {
        case .retry:
            // Being offline is no error; an answer that the protocol does not know is one.
            let isOdd = error.code != .unreachable && error.code != .unavailable
            return wait(report: isOdd ? .partitionDelayed(partition, error) : nil, retryAfter: error.retryAfter)
        case .refreshToken:
            // The transport has refreshed already: the user must log in again.
            return wait(report: .partitionDelayed(partition, error), retryAfter: error.retryAfter)
        case .split:
            guard sent.count > 1 else {
                return quarantine("event \(sent.first) alone is larger than the server takes")
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
        wait(report: .partitionFailed(partition, reason: reason))
    }

    /// Takes that the pause is over.
    ///
    /// - Parameter summary: What is known of the partition now; nil when it is gone.
    /// - Returns: What to do next.
    package mutating func didWait(_ summary: PartitionSummary?) -> Action {
        guard case .waiting = state else { return unexpected("waited") }
        guard let summary else {
            state = .over
            return .rest
        }
        return look(summary)
    }

    /// Takes that the partition is deleted.
    package mutating func didDelete() -> Action {
        guard case .deleting = state else { return unexpected("was deleted") }
        state = .over
        return .rest
    }

    // MARK: - Steps

    private mutating func look(_ summary: PartitionSummary) -> Action {
        isCurrent = !summary.isSealed
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

    private mutating func wait(report error: SyncTransportError?, retryAfter: Duration? = nil) -> Action {
        state = .waiting
        let isFirst = backoff.attempts == 0
        return .wait(backoff.next(fraction: fraction(), retryAfter: retryAfter), report: isFirst ? error : nil)
    }

    private mutating func quarantine(_ reason: String) -> Action {
        state = .over
        return .quarantine(.partitionQuarantined(partition, reason: reason))
    }

    private func unexpected(_ event: String) -> Action {
        preconditionFailure("The upload of a partition \(event) in the state \(state).")
    }
}

extension PartitionSummary {
    /// Whether something of the partition is to be sent: events, or the seal; a sealed one stays until it is deleted.
    var needsUpload: Bool {
        quarantineReason == nil && (isSealed || acknowledgedThrough < count)
    }
}
