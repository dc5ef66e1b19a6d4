import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("Uploader")
struct UploaderTests {
    private let fixture = UploaderFixture()

    @Test("everything is proven, sealed partitions are deleted and the open one stays")
    func uploadsEverything() async throws {
        fixture.fill(Sample.partition(1), count: 3, sealed: true)
        fixture.fill(Sample.partition(2), count: 0, sealed: true)
        fixture.fill(Sample.partition(3), count: 2)
        let transport = FakeTransport()
        let uploader = fixture.uploader(transport)

        try await uploader.uploadEverything()

        #expect(try fixture.source.partitions().map(\.partition) == [Sample.partition(3)])
        #expect(fixture.source.summary(Sample.partition(3))?.acknowledgedThrough == 2)
        #expect(transport.events(of: Sample.partition(1)) == [[1], [2], [3]])
        #expect(transport.seal(of: Sample.partition(1))?.count == 3)
        #expect(uploader.statistics.eventsUploaded == 5)
        #expect(uploader.statistics.partitionsDeleted == 2)
        #expect(uploader.statistics.bytesSent == 5)
        #expect(uploader.statistics.retries == 0)
        #expect(fixture.reports.errors == [])
    }

    @Test("Scenario 59: a server that is down is tried again with growing pauses until it is up", .tags(.scenario59))
    func serverDownThenUp() async throws {
        fixture.fill(Sample.partition(), count: 2, sealed: true)
        let down = TransportError(.unreachable, message: "The server cannot be reached.")
        let transport = FakeTransport(script: [.fail(down), .fail(down), .fail(down)])
        let uploader = fixture.uploader(transport)

        async let uploaded: Void = uploader.uploadEverything()
        for expected in [Duration.milliseconds(500), .seconds(1), .seconds(2)] {
            #expect(await fixture.nextBackoff() == expected)
            #expect(fixture.source.summary(Sample.partition()) != nil)
            fixture.sleep.advance(by: expected)
        }
        try await uploaded

        #expect(fixture.source.summary(Sample.partition()) == nil)
        #expect(transport.calls.count == 4)
        #expect(uploader.statistics.retries == 3)
        #expect(uploader.statistics.eventsUploaded == 2)
        #expect(fixture.reports.errors == [])
    }

    @Test("a lost answer and a second attempt store every event once")
    func lostAnswer() async throws {
        fixture.fill(Sample.partition(), count: 3, sealed: true)
        let lost = TransportError(.unreachable, message: "The connection broke.")
        let transport = FakeTransport(script: [.storeThenFail(lost)])
        let uploader = fixture.uploader(transport)

        async let uploaded: Void = uploader.uploadEverything()
        _ = await fixture.nextBackoff()
        fixture.sleep.advance(by: .seconds(1))
        try await uploaded

        #expect(transport.events(of: Sample.partition()) == [[1], [2], [3]])
        #expect(uploader.statistics.eventsUploaded == 3)
        #expect(fixture.source.summary(Sample.partition()) == nil)
    }

    @Test("a partition that is set aside does not hold up the others")
    func othersGoOn() async throws {
        fixture.fill(Sample.partition(1), count: 1, sealed: true)
        fixture.fill(Sample.partition(2), count: 1, sealed: true)
        let conflict = TransportError(.conflict, message: "The server holds other events.")
        let uploader = fixture.uploader(
            FakeTransport(script: [.fail(conflict)]),
            limits: UploadLimits(maximumPartitionsInFlight: 1)
        )

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition(1)])) {
            try await uploader.uploadEverything()
        }

        #expect(try fixture.source.partitions().map(\.partition) == [Sample.partition(1)])
        #expect(uploader.statistics.partitionsDeleted == 1)
    }

    @Test("a stretch that is too large is split until it fits")
    func splits() async throws {
        fixture.fill(Sample.partition(), count: 8, sealed: true)
        let transport = FakeTransport(byteLimit: 3)
        let uploader = fixture.uploader(transport)

        try await uploader.uploadEverything()

        #expect(transport.calls.map(\.events.count) == [8, 4, 2, 2, 2, 2])
        #expect(transport.events(of: Sample.partition()).count == 8)
        #expect(fixture.source.summary(Sample.partition()) == nil)
    }

    @Test("Scenario 69: a server that lost events gets them again from where it is", .tags(.scenario69))
    func serverRestoredFromBackup() async throws {
        fixture.fill(Sample.partition(), count: 4)
        let transport = FakeTransport()
        let uploader = fixture.uploader(transport, limits: UploadLimits(maximumStretchBytes: 1))
        try await uploader.uploadEverything()
        transport.forget(Sample.partition(), after: 2)
        fixture.source.append([5], to: Sample.partition())

        async let uploaded: Void = uploader.uploadEverything()
        _ = await fixture.nextBackoff()
        fixture.sleep.advance(by: .seconds(1))
        try await uploaded

        #expect(transport.events(of: Sample.partition()) == [[1], [2], [3], [4], [5]])
        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 5)
    }

    @Test("four partitions are in flight at most, the oldest first")
    func fourInFlight() async throws {
        for number in 1...6 { fixture.fill(Sample.partition(UInt32(number)), count: 1, sealed: true) }
        let transport = FakeTransport(script: Array(repeating: .hang, count: 4))
        let uploader = fixture.uploader(transport)

        let running = Task { await uploader.run() }
        for _ in 0..<4 { _ = await transport.nextCall() }
        running.cancel()
        await running.value

        #expect(Set(transport.calls.map(\.partition)) == Set((1...4).map { Sample.partition($0) }))
        #expect(transport.mostInFlight == 4)
    }
}
