package import EventModel

extension PartitionUpload {
    /// What the owner does next.
    package enum Action: Sendable, Equatable {
        /// Read events, then call `didRead` or `didFailLocally`.
        case read(from: UInt64, maximumBytes: Int)
        /// Send them, then call `didReceive` or `didFail`.
        case send(PartitionStretch)
        /// Offer the proof to the source, then call `didAcknowledge` or `didRefuseProof`.
        case acknowledge(DurabilityProof)
        /// Report the error if there is one, pause, look the partition up again, then call `didWait` or `didFailLocally`.
        case wait(Duration, report: SyncTransportError?, for: Pause = .partition)
        /// Delete the partition, then call `didDelete` or `didFailLocally`; `didRefuseDeletion` where the server is not believed any more.
        case delete
        /// Set the partition aside and report it; the upload is over.
        case quarantine(SyncTransportError)
        /// Report the error and leave the partition alone; the upload is over.
        case stop(SyncTransportError)
        /// Nothing is left to do for now; the upload is over.
        case rest
    }

    /// What a pause waits for, which decides whether it may end early and who may go on meanwhile.
    package enum Pause: Sendable, Hashable {
        /// The server cannot be reached: ends early when the network is back; other partitions would fare the same.
        case network
        /// The user has to sign in: ends early when that happened; other partitions would fare the same.
        case signIn
        /// The server asked for a pause or answered oddly: lasts as long as it lasts; others would fare the same.
        case server
        /// This partition alone has a difficulty: others go on meanwhile.
        case partition
    }

    /// What can happen to an upload; each has its method.
    package enum Input: Sendable, Hashable, CaseIterable {
        /// `begin`.
        case begin
        /// `didRead`.
        case read
        /// `didReceive`.
        case receive
        /// `didFail`.
        case fail
        /// `didAcknowledge`.
        case acknowledge
        /// `didRefuseProof`.
        case refuseProof
        /// `didFailLocally`.
        case failLocally
        /// `didWait`.
        case wait
        /// `didDelete`.
        case delete
        /// `didRefuseDeletion`.
        case refuseDeletion
    }
}
