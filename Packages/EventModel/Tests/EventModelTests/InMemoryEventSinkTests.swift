import EventModel
import EventModelTesting
import Testing

@Suite("InMemoryEventSink")
struct InMemoryEventSinkTests {
    private struct Failure: Error {}

    private static func event(_ activity: String) -> AuditEvent {
        AuditEvent(id: SequentialIds().next(), clock: ManualClock().now(), activity: activity)
    }

    @Test("it keeps the rules of a sink")
    func conformance() {
        let kit = EventSinkConformance(make: { InMemoryEventSink() }, readBack: { $0.events })

        #expect(kit.brokenRules() == [])
    }

    @Test("a sink that loses events is found out")
    func brokenSink() {
        struct ForgetfulSink: EventSink {
            func append(_ events: [AuditEvent]) throws -> AppendReceipt { AppendReceipt(places: []) }
            func note(_ losses: [LossEntry]) {}
            func enterLosses() {}
            func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> { [] }
            func noteDeletions() -> DeletionNoting { DeletionNoting {} }
        }

        let kit = EventSinkConformance(make: { ForgetfulSink() }, readBack: { _ in [] })

        #expect(kit.brokenRules().count == 5)
    }

    @Test("it keeps the rules about what is not stored")
    func ledgerConformance() {
        let kit = LossLedgerConformance(
            make: { InMemoryEventSink(maximumEventBytes: $1, quota: $0) },
            readBack: { $0.events },
            losses: { $0.losses }
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("a sink that forgets what it refused is found out")
    func silentSink() {
        let kit = LossLedgerConformance(
            make: { InMemoryEventSink(maximumEventBytes: $1, quota: $0) },
            readBack: { $0.events },
            losses: { _ in [] }
        )

        #expect(kit.brokenRules().count == 4)
    }

    @Test("an event that is too large is rejected and the others are stored")
    func rejection() throws {
        let small = Self.event("small")
        let large = Self.event(String(repeating: "large ", count: 50))
        let sink = InMemoryEventSink(maximumEventBytes: 100)

        let receipt = try sink.append([small, large, small])

        #expect(receipt.count == 2)
        #expect(receipt.rejections == [.init(index: 1, byteCount: large.encoded.count, limit: 100)])
        #expect(sink.events == [small, small])
    }

    @Test("a scripted failure stores nothing and is used up")
    func scriptedFailure() throws {
        let sink = InMemoryEventSink()
        sink.failNextAppends(with: [Failure()])

        #expect(throws: Failure.self) { try sink.append([Self.event("lost")]) }
        _ = try sink.append([Self.event("kept")])

        #expect(sink.events.map(\.activity) == ["kept"])
        #expect(sink.batchSizes == [1, 1])
    }
}
