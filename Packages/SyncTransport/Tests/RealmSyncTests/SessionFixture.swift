import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Synchronization

@testable import RealmSync

/// A file in memory with a session over a scripted way to a server in memory.
final class SessionFixture: Sendable {
    /// Who syncs a file of tests.
    final class Place: Sendable {
        /// The right to sync the file, for as long as it is held.
        private final class Right: Sendable {
            let place: Place

            init(_ place: Place) {
                self.place = place
                place.holders.withLock { $0 += 1 }
            }

            deinit { place.holders.withLock { $0 -= 1 } }
        }

        let isElsewhere = Mutex(false)
        private let holders = Mutex(0)

        /// How many exchanges have the file now.
        var holderCount: Int { holders.withLock(\.self) }

        func right() -> (any AnyObject & Sendable)? { isElsewhere.withLock(\.self) ? nil : Right(self) }
    }

    /// How many commits a device made.
    final class Ticks: Sendable {
        private let count = Mutex<Int64>(0)

        func next() -> Int64 {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    let store: InMemorySyncedStore
    let transport: FakeChangeTransport
    let sleep = ManualSleep()
    let session: SyncSession
    let place: Place
    private let errors: AsyncStream<SyncError>
    private let clock = ManualClock()
    let ticks: Ticks

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - script: How the first calls go.
    ///   - store: The file; a new one when left out.
    ///   - place: Who syncs the file; nobody when left out.
    ///   - ticks: The commits of the file; none when left out.
    ///   - configuration: What the realm syncs with; nothing when left out.
    ///   - wrapping: Wraps the way to the server in a liar.
    ///   - handle: Is called with the session when it tells of an error.
    ///   - fraction: The randomness of pauses.
    init(
        _ server: InMemoryRealmServer,
        script: [FakeChangeTransport.Step] = [],
        store: InMemorySyncedStore = InMemorySyncedStore(),
        place: Place = Place(),
        ticks: Ticks = Ticks(),
        configuration: SyncConfiguration? = nil,
        lying wrapping: (FakeChangeTransport) -> any ChangeTransport = { $0 },
        onError handle: @escaping @Sendable (SyncSession) -> Void = { _ in },
        fraction: @escaping @Sendable () -> Double = { 0 }
    ) {
        self.store = store
        self.ticks = ticks
        self.place = place
        transport = FakeChangeTransport(server, script: script)
        let (errors, told) = AsyncStream.makeStream(of: SyncError.self, bufferingPolicy: .unbounded)
        self.errors = errors
        var parts = SyncSession.Parts(
            store: store,
            transport: wrapping(transport),
            identity: SyncIdentity(
                schema: SyncSchema(),
                publicKey: [UInt8](repeating: 1, count: 32),
                sign: { $0.bytes + $0.bytes }
            ),
            lock: { place.right() },
            environment: UploadEnvironment(sleep: sleep.sleep, randomFraction: fraction),
            clock: clock
        )
        parts.hash = Digest.mixing
        session = SyncSession(parts, configuration: configuration) { error, session in
            handle(session)
            told.yield(error)
        }
    }

    /// Commits as an app does; each commit is a millisecond after the one before.
    func commit(_ operations: ChangeOperation...) { commit(operations) }

    /// Commits as an app does.
    func commit(_ operations: [ChangeOperation]) {
        let tick = ticks.next()
        var reading = clock.now()
        reading = ClockReading(
            wall: EventInstant(microseconds: reading.wall.microseconds + tick * 1000),
            monotonicNanoseconds: reading.monotonicNanoseconds,
            boot: reading.boot
        )
        store.commit(operations, reading: reading)
    }

    /// The next error that the session told of.
    func nextError() async -> SyncError? { await errors.first { _ in true } }

    /// Waits for both directions.
    func settle() async throws {
        try await session.wait(for: .upload)
        try await session.wait(for: .download)
    }
}
