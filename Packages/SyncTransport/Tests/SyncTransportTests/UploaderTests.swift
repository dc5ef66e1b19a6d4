import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("Uploader")
struct UploaderTests {
    let source = FakePartitionSource()
    let reports = Reports()
    let sleep = ManualSleep()

    private func uploader(
        _ transport: any EventTransport,
        limits: UploadLimits = UploadLimits(),
        hasHandler: Bool = true
    ) -> Uploader {
        Uploader(
            source: source,
            transport: transport,
            limits: limits,
            reporting: reports.reporting(hasHandler: hasHandler),
            environment: UploadEnvironment(sleep: { [sleep] in try await sleep.sleep($0) }, randomFraction: { 1 })
        )
    }

    private func fill(_ partition: PartitionID, count: UInt8, sealed: Bool = false) {
        for number in 0..<count { source.append([number + 1], to: partition) }
        if sealed { source.seal(partition) }
    }

    private func nextBackoff() async -> Duration? {
        await sleep.nextPause(ignoring: UploadLimits().interval)
    }

    @Test("everything is proven, sealed partitions are deleted and the open one stays")
    func uploadsEverything() async throws {
        fill(Sample.partition(1), count: 3, sealed: true)
        fill(Sample.partition(2), count: 0, sealed: true)
        fill(Sample.partition(3), count: 2)
        let transport = FakeTransport()
        let uploader = uploader(transport)

        try await uploader.uploadEverything()

        #expect(try source.partitions().map(\.partition) == [Sample.partition(3)])
        #expect(source.summary(Sample.partition(3))?.acknowledgedThrough == 2)
        #expect(transport.events(of: Sample.partition(1)) == [[1], [2], [3]])
        #expect(transport.seal(of: Sample.partition(1))?.count == 3)
        #expect(uploader.statistics.eventsUploaded == 5)
        #expect(uploader.statistics.partitionsDeleted == 2)
        #expect(uploader.statistics.bytesSent == 5)
        #expect(uploader.statistics.retries == 0)
        #expect(reports.errors == [])
    }

    @Test("Scenario 59: a server that is down is tried again with growing pauses until it is up", .tags(.scenario59))
    func serverDownThenUp() async throws {
        fill(Sample.partition(), count: 2, sealed: true)
        let down = TransportError(.unreachable, message: "The server cannot be reached.")
        let transport = FakeTransport(script: [.fail(down), .fail(down), .fail(down)])
        let uploader = uploader(transport)

        async let uploaded: Void = uploader.uploadEverything()
        for expected in [Duration.milliseconds(500), .seconds(1), .seconds(2)] {
            #expect(await nextBackoff() == expected)
            #expect(source.summary(Sample.partition()) != nil)
            sleep.advance(by: expected)
        }
        try await uploaded

        #expect(source.summary(Sample.partition()) == nil)
        #expect(transport.calls.count == 4)
        #expect(uploader.statistics.retries == 3)
        #expect(uploader.statistics.eventsUploaded == 2)
        #expect(reports.errors == [])
    }

    @Test("a lost answer and a second attempt store every event once")
    func lostAnswer() async throws {
        fill(Sample.partition(), count: 3, sealed: true)
        let lost = TransportError(.unreachable, message: "The connection broke.")
        let transport = FakeTransport(script: [.storeThenFail(lost)])
        let uploader = uploader(transport)

        async let uploaded: Void = uploader.uploadEverything()
        _ = await nextBackoff()
        sleep.advance(by: .seconds(1))
        try await uploaded

        #expect(transport.events(of: Sample.partition()) == [[1], [2], [3]])
        #expect(uploader.statistics.eventsUploaded == 3)
        #expect(source.summary(Sample.partition()) == nil)
    }

    @Test("a wrong root keeps the partition, sets it aside and reports it")
    func wrongRoot() async throws {
        fill(Sample.partition(), count: 3, sealed: true)
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
        let uploader = uploader(transport)

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        let kept = try #require(source.summary(Sample.partition()))
        #expect(kept.count == 3)
        #expect(kept.acknowledgedThrough == 0)
        #expect(kept.quarantineReason != nil)
        #expect(uploader.statistics.eventsUploaded == 0)
        #expect(uploader.statistics.partitionsQuarantined == 1)
        guard case .partitionQuarantined(Sample.partition(), _) = try #require(reports.errors.first) else {
            Issue.record("The report is \(reports.errors).")
            return
        }
    }

    @Test("a partition that is set aside does not hold up the others")
    func othersGoOn() async throws {
        fill(Sample.partition(1), count: 1, sealed: true)
        fill(Sample.partition(2), count: 1, sealed: true)
        let conflict = TransportError(.conflict, message: "The server holds other events.")
        let uploader = uploader(
            FakeTransport(script: [.fail(conflict)]),
            limits: UploadLimits(maximumPartitionsInFlight: 1)
        )

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition(1)])) {
            try await uploader.uploadEverything()
        }

        #expect(try source.partitions().map(\.partition) == [Sample.partition(1)])
        #expect(uploader.statistics.partitionsDeleted == 1)
    }

    @Test("a stretch that is too large is split until it fits")
    func splits() async throws {
        fill(Sample.partition(), count: 8, sealed: true)
        let transport = FakeTransport(byteLimit: 3)
        let uploader = uploader(transport)

        try await uploader.uploadEverything()

        #expect(transport.calls.map(\.events.count) == [8, 4, 2, 2, 2, 2])
        #expect(transport.events(of: Sample.partition()).count == 8)
        #expect(source.summary(Sample.partition()) == nil)
    }

    @Test("Scenario 69: a server that lost events gets them again from where it is", .tags(.scenario69))
    func serverRestoredFromBackup() async throws {
        fill(Sample.partition(), count: 4)
        let transport = FakeTransport()
        let uploader = uploader(transport, limits: UploadLimits(maximumStretchBytes: 1))
        try await uploader.uploadEverything()
        transport.forget(Sample.partition(), after: 2)
        source.append([5], to: Sample.partition())

        async let uploaded: Void = uploader.uploadEverything()
        _ = await nextBackoff()
        sleep.advance(by: .seconds(1))
        try await uploaded

        #expect(transport.events(of: Sample.partition()) == [[1], [2], [3], [4], [5]])
        #expect(source.summary(Sample.partition())?.acknowledgedThrough == 5)
    }

    @Test("four partitions are in flight at most, the oldest first")
    func fourInFlight() async throws {
        for number in 1...6 { fill(Sample.partition(UInt32(number)), count: 1, sealed: true) }
        let transport = FakeTransport(script: Array(repeating: .hang, count: 4))
        let uploader = uploader(transport)

        let running = Task { await uploader.run() }
        for _ in 0..<4 { _ = await transport.nextCall() }
        running.cancel()
        await running.value

        #expect(Set(transport.calls.map(\.partition)) == Set((1...4).map { Sample.partition($0) }))
        #expect(transport.mostInFlight == 4)
    }

    @Test("Scenario 60: cancellation ends the run, keeps everything, and the next run resumes", .tags(.scenario60))
    func cancellation() async throws {
        fill(Sample.partition(), count: 2, sealed: true)
        let transport = FakeTransport(script: [.hang])
        let uploader = uploader(transport)

        let running = Task { await uploader.run() }
        _ = await transport.nextCall()
        running.cancel()
        await running.value

        #expect(source.summary(Sample.partition())?.acknowledgedThrough == 0)
        #expect(reports.errors == [])
        try await uploader.uploadEverything()
        #expect(source.summary(Sample.partition()) == nil)
    }

    @Test("a change wakes a run that has nothing to do")
    func wakesOnChange() async throws {
        let transport = FakeTransport()
        let uploader = uploader(transport)
        let (changes, changed) = AsyncStream<Void>.makeStream()
        let running = Task { await uploader.run(waking: changes) }
        try await uploader.waitForUploads()

        fill(Sample.partition(), count: 1)
        changed.yield()

        #expect(await transport.nextCall()?.partition == Sample.partition())
        try await uploader.waitForUploads()
        #expect(source.summary(Sample.partition())?.acknowledgedThrough == 1)
        running.cancel()
        await running.value
    }

    @Test("the timer finds what nobody reported")
    func wakesOnTimer() async throws {
        let transport = FakeTransport()
        let uploader = uploader(transport)
        let running = Task { await uploader.run() }
        #expect(await sleep.nextPause() == .seconds(60))
        try await uploader.waitForUploads()

        fill(Sample.partition(), count: 1)
        sleep.advance(by: .seconds(60))

        #expect(await transport.nextCall()?.partition == Sample.partition())
        running.cancel()
        await running.value
    }

    @Test("those who wait are told when the run ends first")
    func runEndsFirst() async {
        fill(Sample.partition(), count: 1)
        let transport = FakeTransport(script: [.hang])
        let isWaiting = TestGate()
        let uploader = Uploader(
            source: source,
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
        fill(Sample.partition(), count: 1)
        let transport = FakeTransport(script: [.hang])
        let uploader = uploader(transport)
        let running = Task { await uploader.run() }
        _ = await transport.nextCall()

        await uploader.run()

        #expect(transport.calls.count == 1)
        running.cancel()
        await running.value
    }

    @Test("waiting covers what was recorded before, not what comes later")
    func waitsForEarlierEvents() async throws {
        fill(Sample.partition(), count: 1)
        let later = TestGate()
        let transport = FakeTransport(script: [.honest, .hang])
        let uploader = Uploader(
            source: source,
            transport: transport,
            reporting: UploadReporting(
                errorHandler: { _ in },
                logger: { [source] _, line in
                    guard line.contains("the server holds up to 1") else { return }
                    source.append([2], to: Sample.partition())
                    later.arrive()
                }
            )
        )

        try await uploader.uploadEverything()

        await later.pass()
        #expect(source.summary(Sample.partition())?.acknowledgedThrough == 1)
        #expect(source.summary(Sample.partition())?.count == 2)
    }

    @Test("waiting ends when its own task is cancelled")
    func waitingIsCancelled() async {
        let uploader = uploader(FakeTransport())

        let waiting = Task { try await uploader.waitForUploads() }
        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("partitions that cannot be listed fail those who wait")
    func listingFails() async {
        source.failNext(.list, "EMFILE")
        let uploader = uploader(FakeTransport())

        await #expect(throws: SyncTransportError.partitionsUnavailable(reason: #"scripted("EMFILE")"#)) {
            try await uploader.uploadEverything()
        }
    }

    @Test("a run reports partitions that cannot be listed and looks again")
    func runListsAgain() async throws {
        fill(Sample.partition(), count: 1)
        source.failNext(.list, "EMFILE")
        let uploader = uploader(FakeTransport())
        let watched = uploader.progress()
        let running = Task { await uploader.run() }
        let sentence = await watched.first { $0.lastError != nil }?.lastError

        try await uploader.waitForUploads()

        #expect(sentence == #"The partitions could not be listed: scripted("EMFILE")"#)
        #expect(source.summary(Sample.partition())?.acknowledgedThrough == 1)
        running.cancel()
        await running.value
        #expect(reports.errors == [.partitionsUnavailable(reason: #"scripted("EMFILE")"#)])
    }

    @Test("a partition that cannot be set aside is left alone and both errors are reported")
    func quarantineFails() async {
        fill(Sample.partition(), count: 1)
        source.failNext(.quarantine, "ENOSPC")
        let rejected = TransportError(.rejected, message: "The server refuses the request.")
        let uploader = uploader(FakeTransport(script: [.fail(rejected)]))

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(reports.errors.count == 2)
        #expect(uploader.statistics.partitionsQuarantined == 0)
    }

    @Test(
        "Scenarios 66 and 68: without a handler a fatal error of the current partition is logged and aborts",
        .tags(.scenario66, .scenario68)
    )
    func abortsWithoutHandler() async {
        fill(Sample.partition(), count: 1)
        let refused = TransportError(.invalidSchemaChange, message: "Invalid schema change.")
        let uploader = uploader(FakeTransport(script: [.fail(refused)]), hasHandler: false)

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(reports.aborts.count == 1)
        #expect(reports.aborts.first?.contains("Invalid schema change.") == true)
        #expect(reports.lines.contains { $0.hasPrefix("fatal: ") })
    }

    @Test("without a handler an error of a sealed partition is logged only")
    func sealedNeverAborts() async {
        fill(Sample.partition(), count: 1, sealed: true)
        let refused = TransportError(.forbidden, message: "The user may not do this.")
        let uploader = uploader(FakeTransport(script: [.fail(refused)]), hasHandler: false)

        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition()])) {
            try await uploader.uploadEverything()
        }

        #expect(reports.aborts == [])
        #expect(reports.lines.contains { $0.hasPrefix("error: ") })
    }

    @Test("a stopped partition is tried again by the next run")
    func stoppedIsTriedAgain() async throws {
        fill(Sample.partition(), count: 1)
        let refused = TransportError(.forbidden, message: "The user may not do this.")
        let transport = FakeTransport(script: [.fail(refused)])
        let uploader = uploader(transport)
        await #expect(throws: SyncTransportError.self) { try await uploader.uploadEverything() }
        #expect(transport.calls.count == 1)

        try await uploader.uploadEverything()

        #expect(source.summary(Sample.partition())?.acknowledgedThrough == 1)
    }

    @Test("a watcher sees the progress of now first and what is left after an upload")
    func progress() async throws {
        fill(Sample.partition(), count: 2)
        let uploader = uploader(FakeTransport())
        try await uploader.uploadEverything()

        let progress = await uploader.progress().first { _ in true }

        #expect(progress?.statistics.eventsUploaded == 2)
        #expect(progress?.eventsWaiting == 0)
        #expect(progress?.lastError == nil)
    }
}
