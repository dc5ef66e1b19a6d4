import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import AuditModel
@testable import PostgreSQLStore

extension AcknowledgementTests {
    private func device(_ number: UInt32) -> SampleDevice {
        var device = SampleDevice(number)
        device.record(["a"])
        return device
    }

    private func log(_ lonely: Lonely) async throws -> [PartitionID] {
        try await lonely.store.logEntries(from: 0, limit: 100).map(\.partition)
    }

    @Test(
        "5.4: a seal whose commit no standby has is not acknowledged, nor is it when it comes again, until one has both"
    )
    func cancelledSeal() async throws {
        let lonely = try await Lonely()
        let seal = try lonely.device.seal()
        let first = try await lonely.send(seal: seal)
        #expect(try await lonely.countedEvents() == ["2"], "its events are there before its seal")

        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        await #expect(throws: notReplicated) { try await first.value }
        let again = try await lonely.send(seal: seal)
        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        await #expect(throws: notReplicated) { try await again.value }

        let last = try await lonely.send(seal: seal)
        try await lonely.cluster.startStandby()
        #expect(try await last.value.isSealed)
        #expect(try await log(lonely) == [lonely.device.partition])
    }

    @Test("5.4: all seals of a commit that is lost are refused, and each is sealed once when it comes again")
    func lostGroup() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let lonely = try await Lonely(timer: TellingTimer(scheduled: scheduled))
        let devices = (1...3 as ClosedRange<UInt32>).map { device($0 + 10) }
        let uploads = try devices.map { try $0.upload(1...1, seal: $0.seal()) }
        func send(_ upload: EventUpload) -> Task<DurabilityProof, any Error> {
            Task { [store = lonely.store] in try await store.accept(upload) }
        }
        let first = send(uploads[0])
        try await lonely.cluster.waitUntilWaitingForStandby(lonely.address)
        let others = uploads.dropFirst().map { send($0) }
        var wait = waits.makeAsyncIterator()
        for _ in others { await wait.next() }

        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_terminate_backend")
        let lost = AuditServerError.unavailable(reason: "the connection to PostgreSQL was lost during a commit")
        await #expect(throws: lost) { try await first.value }
        // The two that waited share a commit, and are refused together.
        try await lonely.cluster.waitUntilWaitingForStandby(lonely.address)
        #expect(try await log(lonely).count == 1)
        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        for other in others { await #expect(throws: notReplicated) { try await other.value } }
        #expect(Set(try await log(lonely)) == Set(devices.map(\.partition)))

        try await lonely.cluster.startStandby()
        for upload in uploads + uploads { #expect(try await lonely.store.accept(upload).isSealed) }
        #expect(try await log(lonely).count == 3)
    }

    @Test("5.4: cancelling the tasks loses no seal, neither one that is committed nor one that waits for it")
    func cancelledSealingTasks() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let lonely = try await Lonely(timer: TellingTimer(scheduled: scheduled))
        let first = try await lonely.send(seal: lonely.device.seal())
        let other = device(2)
        let second = Task { [store = lonely.store] in try await store.accept(other.upload(1...1, seal: other.seal())) }
        var wait = waits.makeAsyncIterator()
        await wait.next()

        first.cancel()
        second.cancel()
        try await lonely.cluster.startStandby()

        #expect(try await first.value.isSealed)
        #expect(try await second.value.isSealed)
        #expect(try await log(lonely) == [lonely.device.partition, other.partition])
    }

    @Test("5.4: a seal that waits behind a commit that takes too long is refused, and sealed when it comes again")
    func longLine() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let timer = TellingTimer(scheduled: scheduled)
        let lonely = try await Lonely(timer: timer)
        let first = try await lonely.send(seal: lonely.device.seal())
        let other = device(2)
        let upload = try other.upload(1...1, seal: other.seal())
        let second = Task { [store = lonely.store] in try await store.accept(upload) }
        var wait = waits.makeAsyncIterator()
        await wait.next()

        timer.manual.advance(nanoseconds: 600_000_000_000)

        await #expect(throws: AuditServerError.unavailable(reason: "too many requests wait for PostgreSQL")) {
            try await second.value
        }
        try await lonely.cluster.startStandby()
        #expect(try await first.value.isSealed)
        #expect(try await lonely.store.accept(upload).isSealed)
        #expect(try await log(lonely) == [lonely.device.partition, other.partition])
    }

    @Test("a head of a log that standbys have is signed without them, and one that nobody but this server has is not")
    func confirmedHead() async throws {
        let lonely = try await Lonely(readingPatience: 200)
        func head(_ store: PostgreSQLEventStore) async throws -> UInt64 {
            try await store.withLog(durably: true) { $0.count }
        }
        try await lonely.cluster.startStandby()
        _ = try await lonely.store.accept(lonely.device.upload(1...2, seal: lonely.device.seal()))
        try await lonely.cluster.stopStandby()

        // The seal's own commit has confirmed it to the server that sealed, and another one has to ask.
        #expect(try await head(lonely.store) == 1)
        let other = try await PostgreSQLEventStore(.patient(lonely.address, readingPatience: 200))
        await #expect(throws: notReplicated) { try await head(other) }

        let second = device(2)
        let upload = try second.upload(1...1, seal: second.seal())
        let sealing = Task { [store = lonely.store] in try await store.accept(upload) }
        try await lonely.cluster.waitUntilWaitingForStandby(lonely.address)
        #expect(try await head(lonely.store) == 1, "nobody sees what its commit waits with")
        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        await #expect(throws: notReplicated) { try await sealing.value }
        for store in [lonely.store, other] { await #expect(throws: notReplicated) { try await head(store) } }

        try await lonely.cluster.startStandby()
        for store in [other, lonely.store] { #expect(try await head(store) == 2) }
        try await lonely.cluster.stopStandby()
        for store in [other, lonely.store] { #expect(try await head(store) == 2, "once is enough") }
        try await lonely.cluster.startStandby()
    }
}
