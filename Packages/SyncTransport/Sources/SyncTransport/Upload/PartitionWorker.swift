import EventModel

/// Performs the actions of one partition's upload until it is over.
struct PartitionWorker: Sendable {
    /// How an upload ended.
    enum Ending: Sendable {
        /// Nothing is left to do, or the task was cancelled.
        case rested
        /// The partition is to be left alone until the uploader starts again.
        case stopped
        /// The partition has a difficulty of its own, and goes on after the pause.
        case postponed(PartitionUpload, Duration)
    }

    let source: any PartitionSource
    let transport: any EventTransport
    let limits: UploadLimits
    let reporting: UploadReporting
    let environment: UploadEnvironment
    let ledger: UploadLedger
    let pauses: UploadPauses
    /// What speaks against deleting anything now.
    let objection: @Sendable () -> LogDoubt?
    /// Called after each proof that was accepted.
    let didProve: @Sendable () -> Void
    /// Called when the user has to sign in, with the attempt that found it out.
    let needsSignIn: @Sendable (UploadPauses.Attempt) -> Void

    /// Uploads a partition.
    ///
    /// The source's file work blocks the thread, for one stretch or one deletion at a time.
    ///
    /// - Parameters:
    ///   - summary: What is known of the partition.
    ///   - postponed: The upload that is to go on after its pause, or nil to begin one.
    /// - Returns: How it ended.
    func upload(_ summary: PartitionSummary, resuming postponed: PartitionUpload?) async -> Ending {
        var machine =
            postponed
            ?? PartitionUpload(partition: summary.partition, limits: limits, fraction: environment.randomFraction)
        var action = postponed == nil ? machine.begin(summary) : machine.didWait(summary)
        var attempt = pauses.attempt
        while !Task.isCancelled {
            reporting.logger(.trace, "Events: \(summary.partition): \(action.name)")
            switch action {
            case .read(let sequence, let maximumBytes):
                action = read(&machine, from: sequence, maximumBytes: maximumBytes)
            case .send(let stretch):
                attempt = pauses.attempt
                action = await send(&machine, stretch)
            case .acknowledge(let proof):
                action = acknowledge(&machine, proof)
            case .delete:
                action = delete(&machine)
            case .wait(let pause, let error, let cause):
                didFail(machine, pause, report: error)
                if cause == .partition { return .postponed(machine, pause) }
                if cause == .signIn { needsSignIn(attempt) }
                let canEndEarly = cause == .network || cause == .signIn
                guard let next = await wait(&machine, pause, since: canEndEarly ? attempt : nil) else {
                    return .rested
                }
                action = next
            case .quarantine(let error):
                return quarantine(machine, error)
            case .stop(let error):
                ledger.didFail("\(error)")
                reporting.report(error, isCurrent: machine.isCurrent)
                return .stopped
            case .rest:
                return .rested
            }
        }
        return .rested
    }

    private func read(_ machine: inout PartitionUpload, from sequence: UInt64, maximumBytes: Int)
        -> PartitionUpload.Action
    {
        do {
            return machine.didRead(
                try source.read(machine.partition, from: sequence, maximumBytes: maximumBytes)
            )
        } catch {
            return machine.didFailLocally(reason: "\(error)")
        }
    }

    private func send(_ machine: inout PartitionUpload, _ stretch: PartitionStretch) async -> PartitionUpload.Action {
        ledger.willSend(byteCount: stretch.events.bytes.count)
        do {
            return machine.didReceive(try await transport.send(stretch))
        } catch {
            if !Task.isCancelled {
                ledger.didFail("\(error)")
                reporting.logger(.detail, "Events: \(stretch.partition): \(error)")
            }
            return machine.didFail(error)
        }
    }

    private func acknowledge(_ machine: inout PartitionUpload, _ proof: DurabilityProof) -> PartitionUpload.Action {
        do {
            try source.acknowledge(proof)
        } catch {
            return machine.didRefuseProof(reason: "\(error)")
        }
        let before = machine.provenThrough
        let action = machine.didAcknowledge()
        ledger.didProve(machine.provenThrough - before, of: machine.partition)
        didProve()
        return action
    }

    private func delete(_ machine: inout PartitionUpload) -> PartitionUpload.Action {
        switch objection() {
        case .contradicted(let error): return machine.didRefuseDeletion(error)
        case .some(let doubt): return machine.didFailLocally(reason: doubt.error?.description ?? "\(doubt)")
        case nil: break
        }
        do {
            try source.delete(machine.partition)
        } catch {
            return machine.didFailLocally(reason: "\(error)")
        }
        ledger.didDelete(machine.partition)
        reporting.logger(.info, "Events: \(machine.partition) is stored as a whole and was deleted.")
        return machine.didDelete()
    }

    private func didFail(_ machine: PartitionUpload, _ pause: Duration, report error: SyncTransportError?) {
        if let error {
            ledger.didFail("\(error)")
            reporting.report(error, isCurrent: machine.isCurrent)
        }
        ledger.willRetry()
        reporting.logger(.detail, "Events: \(machine.partition): trying again in \(pause).")
    }

    /// Pauses, with an attempt until somebody ends the pauses of that attempt; returns nil when the task was cancelled.
    private func wait(
        _ machine: inout PartitionUpload,
        _ pause: Duration,
        since attempt: UploadPauses.Attempt?
    ) async -> PartitionUpload.Action? {
        do {
            if let attempt {
                try await pauses.pause(pause, since: attempt, environment.sleep)
            } else {
                try await environment.sleep(pause)
            }
        } catch {
            return nil
        }
        do {
            return machine.didWait(try source.partitions().first { $0.partition == machine.partition })
        } catch {
            return machine.didFailLocally(reason: "\(error)")
        }
    }

    private func quarantine(_ machine: PartitionUpload, _ error: SyncTransportError) -> Ending {
        defer {
            ledger.didFail("\(error)")
            reporting.report(error, isCurrent: machine.isCurrent)
        }
        do {
            try source.quarantine(machine.partition, reason: "\(error)")
            ledger.didQuarantine()
            // Not stopped: the source may offer it again, in this run, too.
            return .rested
        } catch let failure {
            let local = SyncTransportError.partitionFailed(machine.partition, reason: "\(failure)")
            reporting.report(local, isCurrent: machine.isCurrent)
            return .stopped
        }
    }
}

extension PartitionUpload.Action {
    /// What the log says of the action.
    fileprivate var name: String {
        switch self {
        case .read(let sequence, let bytes): "reading from \(sequence), at most \(bytes) bytes"
        case .send(let stretch): "sending \(stretch.firstSequence) to \(stretch.lastSequence)"
        case .acknowledge(let proof): "the server holds up to \(proof.durableThrough)"
        case .wait(let pause, _, _): "waiting \(pause)"
        case .delete: "deleting"
        case .quarantine: "setting aside"
        case .stop: "stopping"
        case .rest: "nothing to do"
        }
    }
}
