import ChangeModel
import ChangeModelTesting

/// A way to a server on which somebody changes what is asked or answered.
struct BentTransport: ChangeTransport {
    let way: any ChangeTransport
    /// How many bytes pages and answers may have, whatever is asked for.
    var limit: Int?
    /// How long the server may wait, whatever is asked for.
    var wait: Duration?
    /// Is told how long each request for entries may be kept waiting.
    var asked: @Sendable (Duration) -> Void = { _ in }
    var bindAnswer: @Sendable (BindAnswer) -> BindAnswer = { $0 }
    var sendAnswer: @Sendable (SendAnswer) -> SendAnswer = { $0 }
    var entriesAnswer: @Sendable (EntriesAnswer) -> EntriesAnswer = { $0 }
    var page: @Sendable (SnapshotPage) -> SnapshotPage = { $0 }

    func bind(_ request: BindRequest) async throws -> BindAnswer { bindAnswer(try await way.bind(request)) }

    func send(_ batch: [UInt8]) async throws -> SendAnswer { sendAnswer(try await way.send(batch)) }

    func entries(after position: Int, history: HistoryID, wait: Duration, limit bytes: Int) async throws
        -> EntriesAnswer
    {
        asked(wait)
        return entriesAnswer(
            try await way.entries(
                after: position,
                history: history,
                wait: self.wait ?? wait,
                limit: min(bytes, limit ?? bytes)
            )
        )
    }

    func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws -> SnapshotPage {
        page(try await way.objects(after: cursor, history: history, limit: min(bytes, limit ?? bytes)))
    }
}
