import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("What an uploader cannot do, and who is notified of it")
struct UploaderFailureTests {
    private let fixture = UploaderFixture()

    @Test("a wrong root keeps the partition, sets it aside and reports it")
    func wrongRoot() async throws {
        fixture.fill(Sample.partition(), count: 3, sealed: true)
        let transport = FakeTransport(script: [
            .answer { proof in
                DurabilityProof(
                    partition: proof.partition,
                    durableThrough: proof.durableThrough,
                    root: SampleRoot.empty,
                    isSealed: true
                )
                .receipted
            }
        ])
        let uploader = fixture.uploader(transport)

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        let kept = try #require(fixture.source.summary(Sample.partition()))
        #expect(kept.count == 3)
        #expect(kept.acknowledgedThrough == 0)
        #expect(kept.quarantineReason != nil)
        #expect(uploader.statistics.eventsUploaded == 0)
        #expect(uploader.statistics.partitionsQuarantined == 1)
        guard case .partitionQuarantined(Sample.partition(), _) = try #require(fixture.reports.errors.first) else {
            Issue.record("The report is \(fixture.reports.errors).")
            return
        }
    }

    @Test("partitions that cannot be listed fail those who wait")
    func listingFails() async {
        fixture.source.failNext(.list, "EMFILE")
        let uploader = fixture.uploader(FakeTransport())

        await #expect(throws: SyncTransportError.partitionsUnavailable(reason: #"scripted("EMFILE")"#)) {
            try await uploader.uploadEverything()
        }
    }

    @Test("a run reports partitions that cannot be listed and looks again")
    func runListsAgain() async throws {
        fixture.fill(Sample.partition(), count: 1)
        fixture.source.failNext(.list, "EMFILE")
        let uploader = fixture.uploader(FakeTransport())
        let watched = uploader.progress()
        let running = Task { await uploader.run() }
        let sentence = await watched.first { $0.lastError != nil }?.lastError

        try await uploader.waitForUploads()

        #expect(sentence == #"The partitions could not be listed: scripted("EMFILE")"#)
        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
        running.cancel()
        await running.value
        #expect(fixture.reports.errors == [.partitionsUnavailable(reason: #"scripted("EMFILE")"#)])
    }

    @Test("a partition that cannot be set aside is left alone and both errors are reported")
    func quarantineFails() async {
        fixture.fill(Sample.partition(), count: 1)
        fixture.source.failNext(.quarantine, "ENOSPC")
        let rejected = TransportError(.rejected, message: "The server refuses the request.")
        let uploader = fixture.uploader(FakeTransport(script: [.fail(rejected)]))

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(fixture.reports.errors.count == 2)
        #expect(uploader.statistics.partitionsQuarantined == 0)
    }

    @Test(
        "Scenarios 66 and 68: without a handler a fatal error of the current partition is logged and aborts",
        .tags(.scenario66, .scenario68)
    )
    func abortsWithoutHandler() async {
        fixture.fill(Sample.partition(), count: 1)
        let refused = TransportError(.invalidSchemaChange, message: "Invalid schema change.")
        let uploader = fixture.uploader(FakeTransport(script: [.fail(refused)]), hasHandler: false)

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(fixture.reports.aborts.count == 1)
        #expect(fixture.reports.aborts.first?.contains("Invalid schema change.") == true)
        #expect(fixture.reports.lines.contains { $0.hasPrefix("fatal: ") })
    }

    @Test("without a handler an error of a sealed partition is logged only")
    func sealedNeverAborts() async {
        fixture.fill(Sample.partition(), count: 1, sealed: true)
        let refused = TransportError(.forbidden, message: "The user may not do this.")
        let uploader = fixture.uploader(FakeTransport(script: [.fail(refused)]), hasHandler: false)

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(fixture.reports.aborts == [])
        #expect(fixture.reports.lines.contains { $0.hasPrefix("error: ") })
    }

    @Test("a stopped partition is tried again by the next run")
    func stoppedIsTriedAgain() async throws {
        fixture.fill(Sample.partition(), count: 1)
        let refused = TransportError(.forbidden, message: "The user may not do this.")
        let transport = FakeTransport(script: [.fail(refused)])
        let uploader = fixture.uploader(transport)
        await #expect(throws: SyncTransportError.self) { try await uploader.uploadEverything() }
        #expect(transport.calls.count == 1)

        try await uploader.uploadEverything()

        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
    }
}
