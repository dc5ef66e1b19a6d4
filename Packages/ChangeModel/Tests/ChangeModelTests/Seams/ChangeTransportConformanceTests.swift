import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Promises of a way to the server")
struct ChangeTransportConformanceTests {
    @Test("the fake keeps every promise")
    func honest() async {
        let kit = ChangeTransportConformance { FakeChangeTransport(InMemoryRealmServer()) }

        #expect(await kit.brokenPromises() == [])
    }

    @Test("a server that lies is found by the promise that it breaks", arguments: LyingTransport.Lie.allCases)
    func liars(lie: LyingTransport.Lie) async {
        let kit = ChangeTransportConformance {
            LyingTransport(FakeChangeTransport(InMemoryRealmServer()), lie)
        }

        #expect(await kit.brokenPromises().contains { $0.hasPrefix(lie.rawValue) })
    }
}

/// A way to a server that breaks one promise, for the kit to find.
struct LyingTransport: ChangeTransport {
    enum Lie: String, CaseIterable {
        case takesAnySalt = "A file is known again, and a copy is not taken for it."
        case countsTwice = "A batch that is sent twice is taken once."
        case passesGaps = "A gap is named, and nothing behind it is taken."
        case passesConflicts = "Other bytes under a number that was taken are a conflict."
        case ignoresPosition = "Entries come in order from any position, one at least."
        case ignoresHistory = "Another history is named."
        case repeatsObjects = "Pages have each object once, in order."
    }

    let transport: FakeChangeTransport
    let lie: Lie

    init(_ transport: FakeChangeTransport, _ lie: Lie) {
        self.transport = transport
        self.lie = lie
    }

    func bind(_ request: BindRequest) async throws -> BindAnswer {
        var request = request
        if lie == .takesAnySalt { request.binding = nil }
        return try await transport.bind(request)
    }

    func send(_ batch: [UInt8]) async throws -> SendAnswer {
        do {
            var answer = try await transport.send(batch)
            if lie == .countsTwice { answer.acknowledged *= transport.calls.count - 1 }
            return answer
        } catch  where lie == .passesGaps || lie == .passesConflicts {
            return SendAnswer(acknowledged: 1, head: 1)
        }
    }

    func entries(
        after position: Int,
        history: HistoryID,
        wait: Duration,
        limit bytes: Int
    ) async throws -> EntriesAnswer {
        let position = lie == .ignoresPosition ? 0 : position
        return try await transport.entries(after: position, history: history, wait: wait, limit: bytes)
    }

    func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws -> SnapshotPage {
        let cursor = lie == .repeatsObjects ? nil : cursor
        let history = lie == .ignoresHistory ? .sample(1) : history
        return try await transport.objects(after: cursor, history: history, limit: bytes)
    }
}
