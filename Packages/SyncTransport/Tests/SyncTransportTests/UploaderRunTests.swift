import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("The run of an uploader, and who waits for it")
struct UploaderRunTests {
    private let fixture = UploaderFixture()

    @Test("Scenario 60: cancellation ends the run, keeps everything, and the next run resumes", .tags(.scenario60))
    func cancellation() async throws {
        fixture.fill(Sample.partition(), count: 2, sealed: true)
        let transport = FakeTransport(script: [.hang])
        let uploader = fixture.uploader(transport)

        let running = Task { await uploader.run() }
        _ = await transport.nextCall()
        running.cancel()
        await running.value

        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 0)
        #expect(fixture.reports.errors == [])
        try await uploader.uploadEverything()
        #expect(fixture.source.summary(Sample.partition()) == nil)
    }

    @Test("a change wakes a run that has nothing to do")
    func wakesOnChange() async throws {
        let transport = FakeTransport()
        let uploader = fixture.uploader(transport)
        let (changes, changed) = AsyncStream<Void>.makeStream()
        let running = Task { await uploader.run(waking: changes) }
        try await uploader.waitForUploads()

        fixture.fill(Sample.partition(), count: 1)
        changed.yield()

        #expect(await transport.nextCall()?.partition == Sample.partition())
        try await uploader.waitForUploads()
        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
        running.cancel()
        await running.value
    }

    @Test("the timer finds what nobody reported")
    func wakesOnTimer() async throws {
        let transport = FakeTransport()
        let uploader = fixture.uploader(transport)
        let running = Task { await uploader.run() }
        #expect(await fixture.sleep.nextPause() == .seconds(60))
        try await uploader.waitForUploads()

        fixture.fill(Sample.partition(), count: 1)
        fixture.sleep.advance(by: .seconds(60))

        #expect(await transport.nextCall()?.partition == Sample.partition())
        running.cancel()
        await running.value
    }

    @Test("those who wait are notified when the run ends first")
    func runEndsFirst() async {
        fixture.fill(Sample.partition(), count: 1)
        let transport = FakeTransport(script: [.hang])
        let isWaiting = TestGate()
        let uploader = Uploader(
            source: fixture.source,
            transport: transport,
            reporting: UploadReporting(
                errorHandler: { _ in },
                logger: { _, line in if line.hasPrefix("Events: waiting until") { isWaiting.arrive() } }
            )
        )
        let running = Task { await uploader.run() }
        _ = await transport.nextCall()

        let waiting = Task { try await uploader.waitForUploads() }
        await isWaiting.pass()
        running.cancel()

        await #expect(throws: SyncTransportError.uploaderEnded) { try await waiting.value }
        await running.value
    }

    @Test("a second run returns at once and disturbs nothing")
    func secondRun() async throws {
        fixture.fill(Sample.partition(), count: 1)
        let transport = FakeTransport(script: [.hang])
        let uploader = fixture.uploader(transport)
        let running = Task { await uploader.run() }
        _ = await transport.nextCall()

        await uploader.run()

        #expect(transport.calls.count == 1)
        running.cancel()
        await running.value
    }

    @Test("waiting covers what was recorded before, not what comes later")
    func waitsForEarlierEvents() async throws {
        fixture.fill(Sample.partition(), count: 1)
        let later = TestGate()
        let transport = FakeTransport(script: [.honest, .hang])
        let uploader = Uploader(
            source: fixture.source,
            transport: transport,
            reporting: UploadReporting(
                errorHandler: { _ in },
                logger: { [source = fixture.source] _, line in
                    guard line.contains("the server holds up to 1") else { return }
                    source.append([2], to: Sample.partition())
                    later.arrive()
                }
            )
        )

        try await uploader.uploadEverything()

        await later.pass()
        #expect(fixture.source.summary(Sample.partition())?.acknowledgedThrough == 1)
        #expect(fixture.source.summary(Sample.partition())?.count == 2)
    }

    @Test("waiting ends when its own task is cancelled")
    func waitingIsCancelled() async {
        let uploader = fixture.uploader(FakeTransport())

        let waiting = Task { try await uploader.waitForUploads() }
        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("a watcher sees the progress of now first and what is left after an upload")
    func progress() async throws {
        fixture.fill(Sample.partition(), count: 2)
        let uploader = fixture.uploader(FakeTransport())
        try await uploader.uploadEverything()

        let progress = await uploader.progress().first { _ in true }

        #expect(progress?.statistics.eventsUploaded == 2)
        #expect(progress?.eventsWaiting == 0)
        #expect(progress?.lastError == nil)
    }
}
