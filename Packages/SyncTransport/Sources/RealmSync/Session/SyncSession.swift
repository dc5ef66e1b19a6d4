public import ChangeModel
public import EventModel
public import SyncTransport
import Synchronization

/// Keeps a realm's file and its server alike: sends what is committed, and integrates what others did.
///
/// The sync of an app makes one for each file that is open; usable from any thread. It goes on without the network and by itself: after
/// a failure it tries again, after a second at first and every five minutes in the end, and at once when the network is back. What
/// cannot mend itself ends it, with an error to the ``SyncManager`` and everything kept.
///
/// On Apple's systems ``connectionState`` is observed by its key; ``connectionStates`` is the same on all systems.
public final class SyncSession: KeyObserved, Sendable {
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
    #if canImport(ObjectiveC)
    @objc(SyncSessionConnectionState)
    #endif
    public enum ConnectionState: Int, Sendable, Hashable {
        /// It is not active, or waits before its next attempt.
        case disconnected
        /// It presents the file.
        case connecting
        /// It exchanges.
        case connected
    }

    /// What the session is for.
    public struct Parts: Sendable {
        let store: any SyncedStore
        let transport: any ChangeTransport
        let identity: SyncIdentity
        let lock: @Sendable () throws -> (any AnyObject & Sendable)?
        let environment: UploadEnvironment
        let clock: any EventClock
        /// What chains are hashed with: SHA-256, but for tests.
        var hash: ChangeChain.Hash = ChangeChain.sha256

        /// Names the parts.
        ///
        /// - Parameters:
        ///   - store: The realm's file.
        ///   - transport: The way to the server.
        ///   - identity: What the device says of itself.
        ///   - lock: Returns the right to sync the file, which lasts as long as what is returned; nil while another one has it.
        ///   - environment: Pauses, randomness and the network's returns; the machine's when left out.
        ///   - clock: The clocks of the device, by which times are corrected.
        public init(
            store: any SyncedStore,
            transport: any ChangeTransport,
            identity: SyncIdentity,
            lock: @escaping @Sendable () throws -> (any AnyObject & Sendable)?,
            environment: UploadEnvironment = .live,
            clock: any EventClock = SystemClock()
        ) {
            self.store = store
            self.transport = transport
            self.identity = identity
            self.lock = lock
            self.environment = environment
            self.clock = clock
        }
    }

    let parts: Parts
    let store: StoreQueue
    let board: SyncBoard
    let progress = ProgressBoard()
    let report: @Sendable (SyncError, SyncSession) -> Void
    let life: Mutex<Life>
    #if canImport(ObjectiveC)
    /// What those were told who observe the state by its key.
    let shown: Mutex<ConnectionState>
    #endif
    private let user: User?
    private let origin: SyncConfiguration?
    private let signIns = Mutex<(any AnyObject & Sendable)?>(nil)

    /// Creates a session, which does nothing before ``resume()``.
    ///
    /// - Parameters:
    ///   - parts: What it is for.
    ///   - configuration: What the realm syncs with; nil where the transport alone knows.
    ///   - report: Is told of errors, from any thread.
    public init(
        _ parts: Parts,
        configuration: SyncConfiguration? = nil,
        report: @escaping @Sendable (SyncError, SyncSession) -> Void = { _, _ in }
    ) {
        self.parts = parts
        user = configuration?.user
        origin = configuration
        self.report = report
        store = StoreQueue(parts.store)
        board = SyncBoard { [progress] in progress.look(at: $0) }
        let machine = SyncSessionMachine(isSignedIn: user?.isLoggedIn ?? true)
        life = Mutex(Life(machine: machine))
        #if canImport(ObjectiveC)
        shown = Mutex(ConnectionState(machine))
        super.init()
        #endif
        board.didEnd(life.withLock { $0.machine.end })
        let watch = user?.watchSignIns { [weak self] isSignedIn in self?.take(isSignedIn ? .signIn : .signOut) }
        signIns.withLock { $0 = watch }
        // Whoever signed in or out before anybody watched.
        if let user { take(user.isLoggedIn ? .signIn : .signOut) }
        watchFile()
        watchNetwork()
    }

    /// Creates a session of a user's realm, which tells the ``SyncManager`` of the user's app of errors.
    public convenience init(_ parts: Parts, of configuration: SyncConfiguration) {
        let user = configuration.user
        self.init(parts, configuration: configuration) { error, session in
            user.syncManager.tell(error, of: session, user)
        }
    }

    deinit {
        for task in life.withLock({ $0.tasks }) { task.cancel() }
        for listener in life.withLock({ $0.listeners.values }) { listener.finish() }
    }

    /// Whose realm it is.
    public func parentUser() -> User? { user }

    /// What the realm syncs with; nil for a session that was made for a transport alone.
    public func configuration() -> SyncConfiguration? { origin }

    /// What it does now.
    public var state: State {
        let machine = life.withLock(\.machine)
        if case .failed = machine.state { return .invalid }
        return machine.isActive ? .active : .inactive
    }

    #if canImport(ObjectiveC)
    /// Whether it is in touch with the server now; observed by its key, from any thread.
    @objc
    public var connectionState: ConnectionState { shown.withLock(\.self) }
    #else
    /// Whether it is in touch with the server now.
    public var connectionState: ConnectionState { life.withLock { ConnectionState($0.machine) } }
    #endif

    /// The states from the present one on; of several that nobody took only the newest is kept.
    ///
    /// Each call gives a stream of its own, which ends with the session.
    public var connectionStates: AsyncStream<ConnectionState> {
        let (stream, listener) = AsyncStream.makeStream(of: ConnectionState.self, bufferingPolicy: .bufferingNewest(1))
        let (number, isOver) = life.withLock { life in
            life.lastListener += 1
            life.listeners[life.lastListener] = listener
            listener.yield(ConnectionState(life.machine))
            return (life.lastListener, life.isFinished)
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.life.withLock { $0.listeners.removeValue(forKey: number) }
        }
        if isOver { listener.finish() }
        return stream
    }
}

// MARK: - What an app asks for

extension SyncSession {
    /// Ends the connection, and makes none until ``resume()``; the realm is written and read as before.
    public func suspend() { take(.suspend) }

    /// Goes on after ``suspend()``; without effect on a session that is active or invalid.
    public func resume() { take(.resume) }

    /// Ends the pause before the next attempt, unless the server asked for it.
    public func reconnect() { take(.hurry) }

    /// Ends the session for good; what is pending stays in the file.
    public func close() { take(.close) }

    /// Ends the session for good, and waits until it has let go of the file.
    public func closed() async {
        close()
        // A task of its own, so that a caller that is cancelled is not told too early.
        await Task {
            // Another thread may be about to begin an exchange that was asked for before, and to end it.
            for await _ in connectionStates {}
            await life.withLock(\.run)?.value
        }
        .value
    }
}

extension SyncSession.ConnectionState {
    init(_ machine: SyncSessionMachine) {
        self = machine.isConnected ? .connected : machine.state == .binding ? .connecting : .disconnected
    }
}
