public import ChangeModel
public import EventModel
public import SyncTransport
import Synchronization

/// Keeps a realm's file and its server alike: sends what is committed, and integrates what others did.
///
/// The sync of an app makes one for each file that is open; usable from any thread. It goes on without the network and by itself: after
/// a failure it tries again, after a second at first and every five minutes in the end, and at once when the network is back. What
/// cannot mend itself ends it, with an error to the ``SyncManager`` and everything kept.
public final class SyncSession: Sendable {
    /// What a session does.
    public enum State: Int, Sendable, Hashable {
        /// It exchanges, or tries to; also while there is no network.
        case active
        /// It was suspended, or its user is not signed in.
        case inactive
        /// It met something that does not mend itself; close the realm and open it again.
        case invalid
    }

    /// Whether it is in touch with the server.
    public enum ConnectionState: Int, Sendable, Hashable {
        /// It is not active, or waits before its next attempt.
        case disconnected
        /// It presents the file.
        case connecting
        /// It exchanges.
        case connected
    }

    private struct Life {
        var isSuspended = false
        var isClosed = false
        var needsUser = false
        var connection = ConnectionState.disconnected
        var failure: SyncError?
        var run: Task<Void, Never>?
        var listeners: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
        var last = 0
    }

    /// What the session is for.
    public struct Parts: Sendable {
        let store: any SyncedStore
        let transport: any ChangeTransport
        let identity: SyncIdentity
        let environment: UploadEnvironment
        let clock: any EventClock
        /// What chains are hashed with: SHA-256, but for tests.
        var hash: ChangeChain.Hash = SyncExchange.sha256

        /// Names the parts.
        ///
        /// - Parameters:
        ///   - store: The realm's file.
        ///   - transport: The way to the server.
        ///   - identity: What the device says of itself.
        ///   - environment: Pauses, randomness and the network's returns; the machine's when left out.
        ///   - clock: The clocks of the device, by which times are corrected.
        public init(
            store: any SyncedStore,
            transport: any ChangeTransport,
            identity: SyncIdentity,
            environment: UploadEnvironment = .live,
            clock: any EventClock = SystemClock()
        ) {
            self.store = store
            self.transport = transport
            self.identity = identity
            self.environment = environment
            self.clock = clock
        }
    }

    let board: SyncBoard
    let progress = ProgressBoard()
    let store: StoreQueue
    let transport: any ChangeTransport
    private let parts: Parts
    private let user: User?
    private let pauses: SyncPauses
    private let report: @Sendable (SyncError, SyncSession) -> Void
    private let life = Mutex(Life())
    private let watches = Mutex<[any Sendable & AnyObject]>([])

    /// Creates a session, which does nothing before ``resume()``.
    ///
    /// - Parameters:
    ///   - parts: What it is for.
    ///   - user: Whose realm it is; nil where the transport alone knows.
    ///   - report: Is told of errors, from any thread.
    public init(
        _ parts: Parts,
        user: User? = nil,
        report: @escaping @Sendable (SyncError, SyncSession) -> Void = { _, _ in }
    ) {
        self.parts = parts
        self.user = user
        self.report = report
        store = StoreQueue(parts.store)
        transport = parts.transport
        pauses = SyncPauses(parts.environment)
        life.withLock { $0.isSuspended = true }
        let progress = progress
        let relay = Relay()
        board = SyncBoard(rejected: { relay.tell($0) }, changed: { progress.look(at: $0) })
        relay.listen { [weak self] writes in
            guard let self else { return }
            report(SyncError(writes), self)
        }
        let watch = user?.watchSignIns { [weak self] in self?.didSignIn() }
        if let watch { watches.withLock { $0.append(watch) } }
    }

    deinit { close() }

    /// Whose realm it is.
    public func parentUser() -> User? { user }

    /// What it does now.
    public var state: State {
        let (failure, isIdle) = life.withLock { ($0.failure, $0.isSuspended || $0.isClosed || $0.needsUser) }
        if failure != nil { return .invalid }
        return isIdle || user?.isLoggedIn == false ? .inactive : .active
    }

    /// Whether it is in touch with the server now.
    public var connectionState: ConnectionState { life.withLock(\.connection) }

    /// The states from the present one on; of several that nobody took only the newest is kept.
    ///
    /// Each call gives a stream of its own, which ends with the session.
    public var connectionStates: AsyncStream<ConnectionState> {
        let (stream, listener) = AsyncStream.makeStream(of: ConnectionState.self, bufferingPolicy: .bufferingNewest(1))
        let number = life.withLock { life in
            life.last += 1
            life.listeners[life.last] = listener
            listener.yield(life.connection)
            return life.last
        }
        listener.onTermination = { [weak self] _ in self?.life.withLock { $0.listeners[number] = nil } }
        return stream
    }
}

// MARK: - What an app asks for

extension SyncSession {
    /// Ends the connection, and makes none until ``resume()``; the realm is written and read as before.
    public func suspend() {
        let run = life.withLock { life in
            life.isSuspended = true
            defer { life.run = nil }
            return life.run
        }
        run?.cancel()
        board.note { $0.end = SyncError(.clientSessionError, "The session was suspended.") }
    }

    /// Goes on after ``suspend()``; without effect on a session that is active or invalid.
    public func resume() {
        life.withLock { life in
            guard life.isSuspended, life.failure == nil, !life.isClosed else { return }
            life.isSuspended = false
            let earlier = life.run
            life.run = Task { [weak self] in
                // One exchange at a time has the file.
                await earlier?.value
                await self?.run()
            }
        }
        if state != .invalid { board.note { $0.end = nil } }
    }

    /// Ends the pause before the next attempt, unless the server asked for it.
    public func reconnect() { pauses.end() }

    /// Ends the session for good; what is pending stays in the file.
    public func close() {
        let (run, listeners) = life.withLock { life in
            life.isClosed = true
            defer {
                life.run = nil
                life.listeners = [:]
            }
            return (life.run, life.listeners)
        }
        run?.cancel()
        for listener in listeners.values { listener.finish() }
        board.note { $0.end = SyncError(.clientSessionError, "The realm was closed.") }
        progress.end()
    }
}

// MARK: - The run

extension SyncSession {
    private func didSignIn() {
        life.withLock { $0.needsUser = false }
        pauses.end()
    }

    /// Exchanges, and begins again, until it is suspended or ends.
    private func run() async {
        let returns = Task { [pauses, returns = parts.environment.networkReturns()] in
            for await _ in returns { pauses.end() }
        }
        defer { returns.cancel() }
        var course = SyncCourse()
        while !Task.isCancelled {
            let before = board.facts
            let error = await exchange()
            move(to: .disconnected)
            board.note { $0.isConnected = false }
            guard !Task.isCancelled else { return }
            let after = board.facts
            let step = course.after(
                error,
                wasConnected: after.connections > before.connections,
                madeProgress: after.position > before.position || after.acknowledged > before.acknowledged
                    || after.objects > before.objects,
                fraction: parts.environment.randomFraction()
            )
            do {
                guard try await take(step) else { return }
            } catch {
                // The pause was cancelled, with the run.
                return
            }
        }
    }

    /// Runs one exchange to its end.
    private func exchange() async -> any Error {
        move(to: .connecting)
        let exchange = SyncExchange(
            store: store,
            transport: parts.transport,
            identity: parts.identity,
            clock: parts.clock,
            hash: parts.hash,
            board: board
        ) { [weak self] in self?.move(to: .connected) }
        do {
            try await exchange.run()
            return CancellationError()
        } catch {
            return error
        }
    }

    /// Does what comes next.
    ///
    /// - Returns: Whether the session goes on.
    private func take(_ step: SyncCourse.Step) async throws -> Bool {
        switch step {
        case .pause(let duration): try await pauses.pause(duration)
        case .rest(let duration): try await pauses.rest(duration)
        case .awaitSignIn:
            life.withLock { $0.needsUser = true }
            report(SyncError(.unauthorized), self)
            // Whoever signed in between the two found nobody waiting.
            if user?.isLoggedIn == true, life.withLock({ !$0.needsUser }) { return true }
            try await pauses.pause(nil)
            life.withLock { $0.needsUser = false }
        case .stop(let error):
            life.withLock { $0.failure = error }
            board.note { $0.end = error }
            report(error, self)
            return false
        }
        return true
    }

    private func move(to connection: ConnectionState) {
        let listeners = life.withLock { life in
            guard life.connection != connection else { return [AsyncStream<ConnectionState>.Continuation]() }
            life.connection = connection
            return Array(life.listeners.values)
        }
        for listener in listeners { listener.yield(connection) }
    }
}

/// Tells somebody who comes later.
private final class Relay: Sendable {
    private let listener = Mutex<(@Sendable ([Integrated.RejectedWrite]) -> Void)?>(nil)

    func listen(_ listener: @escaping @Sendable ([Integrated.RejectedWrite]) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    func tell(_ writes: [Integrated.RejectedWrite]) { listener.withLock(\.self)?(writes) }
}
