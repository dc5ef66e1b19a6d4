public import EventModel
import Synchronization

/// Event files in memory that can be closed: an ``InMemoryEventSink`` with the ends of a folder.
///
/// Honest: it passes ``EventFilesConformance``.
public final class FakeEventFiles: EventFiles {
    /// What is thrown by an append after the files were closed.
    public struct Closed: Error, Hashable {
        /// Creates the error, for a test that asks for it.
        public init() {}
    }

    private struct State {
        var isClosed = false
        var unsealedCount = 0
        var sealCount = 0
        var listeners: [AsyncStream<Void>.Continuation] = []
        var failures: [any Error] = []

        mutating func seal() {
            guard unsealedCount > 0 else { return }
            unsealedCount = 0
            sealCount += 1
        }
    }

    /// Where the events go.
    public let sink: InMemoryEventSink
    private let encryptionKey: EventEncryptionKey?
    private let onClose: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// Creates empty files.
    ///
    /// - Parameters:
    ///   - sink: Where the events go.
    ///   - encryptionKey: The key that they are opened with.
    ///   - onClose: Called when the files are about to be closed, without a lock; a test may block in it.
    public init(
        sink: InMemoryEventSink = InMemoryEventSink(),
        encryptionKey: EventEncryptionKey? = nil,
        onClose: (@Sendable () -> Void)? = nil
    ) {
        self.sink = sink
        self.encryptionKey = encryptionKey
        self.onClose = onClose
    }

    /// Whether the files were closed.
    public var isClosed: Bool { state.withLock(\.isClosed) }

    /// How many partitions were closed.
    public var sealCount: Int { state.withLock(\.sealCount) }

    /// Makes the next calls of ``close()`` throw, one error each; the files stay open.
    public func failNextCloses(with errors: [any Error]) {
        state.withLock { $0.failures.append(contentsOf: errors) }
    }

    /// Checks the key.
    ///
    /// - Throws: `EventModelError.invalidParameter` when it is another one.
    public func requireKey(_ key: EventEncryptionKey?) throws(EventModelError) {
        guard key == encryptionKey else {
            throw .invalidParameter("encryptionKey", reason: "the files are open with another key, or with none")
        }
    }

    /// Returns a stream with an element after every append and seal.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isClosed = state.withLock { state in
            if !state.isClosed { state.listeners.append(continuation) }
            return state.isClosed
        }
        if isClosed { continuation.finish() }
        return stream
    }

    /// Counts a closed partition, if there are new events.
    public func seal() throws {
        state.withLock { $0.seal() }
        notifyListeners()
    }

    /// Closes the files.
    ///
    /// - Throws: The next error that the test asked for.
    public func close() throws {
        onClose?()
        let (failure, listeners) = state.withLock { state -> ((any Error)?, [AsyncStream<Void>.Continuation]) in
            if !state.failures.isEmpty { return (state.failures.removeFirst(), []) }
            state.seal()
            state.isClosed = true
            defer { state.listeners = [] }
            return (nil, state.listeners)
        }
        for listener in listeners { listener.finish() }
        if let failure { throw failure }
    }

    /// Appends events to the sink.
    ///
    /// - Throws: ``Closed`` after ``close()``, else what the sink throws.
    public func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        if isClosed { throw Closed() }
        let receipt = try sink.append(events)
        state.withLock { $0.unsealedCount += Int(receipt.count) }
        notifyListeners()
        return receipt
    }

    /// Enters losses in the ledger of the sink.
    public func note(_ losses: [LossEntry]) { sink.note(losses) }

    /// Does what the sink does.
    public func enterLosses() { sink.enterLosses() }

    /// Finds events in the sink.
    ///
    /// - Throws: What the sink throws.
    public func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> {
        try sink.storedEvents(among: ids)
    }

    /// Does what the sink does.
    public func noteDeletions() -> DeletionNoting { sink.noteDeletions() }

    private func notifyListeners() {
        for listener in state.withLock(\.listeners) { listener.yield() }
    }
}
