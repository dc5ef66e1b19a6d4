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
    let store = InMemorySyncedStore()
    let transport: FakeChangeTransport
    let sleep = ManualSleep()
    let session: SyncSession
    private let errors: AsyncStream<SyncError>
    private let clock = ManualClock()
    private let ticks = Mutex<Int64>(0)

    init(_ server: InMemoryRealmServer, script: [FakeChangeTransport.Step] = []) {
        transport = FakeChangeTransport(server, script: script)
        let (errors, told) = AsyncStream.makeStream(of: SyncError.self, bufferingPolicy: .unbounded)
        self.errors = errors
        var parts = SyncSession.Parts(
            store: store,
            transport: transport,
            identity: SyncIdentity(
                schema: SyncSchema(),
                publicKey: [UInt8](repeating: 1, count: 32),
                sign: { $0.bytes + $0.bytes }
            ),
            environment: UploadEnvironment(sleep: sleep.sleep, randomFraction: { 0 }),
            clock: clock
        )
        parts.hash = Digest.mixing
        session = SyncSession(parts) { error, _ in told.yield(error) }
    }

    /// Commits as an app does; each commit is a millisecond after the one before.
    func commit(_ operations: ChangeOperation...) {
        let tick = ticks.withLock { ticks in
            ticks += 1
            return ticks
        }
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
