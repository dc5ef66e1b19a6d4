import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Testing

@Suite("Snapshots among other work")
struct SnapshotRunTests {
    @Test("files are equal in the end, however snapshots, uploads, downloads and commits follow each other")
    func agreement() throws {
        // Where links were cleared twice: once when their object was deleted, and once when it was taken again from a page.
        let known: [UInt64] = [52, 606, 1084, 1538, 2804, 3098]
        let fresh = (0..<160).map { _ in UInt64.random(in: 0...UInt64.max) }
        for seed in known + fresh {
            var run = SnapshotRun(seed: seed)
            let wrong = try run.run()
            #expect(wrong == nil, "seed \(seed)")
        }
    }
}

/// A server and two files that take snapshots page by page, with everything else in between.
private struct SnapshotRun {
    private let server = InMemoryRealmServer()
    private var stores = (0..<2).map { _ in InMemorySyncedStore() }
    private var random: SeededGenerator
    private var work: RandomWork
    private var tick: Int64 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        work = RandomWork(seed: seed)
    }

    mutating func run() throws -> String? {
        for _ in 0..<40 {
            let store = stores[random.below(stores.count)]
            switch random.below(7) {
            case 0, 1, 2:
                tick += 1
                let reading = ClockReading(
                    wall: EventInstant(microseconds: 1_000_000_000_000_000 + tick * 1000),
                    monotonicNanoseconds: 0,
                    boot: Boot(high: 0, low: 1)
                )
                store.commit(work.operations(on: store.contents), reading: reading)
            case 3: try upload(store)
            case 4: try download(store, limit: random.below(400))
            case 5: try page(store)
            default: server.raiseFloor(to: random.below(server.head + 1))
            }
        }
        // The second time around everybody has what the others sent in the first one.
        for _ in 0..<2 {
            for store in stores {
                while store.syncState().bootstrap != nil { try page(store) }
                while store.syncState().acknowledged < store.syncState().nextNumber - 1 { try upload(store) }
                try download(store, limit: .max)
            }
        }
        let wrong = stores.flatMap { $0.violations(of: server.contents) }
        return wrong.isEmpty ? nil : wrong.joined(separator: ", ")
    }

    /// Binds as a session does: what is acknowledged is noted.
    private func bind(_ store: InMemorySyncedStore) throws -> BindAnswer {
        let state = store.syncState()
        let answer = try server.bind(
            BindRequest(of: state, deviceKey: [])
        )
        try store.bind(answer.binding)
        return answer
    }

    private func upload(_ store: InMemorySyncedStore) throws {
        let answer = try bind(store)
        let state = store.syncState()
        guard state.bootstrap == nil else { return }
        let pending = store.pendingChanges(after: state.acknowledged, limit: 300)
        guard let first = pending.first, let last = pending.last else { return }
        try store.noteSent(through: last.number)
        let batch = try SignedBatch(
            file: answer.binding.file,
            first: first.number,
            bodies: pending.map(\.body),
            after: ChangeChain(head: state.chain, hash: Digest.mixing)
        ) { _ in [UInt8](repeating: 0, count: SignedBatch.signatureBytes) }
        _ = try server.send(batch.bytes)
        try store.acknowledge(through: last.number, chain: batch.chain)
    }

    private func download(_ store: InMemorySyncedStore, limit: Int) throws {
        let answer = try bind(store)
        let state = store.syncState()
        guard state.bootstrap == nil else { return }
        guard state.position >= answer.floor else {
            while try page(store) {}
            return try download(store, limit: limit)
        }
        let entries = try server.entries(after: state.position, history: answer.binding.history, limit: limit).entries
        _ = try store.integrate(entries)
    }

    /// Takes the next page of a snapshot, the first one of another one, or its end.
    @discardableResult
    private func page(_ store: InMemorySyncedStore) throws -> Bool {
        let history = try bind(store).binding.history
        guard let bootstrap = store.syncState().bootstrap else {
            let page = try server.page(after: nil, history: history, limit: 1)
            store.beginBootstrap(history: history, head: page.head)
            try store.integrate(page)
            return true
        }
        guard !bootstrap.isWhole else {
            try store.endBootstrap()
            return false
        }
        try store.integrate(try server.page(after: bootstrap.cursor, history: history, limit: 1))
        return true
    }
}
