import ChangeModel
import EventModel

import struct Crypto.SHA256

/// One connection of a session, from the moment that the file is presented to the failure that ends it.
///
/// ```
///  bind ──▶ schema, if asked ──▶ clocks ──▶ snapshot, if new or too old ──▶ ┬─ upload:   commits ▶ batch ▶ acknowledged
///                                                                           └─ download: entries ▶ integrated
/// ```
/// Memory: one batch and one answer.
struct SyncExchange: Sendable {
    /// How many bytes of entries and objects are asked for at once.
    static let answerBytes = 256 << 10
    /// How long the server is asked to wait for an entry.
    static let wait = Duration.seconds(SyncWire.longestWait)
    /// How many bytes of changes a batch has, so that what stands around them has room beside them.
    static let batchBytes = ChangeLimits.batchBytes - (64 << 10)

    let store: StoreQueue
    let transport: any ChangeTransport
    let identity: SyncIdentity
    let clock: any EventClock
    let hash: ChangeChain.Hash
    let board: SyncBoard
    /// Is called when the file was presented.
    let connected: @Sendable () -> Void

    /// Exchanges until something fails.
    ///
    /// - Throws: What ended it: a `ChangeModelError`, an error of the file, or `CancellationError`.
    func run() async throws {
        let answer = try await bind()
        try await confirm(answer.acknowledged)
        try await store { try $0.correctClocks(correction(by: answer)) }
        connected()
        board.didConnect(try await store { try $0.syncState() }, head: answer.head)
        if try await needsSnapshot(answer) { try await takeSnapshot(of: answer.binding.history) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await upload(as: answer.binding) }
            group.addTask { try await download(as: answer.binding) }
            defer { group.cancelAll() }
            try await group.next()
        }
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
            let chain = confirmed.reduce(ChangeChain(head: state.chain, hash: hash)) { $0.appending($1.body) }
            try await store { try $0.acknowledge(through: last.number, chain: chain.head) }
        }
    }

    private func correction(by answer: BindAnswer) -> StampCorrection {
        StampCorrection(serverMilliseconds: answer.serverMilliseconds, reading: clock.now())
    }

    /// Presents the file, with its schema if the server asks for it.
    private func bind() async throws -> BindAnswer {
        let state = try await store { try $0.syncState() }
        var request = BindRequest(
            binding: state.binding,
            position: state.position,
            acknowledged: state.acknowledged,
            made: state.nextNumber - 1,
            schemaHash: state.schemaHash,
            deviceKey: identity.publicKey
        )
        var answer = try await transport.bind(request)
        try await keep(answer.binding)
        guard answer.needsSchema else { return answer }
        request.binding = answer.binding
        request.schema = identity.schema
        answer = try await transport.bind(request)
        try await keep(answer.binding)
        return answer
    }

    private func keep(_ binding: FileBinding) async throws { try await store { try $0.bind(binding) } }

    /// Hashes as the server does.
    static let sha256: ChangeChain.Hash = { bytes in
        guard let digest = Digest(SHA256.hash(data: bytes)) else {
            preconditionFailure("A SHA-256 has \(Digest.byteCount) bytes.")
        }
        return digest
    }
}

// MARK: - Snapshots

extension SyncExchange {
    /// Whether the file begins, goes on with a snapshot, or is behind what the log has.
    private func needsSnapshot(_ answer: BindAnswer) async throws -> Bool {
        let state = try await store { try $0.syncState() }
        return state.bootstrap != nil || state.position < answer.floor || (state.position == 0 && answer.head > 0)
    }

    /// Takes a snapshot, or goes on with one of the same history.
    private func takeSnapshot(of history: HistoryID) async throws {
        var state = try await store { try $0.syncState() }
        if state.bootstrap?.history != history {
            let first = try await transport.objects(after: nil, history: history, limit: Self.answerBytes)
            try await store { store in
                try store.beginBootstrap(history: history, head: first.head)
                try store.integrate(first)
            }
            board.didTake(objects: first.objects.count)
            state = try await store { try $0.syncState() }
        }
        while let bootstrap = state.bootstrap, !bootstrap.isWhole {
            try Task.checkCancellation()
            let page = try await transport.objects(
                after: bootstrap.cursor,
                history: history,
                limit: Self.answerBytes
            )
            try await store { try $0.integrate(page) }
            board.didTake(objects: page.objects.count)
            state = try await store { try $0.syncState() }
        }
        try await store { try $0.endBootstrap() }
        board.didIntegrate(to: try await store { try $0.syncState() }.position, head: nil)
    }
}

// MARK: - Uploading

extension SyncExchange {
    /// Sends what is pending, and waits for commits.
    private func upload(as binding: FileBinding) async throws {
        // Listens before it looks, so that no commit falls between.
        let commits = store.commits()
        var iterator = commits.makeAsyncIterator()
        while true {
            while try await sendNext(as: binding) {}
            guard await iterator.next() != nil else { throw CancellationError() }
        }
    }

    /// Sends the next batch.
    ///
    /// - Returns: Whether there was one.
    private func sendNext(as binding: FileBinding) async throws -> Bool {
        try Task.checkCancellation()
        let (state, pending) = try await store { store in
            let state = try store.syncState()
            let pending = try store.pendingChanges(after: state.acknowledged, limit: Self.batchBytes)
            return (state, pending.prefix(ChangeLimits.batchChanges))
        }
        board.didSee(state)
        guard let first = pending.first, let last = pending.last else { return false }
        let batch = try signed(Array(pending), first: first.number, as: binding, after: state.chain)
        // Its bytes stay as they are from here on, as the server may have them although no answer comes.
        try await store { try $0.noteSent(through: last.number) }
        let answer = try await transport.send(batch.bytes)
        guard answer.acknowledged >= last.number else { throw SyncLie.acknowledgesLess }
        try await store { try $0.acknowledge(through: last.number, chain: batch.chain) }
        board.didAcknowledge(last.number, bytes: pending.reduce(0) { $0 + $1.body.count }, head: answer.head)
        return true
    }

    private func signed(
        _ pending: [PendingChange],
        first: Int,
        as binding: FileBinding,
        after chain: Digest
    ) throws -> SignedBatch {
        var failure: (any Error)?
        let batch = try SignedBatch(
            file: binding.file,
            first: first,
            bodies: pending.map(\.body),
            after: ChangeChain(head: chain, hash: hash)
        ) { head in
            do {
                return try identity.sign(head)
            } catch {
                failure = error
                return [UInt8](repeating: 0, count: SignedBatch.signatureBytes)
            }
        }
        if let failure { throw failure }
        return batch
    }
}

// MARK: - Downloading

extension SyncExchange {
    /// Integrates entries as they come.
    private func download(as binding: FileBinding) async throws {
        var position = try await store { try $0.syncState() }.position
        while true {
            let answer = try await transport.entries(
                after: position,
                history: binding.history,
                wait: Self.wait,
                limit: Self.answerBytes
            )
            try Task.checkCancellation()
            let entries = try answer.entries
            guard !entries.isEmpty else {
                board.didIntegrate(to: position, head: answer.head)
                continue
            }
            try await confirmOwn(entries, as: binding)
            let integrated = try await store { try $0.integrate(entries) }
            guard integrated.position > position else { throw SyncLie.repeatsEntries }
            position = integrated.position
            board.didIntegrate(to: position, head: answer.head)
            if !integrated.rejected.isEmpty { board.didReject(integrated.rejected) }
        }
    }

    /// Waits until own changes whose entries came are acknowledged: an entry may be faster than the answer to its upload.
    private func confirmOwn(_ entries: [Entry], as binding: FileBinding) async throws {
        guard let last = entries.last(where: { $0.change.file == binding.file })?.change.number else { return }
        guard try await store({ try $0.syncState() }).sent >= last else { throw SyncLie.inventsChange }
        try await board.untilAcknowledged(last)
    }
}

/// What no honest server says; the file is untouched.
enum SyncLie: Error, Sendable, Equatable {
    /// It took a batch, and says that it has less than that.
    case acknowledgesLess
    /// It sends entries that the file has.
    case repeatsEntries
    /// It sends the entry of a change of this file that was never sent.
    case inventsChange

    /// A sentence that says what is wrong.
    var description: String {
        switch self {
        case .acknowledgesLess: "The server says that it has less than what it took."
        case .repeatsEntries: "The server sends entries that the file has."
        case .inventsChange: "The server sends an entry of a change of this file that was never sent."
        }
    }
}
