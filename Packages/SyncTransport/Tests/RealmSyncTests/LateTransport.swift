import ChangeModel
import Synchronization

/// The first batch of a device, which is lost and arrives later, while a snapshot begins.
final class LateBatch: Sendable {
    /// When it arrives.
    enum Moment: Sendable {
        case beforeThePage, behindThePage, behindTheSecondBind
    }

    private struct State {
        var batch: [UInt8]?
        var hasPage = false
        var hasArrived = false
    }

    private let moment: Moment
    private let state = Mutex(State())
    private let lost = AsyncStream.makeStream(of: Void.self)

    init(at moment: Moment) { self.moment = moment }

    /// Whether it was lost, waited for.
    var isLost: Bool { get async { await lost.stream.first { true } != nil } }
    /// Whether it has arrived.
    var hasArrived: Bool { state.withLock(\.hasArrived) }

    /// Loses a batch, unless one was lost already.
    func loses(_ batch: [UInt8]) -> Bool {
        let isFirst = state.withLock { state in
            guard state.batch == nil else { return false }
            state.batch = batch
            return true
        }
        if isFirst { lost.continuation.yield() }
        return isFirst
    }

    /// The batch, if it arrives now.
    func arriving(_ now: Moment) -> [UInt8]? {
        state.withLock { state in
            guard now == moment, !state.hasArrived, let batch = state.batch else { return nil }
            if now == .behindTheSecondBind, !state.hasPage { return nil }
            state.hasArrived = true
            return batch
        }
    }

    func didAskForPage() { state.withLock { $0.hasPage = true } }
}

/// A way to a server on which a batch is late.
struct LateTransport: ChangeTransport {
    let way: any ChangeTransport
    let late: LateBatch

    private func deliver(_ now: LateBatch.Moment) async throws {
        if let batch = late.arriving(now) { _ = try await way.send(batch) }
    }

    func bind(_ request: BindRequest) async throws -> BindAnswer {
        let answer = try await way.bind(request)
        try await deliver(.behindTheSecondBind)
        return answer
    }

    func send(_ batch: [UInt8]) async throws -> SendAnswer {
        if late.loses(batch) { throw ChangeModelError.failed(.unreachable) }
        return try await way.send(batch)
    }

    func entries(after position: Int, history: HistoryID, wait: Duration, limit bytes: Int) async throws
        -> EntriesAnswer
    {
        try await way.entries(after: position, history: history, wait: wait, limit: bytes)
    }

    func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws -> SnapshotPage {
        try await deliver(.beforeThePage)
        let page = try await way.objects(after: cursor, history: history, limit: bytes)
        late.didAskForPage()
        try await deliver(.behindThePage)
        return page
    }
}
