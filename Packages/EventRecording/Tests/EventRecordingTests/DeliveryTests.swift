import Dispatch
import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

@Suite("Delivery to the sink")
struct DeliveryTests {
    private struct DiskFull: Error, Equatable {}

    private static let object = SampleClass("object")
    private static let broken = SampleClass("broken")

    @Test(
        "a payload that cannot be made marks its event, the rest is kept and the completion says so",
        .tags(.scenario3, .scenario110),
        .bug(id: "E62")
    )
    func incompletePayload() async throws {
        let fixture = try RecordingFixture(encoder: FixedEncoder(failing: ["broken"]))
        let cause = FixedEncoder.Failure(className: "broken")

        await #expect(throws: RecordingError.incompleteEvents(count: 2, firstCause: cause)) {
            try await fixture.record { store in
                store.read(Self.object, 1)
                store.read(Self.broken, 2)
                store.write(Self.broken, modifying: [2])
                store.read(Self.object, 3)
            }
        }

        #expect(
            fixture.payloads == [
                "object:1",
                #"{"error":"A read of class 'broken' could not be represented: Failure."}"#,
                #"{"error":"A write could not be represented: Failure."}"#,
                "object:3",
            ]
        )
        #expect(fixture.sink.events.map(\.marks) == [[], .incomplete, .incomplete, []])
        #expect(fixture.events.statistics.eventsIncomplete == 2)
        #expect(fixture.events.statistics.eventsPersisted == 4)
    }

    @Test("a failure of one scope does not touch the next", .tags(.scenario110))
    func nextScope() async throws {
        let fixture = try RecordingFixture(encoder: FixedEncoder(failing: ["broken"]))

        try? await fixture.record { $0.read(Self.broken, 1) }
        try await fixture.record { $0.read(Self.object, 1) }

        #expect(fixture.sink.events.map(\.marks) == [.incomplete, []])
    }

    @Test("a sink that throws once is asked again and nothing is lost or reported")
    func transientFailure() async throws {
        let fixture = try RecordingFixture()
        fixture.sink.failNextAppends(with: [DiskFull()])

        try await fixture.record { $0.read(Self.object, 1) }

        #expect(fixture.payloads == ["object:1"])
        #expect(fixture.events.statistics.eventsFailed == 0)
    }

    @Test("a sink that throws twice makes the completion fail, and every way to report it is used")
    func lastingFailure() async throws {
        let log = LogSpy()
        let errors = Mutex(0)
        let fixture = try RecordingFixture(
            EventConfiguration(
                logger: log.logger,
                errorHandler: { error in errors.withLock { $0 += error is DiskFull ? 1 : 0 } }
            )
        )
        fixture.sink.failNextAppends(with: [DiskFull(), DiskFull()])

        await #expect(throws: DiskFull()) {
            try await fixture.record { store in
                store.read(Self.object, 1)
                store.read(Self.object, 2)
            }
        }
        try await fixture.record { $0.read(Self.object, 3) }

        #expect(fixture.payloads == ["object:3"])
        #expect(fixture.sink.batchSizes == [2, 2, 1])
        #expect(errors.withLock { $0 } == 1)
        #expect(log.messages(.error).count == 1)
        #expect(fixture.events.statistics.eventsRecorded == 3)
        #expect(fixture.events.statistics.eventsFailed == 2)
        #expect(fixture.events.statistics.eventsPersisted == 1)
    }

    @Test("what was given up and what could not be made is in the loss ledger")
    func ledger() async throws {
        let fixture = try RecordingFixture(encoder: FixedEncoder(failing: ["broken"]))
        fixture.sink.failNextAppends(with: [DiskFull(), DiskFull()])
        let first = fixture.clock.now().wall

        try? await fixture.record { store in
            store.read(Self.object, 1)
            fixture.clock.advance(microseconds: 7)
            store.read(Self.object, 2)
        }
        try? await fixture.record { $0.read(Self.broken, 1) }

        let losses = fixture.sink.losses
        #expect(losses.map(\.reason) == [.writeFailed, .encodingFailed])
        #expect(losses.map(\.count) == [2, 1])
        #expect(losses.first?.first == first)
        #expect(losses.first?.last == EventInstant(microseconds: first.microseconds + 7))
    }

    @Test("at the quota the completion gets the numbers and the remedy, and later events are refused one by one")
    func quota() async throws {
        let fixture = try RecordingFixture(sink: InMemoryEventSink(quota: EventQuota(bytes: 500)))
        let results = Mutex<[RecordingError?]>([])

        for number in 0..<12 {
            fixture.events.recordEvent(activity: "event", data: "\(number)") { error in
                results.withLock { $0.append(error as? RecordingError) }
            }
        }
        await fixture.events.flush()

        let stored = fixture.sink.events.count
        #expect(stored > 3)
        #expect(stored < 12)
        let outcomes = results.withLock { $0 }
        #expect(
            outcomes.map { $0 == nil } == Array(repeating: true, count: stored)
                + Array(repeating: false, count: 12 - stored)
        )
        guard case .quotaExceeded(let count, _, let used, let quota) = outcomes.last else {
            Issue.record("The error is \(String(describing: outcomes.last)).")
            return
        }
        #expect(count == 1)
        #expect(quota == 500)
        #expect(used > 400)
        #expect(outcomes[11]?.description.contains("EventConfiguration.quota") == true)
        #expect(fixture.events.statistics.eventsRejected == UInt64(12 - stored))
        #expect(fixture.sink.losses.reduce(0) { $0 + $1.count } == UInt64(12 - stored))
    }

    @Test("of a scope that does not fit, the first events are stored and its completion says how many are not")
    func scopeAtQuota() async throws {
        let fixture = try RecordingFixture(sink: InMemoryEventSink(quota: EventQuota(bytes: 600)))
        let other = SampleClass("other")
        var error: RecordingError?
        do {
            try await fixture.record { store in
                for number in 0..<Int64(10) { store.read(number.isMultiple(of: 2) ? Self.object : other, number) }
            }
        } catch let refusal as RecordingError {
            error = refusal
        }

        let stored = fixture.sink.events.count
        guard case .quotaExceeded(let count, let byteCount, _, _) = error else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
        #expect(stored > 2)
        #expect(count == 10 - stored)
        #expect(byteCount > count * 40)
        #expect(fixture.payloads == (0..<stored).map { "\($0.isMultiple(of: 2) ? "object" : "other"):\($0)" })
    }

    @Test("the completion of a scope that is stored in several batches gets the sum of what was refused")
    func longScopeAtQuota() async throws {
        let fixture = try RecordingFixture(sink: InMemoryEventSink(quota: EventQuota(bytes: 5000)))
        let other = SampleClass("other")
        var refused = 0
        do {
            try await fixture.record { store in
                for number in 0..<Int64(17_000) { store.read(number.isMultiple(of: 2) ? Self.object : other, number) }
            }
        } catch RecordingError.quotaExceeded(let count, _, _, _) {
            refused = count
        }

        #expect(fixture.sink.batchSizes.count == 2)
        #expect(refused == 17_000 - fixture.sink.events.count)
        #expect(fixture.sink.losses.eventCount == UInt64(refused))
    }

    @Test("an event that is too large fails its own completion and blocks nothing", .tags(.scenario101), .bug(id: "E6"))
    func oversized() async throws {
        let sink = InMemoryEventSink(maximumEventBytes: 200)
        let fixture = try RecordingFixture(sink: sink)
        let results = Mutex<[String]>([])

        for data in ["small", String(repeating: "x", count: 1000), "small too"] {
            fixture.events.recordEvent(activity: "custom", data: data) { error in
                results.withLock { $0.append((error as? RecordingError).map { "\($0)" } ?? "stored") }
            }
        }
        await fixture.events.flush()

        let size = 1057
        #expect(
            results.withLock { $0 } == [
                "stored", "\(RecordingError.eventTooLarge(byteCount: size, limit: 200))", "stored",
            ]
        )
        #expect(fixture.payloads == ["small", "small too"])
        #expect(fixture.events.statistics.eventsRejected == 1)
    }

    @Test("all that arrives while the sink is busy goes into one append")
    func groupCommit() throws {
        let firstIsAppending = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let sink = InMemoryEventSink { events in
            guard events.first?.activity == "first" else { return }
            firstIsAppending.signal()
            mayGoOn.wait()
        }
        let fixture = try RecordingFixture(sink: sink)
        let completed = Mutex<[Int]>([])

        fixture.events.recordEvent(activity: "first")
        firstIsAppending.wait()
        for index in 0..<64 {
            fixture.events.recordEvent(activity: "waiting") { _ in completed.withLock { $0.append(index) } }
        }
        mayGoOn.signal()
        fixture.recorder.waitUntilIdle()

        #expect(sink.batchSizes == [1, 64])
        #expect(completed.withLock { $0 } == Array(0..<64))
    }

    @Test("the events of a long scope are composed while those before are stored, and arrive in order, once each")
    func pipeline() async throws {
        let isBusy = Mutex(false)
        let sink = InMemoryEventSink { _ in
            #expect(
                isBusy.withLock { isBusy in
                    defer { isBusy = true }
                    return isBusy
                } == false,
                "The sink is called by one thread at a time."
            )
            isBusy.withLock { $0 = false }
        }
        let fixture = try RecordingFixture(sink: sink)
        let custom = Mutex<[Int]>([])

        let scope = fixture.events.beginScope(activity: "long")
        readInTurn(50_000, in: fixture)
        try await scope.commit()
        fixture.events.recordEvent(activity: "behind") { _ in
            custom.withLock { $0.append(sink.events.count) }
        }
        await fixture.events.flush()

        #expect(sink.batchSizes.count > 2)
        #expect(sink.events.count == 50_001)
        #expect(sink.events.map(\.id) == sink.events.map(\.id).sorted())
        #expect(custom.withLock { $0 } == [50_001])
        #expect(fixture.events.statistics.eventsPersisted == 50_001)
    }

    @Test("a batch of a long scope that fails twice is given up and reported, and those around it are stored")
    func pipelineFailure() async throws {
        let fixture = try RecordingFixture()
        let scope = fixture.events.beginScope(activity: "long")
        readInTurn(50_000, in: fixture)

        fixture.sink.failNextAppends(with: [DiskFull(), DiskFull()])
        await #expect(throws: DiskFull.self) { try await scope.commit() }

        let lost = fixture.sink.batchSizes[0]
        #expect(fixture.sink.events.count == 50_000 - lost)
        #expect(fixture.events.statistics.eventsRecorded == 50_000)
        #expect(fixture.events.statistics.eventsFailed == UInt64(lost))
        #expect(fixture.events.statistics.eventsPersisted == UInt64(50_000 - lost))
    }

    /// Reads two objects in turn, so that each read is an event.
    private func readInTurn(_ count: Int, in fixture: RecordingFixture) {
        let shape = SampleClass("object")
        let snapshots = [shape.snapshot(1), shape.snapshot(2)]
        for index in 0..<count { fixture.store.read(snapshots[index % 2]) }
    }

    @Test("of a batch that fails, each submission is offered by itself")
    func isolation() throws {
        let firstIsAppending = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let sink = InMemoryEventSink { events in
            guard events.first?.activity == "first" else { return }
            firstIsAppending.signal()
            mayGoOn.wait()
        }
        let fixture = try RecordingFixture(sink: sink)
        let failed = Mutex<[String]>([])

        fixture.events.recordEvent(activity: "first")
        firstIsAppending.wait()
        for name in ["a", "b", "c"] {
            fixture.events.recordEvent(activity: name) { error in
                if error != nil { failed.withLock { $0.append(name) } }
            }
        }
        sink.failNextAppends(with: [DiskFull(), DiskFull()])
        mayGoOn.signal()
        fixture.recorder.waitUntilIdle()

        #expect(sink.batchSizes == [1, 3, 1, 1, 1])
        #expect(failed.withLock { $0 } == ["a"])
        #expect(sink.events.map(\.activity) == ["first", "b", "c"])
    }

    @Test("a completion may record again, and flush waits for what was recorded before it")
    func recordingInCompletion() async throws {
        let fixture = try RecordingFixture()
        let recorder = fixture.recorder

        fixture.events.recordEvent(activity: "first") { _ in
            Events(recorder: recorder, owner: nil).recordEvent(activity: "second")
        }
        await fixture.events.flush()

        #expect(fixture.sink.events.map(\.activity) == ["first", "second"])
    }
}
