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
    /// Uploads are counted in bytes of changes, downloads in entries and objects, which is what a server tells the number of.
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
    ///   - block: Is called from any thread, at once with what is known.
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

/// Ends progress notifications when it is invalidated, or let go.
public final class ProgressNotificationToken: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Ends them.
    public func invalidate() { end() }
}

/// Who is told of the progress of a session.
final class ProgressBoard: Sendable {
    private struct Listener {
        let direction: SyncSession.ProgressDirection
        let mode: SyncSession.ProgressMode
        /// Where it began.
        let start: SyncBoard.Facts
        let block: @Sendable (SyncSession.Progress) -> Void
        var told: SyncSession.Progress?

        func progress(_ facts: SyncBoard.Facts) -> SyncSession.Progress {
            let isFixed = mode == .forCurrentlyOutstandingWork
            let (done, whole): (Int, Int)
            switch direction {
            case .upload:
                done = facts.sentBytes - start.sentBytes
                let pending = isFixed ? start.unsentBytes : done + facts.unsentBytes
                whole = pending
            case .download:
                done = facts.position - start.position
                whole = (isFixed ? start.head : facts.head) - start.position
            }
            return SyncSession.Progress(
                transferredBytes: isFixed ? min(max(done, 0), max(whole, 0)) : max(done, 0),
                transferrableBytes: max(whole, 0)
            )
        }
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    func add(
        _ direction: SyncSession.ProgressDirection,
        _ mode: SyncSession.ProgressMode,
        _ facts: SyncBoard.Facts,
        _ block: @escaping @Sendable (SyncSession.Progress) -> Void
    ) -> ProgressNotificationToken {
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = Listener(direction: direction, mode: mode, start: facts, block: block)
            return state.last
        }
        look(at: facts)
        return ProgressNotificationToken { [weak self] in self?.state.withLock { $0.listeners[number] = nil } }
    }

    /// Tells those of whose direction something changed.
    func look(at facts: SyncBoard.Facts) {
        let due = state.withLock { state in
            var due: [(@Sendable (SyncSession.Progress) -> Void, SyncSession.Progress)] = []
            for (number, listener) in state.listeners.sorted(by: { $0.key < $1.key }) {
                let progress = listener.progress(facts)
                guard progress != listener.told else { continue }
                due.append((listener.block, progress))
                state.listeners[number]?.told = progress
                if listener.mode == .forCurrentlyOutstandingWork, progress.isTransferComplete {
                    state.listeners[number] = nil
                }
            }
            return due
        }
        for (block, progress) in due { block(progress) }
    }

    func end() { state.withLock { $0.listeners = [:] } }
}

extension SyncBoard.Facts {
    /// The bytes of changes that the server does not have yet.
    fileprivate var unsentBytes: Int { acknowledged < made ? pendingBytes : 0 }
}
