import ChangeModel
import EventModelTesting
import Synchronization

/// A way to a server on which requests and answers are lost, and requests arrive twice, until it is mended.
final class LossyTransport: ChangeTransport {
    private let way: any ChangeTransport
    private let random: Mutex<SeededGenerator?>

    /// Makes a way of a good one.
    init(_ way: any ChangeTransport, seed: UInt64) {
        self.way = way
        random = Mutex(SeededGenerator(seed: seed))
    }

    /// Loses nothing from now on.
    func mend() { random.withLock { $0 = nil } }

    func bind(_ request: BindRequest) async throws -> BindAnswer { try await pass { try await way.bind(request) } }

    func send(_ batch: [UInt8]) async throws -> SendAnswer { try await pass { try await way.send(batch) } }

    func entries(after position: Int, history: HistoryID, wait: Duration, limit bytes: Int) async throws
        -> EntriesAnswer
    {
        try await pass { try await way.entries(after: position, history: history, wait: wait, limit: bytes) }
    }

    func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws -> SnapshotPage {
        try await pass { try await way.objects(after: cursor, history: history, limit: 4096) }
    }

    private func pass<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        switch random.withLock({ $0?.below(10) ?? 9 }) {
        case 0: throw ChangeModelError.failed(.unreachable)
        case 1:
            _ = try await ask()
            throw ChangeModelError.failed(.unreachable)
        case 2:
            _ = try await ask()
            return try await ask()
        default: return try await ask()
        }
    }
}
