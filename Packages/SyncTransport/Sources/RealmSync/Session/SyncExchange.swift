import ChangeModel
import EventModel

/// One connection of a session, from the moment that the file is presented to the failure that ends it.
///
/// ```
///  bind ──▶ schema, if asked ──▶ clocks ──▶ snapshot, if new or too old ──▶ ┬─ upload:   commits ▶ batch ▶ acknowledged
///                                                                           └─ download: entries ▶ integrated
/// ```
/// Memory: one batch and two answers.
struct SyncExchange: Sendable {
    /// How many bytes of entries are asked for at once.
    static let answerBytes = 256 << 10
    /// How many bytes of objects are asked for at once; two such pages are in memory.
    static let pageBytes = 512 << 10
    /// How long the server is asked to wait for an entry.
    static let wait = Duration.seconds(SyncWire.longestWait)
    /// How many bytes of changes a batch has, so that what stands around them has room beside them.
    static let batchBytes = ChangeLimits.batchBytes - (64 << 10)

    /// What a session is told while it runs.
    enum News: Sendable {
        /// The file was presented.
        case connected(needsSnapshot: Bool)
        /// The snapshot is in the file.
        case caughtUp
        /// The server did not do own writes, which were undone.
        case rejected([Integrated.RejectedWrite])
    }

    let store: StoreQueue
    let parts: SyncSession.Parts
    let board: SyncBoard
    let tell: @Sendable (News) -> Void

    var transport: any ChangeTransport { parts.transport }

    /// Exchanges until something fails.
    ///
    /// - Throws: What ended it: a `ChangeModelError`, a `SyncLie`, `SyncedElsewhere`, an error of the file, or `CancellationError`.
    func run() async throws {
        // What another process sent and took meanwhile is seen, too.
        board.didSee(try await store { try $0.syncState() })
        guard let lock = try parts.lock() else { throw SyncedElsewhere() }
        defer { withExtendedLifetime(lock) {} }
        let (answer, correction) = try await bind()
        try await confirm(answer.acknowledged)
        try await store { try $0.correctClocks(correction) }
        let state = try await store { try $0.syncState() }
        let needsSnapshot =
            state.bootstrap != nil || state.position < answer.floor || (state.position == 0 && answer.head > 0)
        tell(.connected(needsSnapshot: needsSnapshot))
        board.didBind(state, head: answer.head)
        if needsSnapshot {
            try await takeSnapshot(of: answer)
            tell(.caughtUp)
        }
        board.didBegin()
        defer { board.didDisconnect() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await upload(as: answer.binding) }
            group.addTask { try await download(as: answer.binding) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Presents the file, with its schema if the server asks for it, and compares the clocks.
    private func bind() async throws -> (BindAnswer, StampCorrection) {
        let state = try await store { try $0.syncState() }
        var request = BindRequest(of: state, deviceKey: parts.identity.publicKey)
        let (first, correction) = try await ask(request)
        guard first.needsSchema else { return (first, correction) }
        request.binding = first.binding
        request.schema = parts.identity.schema
        return try await ask(request)
    }

    /// Asks once, and keeps the binding; no time passes between the answer and the look at the clocks.
    private func ask(_ request: BindRequest) async throws -> (BindAnswer, StampCorrection) {
        let asked = parts.clock.now()
        let answer = try await transport.bind(request)
        let answered = parts.clock.now()
        try await store { try $0.bind(answer.binding) }
        return (
            answer,
            StampCorrection(serverMilliseconds: answer.serverMilliseconds, asked: asked, answered: answered)
        )
    }

    /// Notes what the server has of what was sent, where its answer was lost: what a snapshot has is not sent again after it.
    private func confirm(_ acknowledged: Int) async throws {
        while true {
            let (state, pending) = try await store { store in
                let state = try store.syncState()
                return (state, try store.pendingChanges(after: state.acknowledged, limit: Self.batchBytes))
            }
            guard acknowledged <= max(state.sent, state.acknowledged) else { throw SyncLie.inventsChange }
            let confirmed = pending.prefix { $0.number <= acknowledged }
            guard let last = confirmed.last else { return }
            let chain = confirmed.reduce(ChangeChain(head: state.chain, hash: parts.hash)) { $0.appending($1.body) }
            try await store { try $0.acknowledge(through: last.number, chain: chain.head) }
        }
    }
}

// MARK: - Snapshots

extension SyncExchange {
    /// Takes a snapshot, or goes on with one of the same history.
    private func takeSnapshot(of answer: BindAnswer) async throws {
        let history = answer.binding.history
        var state = try await store { try $0.syncState() }
        if state.bootstrap?.history != history {
            let first = try await firstPage(after: answer)
            try await store { store in
                try store.beginBootstrap(history: history, head: first.head)
                try store.integrate(first)
            }
            board.didTake(objects: first.objects.count)
            state = try await store { try $0.syncState() }
        }
        if let bootstrap = state.bootstrap, !bootstrap.isWhole {
            var circle = CircleWatch()
            _ = circle.closes(at: bootstrap.cursor)
            var next: SnapshotPage? = try await page(after: bootstrap.cursor, of: history)
            while let page = next {
                try Task.checkCancellation()
                if let cursor = page.next, circle.closes(at: cursor) { throw SyncLie.endlessSnapshot }
                // The server reads the next page while this one is taken in.
                async let following = self.page(behind: page, of: history)
                try await store { try $0.integrate(page) }
                board.didTake(objects: page.objects.count)
                next = try await following
            }
        }
        try await store { try $0.endBootstrap() }
        board.didSee(try await store { try $0.syncState() })
    }

    private func page(after cursor: SnapshotCursor?, of history: HistoryID) async throws -> SnapshotPage {
        try await transport.objects(after: cursor, history: history, limit: Self.pageBytes)
    }

    /// Returns the page behind another one; nil behind the last.
    private func page(behind page: SnapshotPage, of history: HistoryID) async throws -> SnapshotPage? {
        guard let cursor = page.next else { return nil }
        return try await self.page(after: cursor, of: history)
    }

    /// Returns the first page of a snapshot that has what the server is known to have of this file, and nothing else of it.
    ///
    /// A batch whose answer was lost may arrive between two requests. A page that was asked for meanwhile has it or has it not, its entry
    /// comes later or never, and nobody could tell: it is asked for again then.
    private func firstPage(after answer: BindAnswer) async throws -> SnapshotPage {
        var answer = answer
        while true {
            try Task.checkCancellation()
            let state = try await store { try $0.syncState() }
            let page = try await page(after: nil, of: answer.binding.history)
            // Nothing is under way that could arrive.
            guard state.sent > state.acknowledged else { return page }
            let acknowledged = answer.acknowledged
            (answer, _) = try await bind()
            // It grows as far as what was sent, so that this ends.
            guard answer.acknowledged > acknowledged else { return page }
            try await confirm(answer.acknowledged)
        }
    }
}

/// Notices that cursors go in a circle, with one of them in memory.
///
/// After Brent, An improved Monte Carlo factorization algorithm, 1980.
private struct CircleWatch {
    private var kept: SnapshotCursor?
    private var steps = 0
    private var stride = 1

    /// Takes the next cursor.
    ///
    /// - Returns: Whether it was there before.
    mutating func closes(at cursor: SnapshotCursor?) -> Bool {
        if steps > 0, cursor == kept { return true }
        steps += 1
        if steps == stride {
            kept = cursor
            stride *= 2
        }
        return false
    }
}
