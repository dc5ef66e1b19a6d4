import Synchronization

extension SyncSession {
    /// How long somebody is told of progress.
    public enum ProgressMode: UInt, Sendable, Hashable {
        /// Until the token is invalidated; what is to be transferred may grow, so the fraction may fall.
        case reportIndefinitely
        /// Until what is to be transferred now has been.
        case forCurrentlyOutstandingWork
    }

    /// How much has been transferred, of how much.
    ///
    /// Uploads are counted in changes, downloads in entries, which is what a server tells the number of; the names are RealmSwift's.
    public struct Progress: Sendable, Hashable {
        /// How much has been transferred.
        public let transferredBytes: Int
        /// How much there is to transfer, with what has been.
        public let transferrableBytes: Int

        /// Counts progress.
        public init(transferredBytes: Int, transferrableBytes: Int) {
            self.transferredBytes = transferredBytes
            self.transferrableBytes = max(transferredBytes, transferrableBytes)
        }

        /// The part that has been transferred, from 0 to 1; 1 where there is nothing.
        public var progressEstimate: Double {
            transferrableBytes == 0 ? 1 : Double(transferredBytes) / Double(transferrableBytes)
        }

        /// The same as ``progressEstimate``.
        public var fractionTransferred: Double { progressEstimate }

        /// Whether everything has been transferred.
        public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
    }

    /// Tells somebody of progress until the token is invalidated, or let go.
    ///
    /// - Parameters:
    ///   - direction: Which way.
    ///   - mode: For how long.
    ///   - block: Is called on a queue of the sync, first with what is known.
    /// - Returns: The token; nil when the session is invalid, so that the block would never be called.
    public func addProgressNotification(
        for direction: ProgressDirection,
        mode: ProgressMode,
        block: @escaping @Sendable (Progress) -> Void
    ) -> ProgressNotificationToken? {
        guard state != .invalid else { return nil }
        return progress.add(direction, mode, board.facts, block)
    }
}
