import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Synchronization
import Testing

@Suite("What wakes an uploader, and what it waits for")
struct UploaderWakingTests {
    private let fixture = UploaderFixture()
    let folder = TestFolder()

    private static let unreachable = TransportError(.unreachable, message: "The server cannot be reached.")

    // MARK: - Pauses

    @Test("the network's return ends the pause of a server that could not be reached")
    func networkReturns() async throws {
        fixture.source.append([1], to: Sample.partition())
        let (network, isBack) = AsyncStream<Void>.makeStream()
        let transport = FakeTransport(script: [.fail(Self.unreachable)])
        let uploader = fixture.uploader(transport, network: network)

        async let uploaded: Void = uploader.uploadEverything()
        #expect(await fixture.nextBackoff() == .milliseconds(500))
        isBack.yield()
        try await uploaded

        #expect(transport.calls.count == 2)
        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
    }

    @Test("a pause that the server asked for is not cut short by anything")
    func serverPause() async throws {
        fixture.source.append([1], to: Sample.partition())
        let busy = TransportError(.unavailable, message: "Busy.", retryAfter: .seconds(90))
        let transport = FakeTransport(script: [.fail(busy)])
        let uploader = fixture.uploader(transport)

        async let uploaded: Void = uploader.uploadEverything()
        #expect(await fixture.nextBackoff() == .seconds(90))
        uploader.retryNow()
        fixture.sleep.advance(by: .seconds(89))
        #expect(transport.calls.count == 1)
        fixture.sleep.advance(by: .seconds(1))
        try await uploaded

        #expect(transport.calls.count == 2)
    }

    @Test("a partition with a difficulty of its own does not take the place of others while it pauses")
    func postponed() async throws {
        for number in 1...2 {
            fixture.source.append([1], to: Sample.partition(UInt32(number)))
            fixture.source.seal(Sample.partition(UInt32(number)))
        }
        fixture.source.failNext(.read, "EIO")
        let transport = FakeTransport()
        let uploader = fixture.uploader(transport, limits: UploadLimits(maximumPartitionsInFlight: 1))

        async let uploaded: Void = uploader.uploadEverything()
        #expect(await fixture.nextBackoff() == .milliseconds(500))
        #expect(await transport.nextCall()?.partition == Sample.partition(2))
        fixture.sleep.advance(by: .milliseconds(500))
        try await uploaded

        #expect(transport.calls.map(\.partition) == [Sample.partition(2), Sample.partition(1)])
        #expect(try fixture.source.partitions() == [])
    }

    @Test(
        "Scenarios 66, 68 and 95: another attempt can be asked for when a refusal has been put right",
        .tags(.scenario66, .scenario68, .scenario95)
    )
    func retriesStopped() async throws {
        fixture.source.append([1], to: Sample.partition())
        let refused = TransportError(.invalidSchemaChange, message: "Invalid schema change.")
        let transport = FakeTransport(script: [.fail(refused)])
        let uploader = fixture.uploader(transport)
        let running = Task { await uploader.run() }
        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.waitForUploads()
        }

        uploader.retryNow()
        try await uploader.waitForUploads()

        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
        running.cancel()
        await running.value
    }

    @Test("what was set aside goes on in the same run when its source offers it again")
    func goesOnWhenReleased() async throws {
        fixture.source.append([1], to: Sample.partition())
        fixture.source.seal(Sample.partition())
        let refused = TransportError(.rejected, message: "The server refuses the request.")
        let uploader = fixture.uploader(FakeTransport(script: [.fail(refused)]))
        let running = Task { await uploader.run() }
        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.waitForUploads()
        }
        #expect(fixture.source.summary(Sample.partition())?.quarantineReason != nil)

        fixture.source.release(Sample.partition())
        uploader.wake()
        try await uploader.waitForUploads()

        #expect(fixture.source.summary(Sample.partition()) == nil)
        running.cancel()
        await running.value
    }

    // MARK: - Signing in

    private func app(_ accepts: Switch) -> App {
        App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: "https://audit.example.org",
                rootDirectory: folder.path,
                client: ScriptedHTTPClient { request in
                    if request.url.hasSuffix("/login") { return .session(user: "62b3", access: "A", refresh: "R") }
                    if request.url.hasSuffix("/refresh") { return .refusal(401, .unauthorized) }
                    guard accepts.isOn else { return .refusal(401, .unauthorized) }
                    let stretch = try request.body.withUnsafeBytes { try PartitionStretch(wireBytes: $0) }
                    let proof = DurabilityProof(
                        partition: stretch.partition,
                        durableThrough: stretch.lastSequence,
                        root: stretch.root,
                        isSealed: stretch.seal != nil
                    )
                    return try SampleSigner.usual.answer(proof)
                }
            )
        )
    }

    @Test(
        "Scenario 74: events of a user who is signed out wait, whoever waits for them is notified, and a sign-in sends them at once",
        .tags(.scenario74)
    )
    func signsInAgain() async throws {
        for number in 1...6 { fixture.source.append([1], to: Sample.partition(UInt32(number))) }
        let accepts = Switch(true)
        let app = app(accepts)
        let user = try await app.login(credentials: .userAPIKey("K"))
        try await user.logOut()
        let uploader = Uploader(
            source: fixture.source,
            user: user,
            reporting: fixture.reports.reporting(),
            environment: fixture.environment()
        )
        let running = Task { await uploader.run() }
        let all = (1...6).map { Sample.partition($0) }

        await #expect(throws: SyncTransportError.signInRequired(all)) { try await uploader.waitForUploads() }
        #expect(try fixture.source.partitions().map(\.acknowledgedThrough) == [0, 0, 0, 0, 0, 0])
        _ = try await app.login(credentials: .userAPIKey("K"))
        try await uploader.waitForUploads()

        #expect(try fixture.source.partitions().map(\.acknowledgedThrough) == [1, 1, 1, 1, 1, 1])
        running.cancel()
        await running.value
    }

    @Test(
        "Scenario 67: events of a user who was removed from the device stay, and whoever waits for them is notified",
        .tags(.scenario67)
    )
    func removedUser() async throws {
        fixture.source.append([1], to: Sample.partition())
        let app = app(Switch(true))
        let user = try await app.login(credentials: .userAPIKey("K"))
        try await user.remove()
        let uploader = Uploader(
            source: fixture.source,
            user: user,
            reporting: fixture.reports.reporting(),
            environment: fixture.environment()
        )

        await #expect(throws: SyncTransportError.signInRequired([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 0)
        #expect(fixture.reports.errors.count == 1)
    }

    @Test("Scenario 72: an app that takes no partitions is a fatal error to the handler", .tags(.scenario72))
    func refusedApp() async throws {
        fixture.source.append([1], to: Sample.partition())
        let flexible = TransportError(.forbidden, message: "The app uses flexible sync.")
        let uploader = fixture.uploader(FakeTransport(script: [.fail(flexible)]))

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(fixture.reports.errors == [.partitionStopped(Sample.partition(), flexible)])
        #expect(fixture.reports.errors.allSatisfy { $0.isFatal })
        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 0)
    }

    @Test("a session that cannot be renewed is as good as none, until the user signs in")
    func sessionIsOver() async throws {
        fixture.source.append([1], to: Sample.partition())
        let accepts = Switch(false)
        let app = app(accepts)
        let user = try await app.login(credentials: .userAPIKey("K"))
        let uploader = Uploader(
            source: fixture.source,
            user: user,
            reporting: fixture.reports.reporting(),
            environment: fixture.environment()
        )

        await #expect(throws: SyncTransportError.signInRequired([Sample.partition()])) {
            try await uploader.uploadEverything()
        }
        accepts.isOn = true
        _ = try await app.login(credentials: .userAPIKey("K"))
        try await uploader.uploadEverything()

        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
        #expect(user.isLoggedIn)
    }

    // MARK: - Progress and threads

    @Test("progress names the events, bytes and partitions that wait, and the last error")
    func progress() async throws {
        fixture.source.append([1, 1, 1], to: Sample.partition(1))
        fixture.source.append([2], to: Sample.partition(1))
        fixture.source.append([3], to: Sample.partition(2))
        let transport = FakeTransport(script: [.fail(Self.unreachable), .fail(Self.unreachable)])
        let uploader = fixture.uploader(transport)
        let watched = uploader.progress()

        async let uploaded: Void = uploader.uploadEverything()
        let failed = await watched.first { $0.lastError != nil }
        for _ in 0..<2 { _ = await fixture.nextBackoff() }
        fixture.sleep.advance(by: .seconds(1))
        try await uploaded
        let last = await uploader.progress().first { _ in true }

        #expect(failed?.eventsWaiting == 3)
        #expect(failed?.bytesWaiting == 5)
        #expect(failed?.partitionsWaiting == 2)
        #expect(failed?.lastError == "The server cannot be reached. (unreachable)")
        #expect(last?.eventsWaiting == 0)
        #expect(last?.bytesWaiting == 0)
        #expect(last?.lastError == nil)
    }

    @Test("neither files nor requests are touched on the main thread")
    func offTheMainThread() async throws {
        fixture.source.append([1], to: Sample.partition())
        fixture.source.seal(Sample.partition())
        let witness = ThreadWitness(fixture.source)
        let uploader = Uploader(
            source: witness,
            transport: FakeTransport(),
            reporting: fixture.reports.reporting(),
            environment: fixture.environment()
        )

        let running = Task { @MainActor in await uploader.run() }
        try await Task { @MainActor in
            try await uploader.waitForUploads()
            try await uploader.uploadEverything()
        }
        .value

        running.cancel()
        await running.value
        #expect(witness.calls >= 4)
        #expect(witness.callsOnMainThread == 0)
    }
}

/// Something that a test turns on and off.
private final class Switch: Sendable {
    private let state: Mutex<Bool>

    init(_ isOn: Bool) {
        state = Mutex(isOn)
    }

    var isOn: Bool {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}

/// Notes on which thread a source is asked.
private final class ThreadWitness: PartitionSource {
    private let source: FakePartitionSource
    private let counts = Mutex((all: 0, main: 0))

    init(_ source: FakePartitionSource) {
        self.source = source
    }

    var calls: Int { counts.withLock(\.all) }
    var callsOnMainThread: Int { counts.withLock(\.main) }

    private func note() {
        let isMain = Thread.isMainThread
        counts.withLock { $0 = ($0.all + 1, $0.main + (isMain ? 1 : 0)) }
    }

    func partitions() throws -> [PartitionSummary] {
        note()
        return try source.partitions()
    }

    func read(_ partition: PartitionID, from sequence: UInt64, maximumBytes: Int) throws -> PartitionStretch {
        note()
        return try source.read(partition, from: sequence, maximumBytes: maximumBytes)
    }

    func acknowledge(_ proof: DurabilityProof) throws {
        note()
        try source.acknowledge(proof)
    }

    func delete(_ partition: PartitionID) throws {
        note()
        try source.delete(partition)
    }

    func quarantine(_ partition: PartitionID, reason: String) throws {
        note()
        try source.quarantine(partition, reason: reason)
    }
}
