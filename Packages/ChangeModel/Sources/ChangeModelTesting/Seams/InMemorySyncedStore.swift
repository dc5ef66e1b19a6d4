public import ChangeModel
public import EventModel
import Synchronization

/// A file of objects in memory that syncs: an honest implementation of the seam, over ``OverlayDevice``.
public final class InMemorySyncedStore: SyncedStore {
    fileprivate struct State {
        var sync: SyncState
        var device = OverlayDevice(file: 0)
        var readings: [Int: ClockReading] = [:]
        /// The time of the last own change that is not pending any more.
        var settled = HybridClock.zero
        /// The latest time that entries brought.
        var heard = HybridClock.zero
        var pages: [SnapshotObject] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state: Mutex<State>

    /// Creates an empty file that was never bound.
    public init(schemaHash: Digest = .sample) {
        state = Mutex(State(sync: SyncState(chain: .sample, schemaHash: schemaHash)))
    }

    deinit { close() }

    /// What an app sees.
    public var contents: RealmContents { state.withLock { $0.device.contents } }

    /// Compares what is kept with what the server has at the position, see ``OverlayDevice/violations(of:)``.
    public func violations(of server: RealmContents) -> [String] {
        state.withLock { $0.device.violations(of: server) }
    }

    /// Commits as an app does.
    public func commit(_ operations: [ChangeOperation], reading: ClockReading, isAtomic: Bool = false) {
        let listeners = state.withLock { state in
            state.device.commit(
                operations,
                wallMilliseconds: reading.wall.microseconds / 1000,
                isAtomic: isAtomic
            )
            state.readings[state.sync.nextNumber] = reading
            state.sync.nextNumber += 1
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    /// Ends the streams of commits.
    public func close() {
        let listeners = state.withLock { state in
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.finish() }
    }
}

// MARK: - State

extension InMemorySyncedStore {
    /// Returns how far the file has come.
    public func syncState() -> SyncState {
        state.withLock { state in
            var sync = state.sync
            sync.position = state.device.position
            sync.clock = state.device.clock
            sync.pendingChanges = state.device.pending.count
            sync.pendingBytes = state.device.pending.reduce(0) { $0 + $1.change.body.count }
            return sync
        }
    }

    /// Keeps what the server knows the file by.
    public func bind(_ binding: FileBinding) throws {
        try state.withLock { state in
            if let known = state.sync.binding {
                guard known.history == binding.history else { throw ChangeModelError.failed(.historyChanged) }
                guard known == binding else { throw ChangeModelError.failed(.fileInUse) }
            }
            state.sync.binding = binding
            state.device.file = binding.file
        }
    }

    /// Returns a stream that tells of commits; it keeps one element and ends with the file.
    public func commits() -> AsyncStream<Void> {
        let (stream, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listeners.append(listener) }
        return stream
    }
}

// MARK: - Uploading

extension InMemorySyncedStore {
    /// Returns changes that wait for their entries.
    public func pendingChanges(after number: Int, limit bytes: Int) -> [PendingChange] {
        state.withLock { state in
            var left = bytes
            var changes: [PendingChange] = []
            for own in state.device.pending where own.change.number > number {
                let body = own.change.body
                guard body.count <= left || changes.isEmpty, let reading = state.readings[own.change.number] else {
                    break
                }
                left -= body.count
                changes.append(PendingChange(number: own.change.number, body: body, reading: reading))
            }
            return changes
        }
    }

    /// Gives the changes that were never sent the times of the server's clock.
    public func correctClocks(_ correction: StampCorrection) {
        state.withLock { state in
            let sent = state.sync.sent
            let before = state.device.pending.last { $0.change.number <= sent }?.change.clock ?? state.settled
            var last = before
            var clocks: [Int: HybridClock] = [:]
            for number in state.device.pending.map(\.change.number) where number > sent {
                guard let reading = state.readings[number] else { continue }
                last = correction.clock(of: reading, after: last)
                clocks[number] = last
            }
            state.device.correct(clocks, last: last.hearing(state.heard))
        }
    }

    /// Notes that changes are about to be sent.
    public func noteSent(through number: Int) throws {
        try state.withLock { state in
            guard number < state.sync.nextNumber else {
                throw ChangeModelError.gap(expected: state.sync.nextNumber, found: number)
            }
            state.sync.sent = max(state.sync.sent, number)
        }
    }

    /// Notes that the server has changes.
    public func acknowledge(through number: Int, chain: Digest) throws {
        try state.withLock { state in
            guard number < state.sync.nextNumber else {
                throw ChangeModelError.gap(expected: state.sync.nextNumber, found: number)
            }
            guard number > state.sync.acknowledged else { return }
            state.sync.acknowledged = number
            state.sync.sent = max(state.sync.sent, number)
            state.sync.chain = chain
        }
    }
}

// MARK: - Downloading

extension InMemorySyncedStore {
    /// Integrates entries, all or none.
    public func integrate(_ entries: [Entry]) throws -> Integrated {
        try state.withLock { state in
            let file = state.sync.binding?.file
            for (index, entry) in entries.enumerated() {
                let expected = state.device.position + 1 + index
                guard entry.number == expected else {
                    throw ChangeModelError.gap(expected: expected, found: entry.number)
                }
                guard entry.change.file != file || entry.change.number <= state.sync.acknowledged else {
                    throw ChangeModelError.gap(expected: state.sync.acknowledged, found: entry.change.number)
                }
            }
            var rejected: [Integrated.RejectedWrite] = []
            for entry in entries {
                state.heard = state.heard.hearing(entry.clock)
                if entry.change.file == file { rejected += state.settle(entry) }
                _ = state.device.integrate(entry)
            }
            return Integrated(position: state.device.position, rejected: rejected)
        }
    }

    /// Begins a snapshot.
    public func beginBootstrap(history: HistoryID, head: Int) {
        state.withLock { state in
            state.pages = []
            let acknowledged = state.sync.acknowledged
            state.sync.bootstrap = SyncState.Bootstrap(history: history, head: head, acknowledged: acknowledged)
        }
    }

    /// Takes a page.
    public func integrate(_ page: SnapshotPage) throws {
        try state.withLock { state in
            guard var bootstrap = state.sync.bootstrap, !bootstrap.isWhole else { throw ChangeModelError.noSnapshot }
            state.pages += page.objects
            bootstrap.cursor = page.next
            bootstrap.isWhole = page.next == nil
            state.sync.bootstrap = bootstrap
        }
    }

    /// Shows the snapshot, with what is pending over it.
    public func endBootstrap() throws {
        try state.withLock { state in
            guard let bootstrap = state.sync.bootstrap, bootstrap.isWhole else { throw ChangeModelError.noSnapshot }
            for own in state.device.dropPending(through: bootstrap.acknowledged) {
                state.settled = max(state.settled, own.clock)
                state.readings[own.number] = nil
            }
            state.device.begin(with: state.pages, at: bootstrap.head)
            state.pages = []
            state.sync.bootstrap = nil
        }
    }
}

extension InMemorySyncedStore.State {
    /// Takes an own change out of what is pending beside the device, and returns what was refused of it.
    fileprivate mutating func settle(_ entry: Entry) -> [Integrated.RejectedWrite] {
        guard let own = device.pending.first?.change, own.number == entry.change.number else { return [] }
        settled = max(own.clock, entry.clock)
        readings[own.number] = nil
        return entry.refusals.compactMap { index, reason in
            guard own.operations.indices.contains(index) else { return nil }
            let object = own.operations[index].object
            return Integrated.RejectedWrite(change: own.number, index: index, object: object, reason: reason)
        }
    }
}
