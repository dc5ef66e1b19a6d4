public import ChangeModel
import Synchronization

/// A way to a server in memory that is honest, unless a script says otherwise.
///
/// Each call takes the next step of the script; when the script is used up, calls arrive and are answered. Nothing here
/// sleeps: a call that waits for entries ends with an entry, with ``elapse()`` or with its task, and one that waits for less than a
/// second at once.
public final class FakeChangeTransport: ChangeTransport {
    /// How one call goes.
    public enum Step: Sendable {
        /// It arrives and is answered.
        case honest
        /// It does not arrive, and fails.
        case fail(SyncFailure)
        /// It arrives, and its answer is lost.
        case loseAnswer
        /// It arrives twice.
        case twice
        /// Of a batch the second half is lost, of entries all but the first; others are honest.
        case cut
        /// It waits until ``release()``, or fails with its task, and goes on as an honest one.
        case delay
    }

    /// What was asked for.
    public enum Call: Sendable, Equatable {
        /// A file was presented.
        case bind(BindRequest)
        /// A batch was sent.
        case send([UInt8])
        /// Entries behind a position were asked for.
        case entries(after: Int)
        /// A page was asked for.
        case objects(after: SnapshotCursor?)
    }

    private struct State {
        var script: [Step]
        var calls: [Call] = []
        var delayed: [AsyncStream<Void>.Continuation] = []
    }

    /// Tells of each call that arrived or failed, in order, when ``release()`` reaches it.
    ///
    /// It keeps all of them, for one who listens, and ends with the fake.
    public let arrivals: AsyncStream<Call>

    private let server: InMemoryRealmServer
    private let state: Mutex<State>
    private let arrived: AsyncStream<Call>.Continuation

    /// Creates a way to a server.
    ///
    /// - Parameters:
    ///   - server: The server, which others may reach on other ways.
    ///   - script: How the first calls go.
    public init(_ server: InMemoryRealmServer, script: [Step] = []) {
        self.server = server
        state = Mutex(State(script: script))
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    deinit { arrived.finish() }

    /// Everything that was asked for, in order, also what failed.
    public var calls: [Call] { state.withLock(\.calls) }

    /// Adds steps behind those that are left.
    public func append(_ steps: [Step]) { state.withLock { $0.script += steps } }

    /// Ends the waiting for entries, of which there are none then.
    public func elapse() { server.elapse() }

    /// Lets delayed calls go on.
    public func release() {
        let delayed = state.withLock { state in
            defer { state.delayed = [] }
            return state.delayed
        }
        for call in delayed { call.finish() }
    }
}

// MARK: - Calls

extension FakeChangeTransport {
    /// Presents a file.
    public func bind(_ request: BindRequest) async throws -> BindAnswer {
        try await perform(.bind(request)) { [server] _ in try server.bind(request) }
    }

    /// Sends a batch.
    public func send(_ batch: [UInt8]) async throws -> SendAnswer {
        try await perform(.send(batch)) { [server] isCut in
            guard isCut else { return try server.send(batch) }
            // A server refuses what is no batch, and a client cannot know what arrived.
            _ = try? server.send(Array(batch.prefix(batch.count / 2)))
            throw ChangeModelError.failed(.unreachable)
        }
    }

    /// Asks for entries; a wait ends with an entry or with ``elapse()``, one of less than a second at once.
    public func entries(
        after position: Int,
        history: HistoryID,
        wait: Duration,
        limit bytes: Int
    ) async throws -> EntriesAnswer {
        let answer = try await perform(.entries(after: position)) { [server] isCut in
            try server.entries(after: position, history: history, limit: isCut ? 0 : bytes)
        }
        guard answer.encoded.isEmpty, wait >= .seconds(1) else { return answer }
        for await _ in server.arrivals(after: position) {}
        if Task.isCancelled { throw ChangeModelError.failed(.unreachable) }
        return try server.entries(after: position, history: history, limit: bytes)
    }

    /// Asks for a page.
    public func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws
        -> SnapshotPage
    {
        try await perform(.objects(after: cursor)) { [server] _ in
            try server.page(after: cursor, history: history, limit: bytes)
        }
    }

    private func perform<Answer>(_ call: Call, _ body: (_ isCut: Bool) throws -> Answer) async throws -> Answer {
        let (stream, delayed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let step = state.withLock { state in
            state.calls.append(call)
            let step = state.script.isEmpty ? .honest : state.script.removeFirst()
            if case .delay = step { state.delayed.append(delayed) }
            return step
        }
        arrived.yield(call)
        switch step {
        case .honest: return try body(false)
        case .fail(let failure): throw ChangeModelError.failed(failure)
        case .loseAnswer:
            _ = try body(false)
            throw ChangeModelError.failed(.unreachable)
        case .twice:
            _ = try body(false)
            return try body(false)
        case .cut: return try body(true)
        case .delay:
            for await _ in stream {}
            if Task.isCancelled { throw ChangeModelError.failed(.unreachable) }
            return try body(false)
        }
    }
}
