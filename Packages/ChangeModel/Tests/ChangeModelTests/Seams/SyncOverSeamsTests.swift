import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Testing

@Suite("Stores that sync over the seams alone")
struct SyncOverSeamsTests {
    /// A device: a store, its way to the server, and its clocks.
    private struct Device {
        let store = InMemorySyncedStore()
        let transport: FakeChangeTransport
        let time = Counter()

        init(_ server: InMemoryRealmServer) { transport = FakeChangeTransport(server) }

        func commit(_ operations: ChangeOperation...) { store.commit(operations, reading: time.reading) }

        func bind() async throws {
            let state = store.syncState()
            let answer = try await transport.bind(
                BindRequest(of: state, deviceKey: [])
            )
            try store.bind(answer.binding)
        }

        func upload() async throws {
            let state = store.syncState()
            let pending = store.pendingChanges(after: state.acknowledged, limit: .max)
            guard let last = pending.last, let binding = state.binding else { return }
            let batch = try SignedBatch(
                file: binding.file,
                first: state.acknowledged + 1,
                bodies: pending.map(\.body),
                after: ChangeChain(head: state.chain, hash: Digest.mixing),
                signing: signing
            )
            try store.noteSent(through: last.number)
            _ = try await transport.send(batch.bytes)
            try store.acknowledge(through: last.number, chain: batch.chain)
        }

        func download() async throws {
            let state = store.syncState()
            guard let binding = state.binding else { return }
            let answer = try await transport.entries(
                after: state.position,
                history: binding.history,
                wait: .zero,
                limit: .max
            )
            _ = try store.integrate(answer.entries)
        }

        /// Takes a snapshot page by page, while others go on writing.
        func bootstrap(between: () async throws -> Void) async throws {
            guard let history = store.syncState().binding?.history else { return }
            var page = try await transport.objects(after: nil, history: history, limit: 1)
            store.beginBootstrap(history: history, head: page.head)
            try store.integrate(page)
            while let cursor = store.syncState().bootstrap?.cursor {
                try await between()
                page = try await transport.objects(after: cursor, history: history, limit: 1)
                try store.integrate(page)
            }
            try store.endBootstrap()
        }
    }

    private let server = InMemoryRealmServer()

    @Test("an answer that is lost is asked for again, and nothing is done twice")
    func lostAnswer() async throws {
        let device = Device(server)
        try await device.bind()
        device.commit(person.create(["age": 0]))
        device.commit(person.add(1, to: "age"))
        device.transport.append([.loseAnswer])

        await #expect(throws: ChangeModelError.failed(.unreachable)) { try await device.upload() }
        try await device.upload()
        try await device.download()

        #expect(device.store.contents[person, "age"] == 1)
        #expect(device.store.syncState().pendingChanges == 0)
        #expect(device.store.contents == server.contents)
    }

    @Test("S83: what is written while a device takes a snapshot is there once in the end")
    func writtenMeanwhile() async throws {
        let writer = Device(server)
        try await writer.bind()
        for key in 1...6 as ClosedRange<Int64> { writer.commit(ObjectAddress.sample(key).create(["age": 0])) }
        try await writer.upload()
        let reader = Device(server)
        try await reader.bind()
        reader.commit(ObjectAddress.sample(3).create(["name": "mine"]))

        var round: Int64 = 0
        try await reader.bootstrap {
            guard round < 4 else { return }
            round += 1
            // One object that is in already, one that is still to come, one that is new, one that goes.
            writer.commit(ObjectAddress.sample(1).add(1, to: "age"), ObjectAddress.sample(6).add(1, to: "age"))
            writer.commit(ObjectAddress.sample(100 + round).create(["age": 1]), ObjectAddress.sample(5).delete())
            try await writer.upload()
        }
        #expect(reader.store.contents[.sample(3), "name"] == "mine")
        try await reader.upload()
        try await reader.download()

        #expect(reader.store.contents == server.contents)
        #expect(reader.store.contents[.sample(6), "age"] == .int(4))
        #expect(reader.store.syncState().pendingChanges == 0)
    }

    @Test("an own write that a snapshot brought already does not come back over what others wrote after it")
    func ownInSnapshot() async throws {
        let mine = Device(server)
        let theirs = Device(server)
        try await mine.bind()
        try await theirs.bind()
        theirs.commit(other.create(), person.create(["age": 0]))
        try await theirs.upload()
        try await theirs.download()
        let history = HistoryID.sample(1)
        let first = try await mine.transport.objects(after: nil, history: history, limit: 1)
        mine.store.beginBootstrap(history: history, head: first.head)
        try mine.store.integrate(first)
        mine.commit(other.create(["name": "mine"]))
        try await mine.upload()
        try await theirs.download()
        for _ in 0..<9 { theirs.commit(other.set("name", "theirs")) }
        try await theirs.upload()
        let last = try await mine.transport.objects(after: first.next, history: history, limit: 1)
        try mine.store.integrate(last)
        try mine.store.endBootstrap()
        try await mine.download()

        #expect(mine.store.contents == server.contents)
        #expect(mine.store.contents[other, "name"] == "theirs")
    }

    @Test("a clock that is a year ahead is corrected before the first upload")
    func correctedClock() throws {
        let store = InMemorySyncedStore()
        let time = Counter()
        store.commit([person.create()], reading: time.reading)
        let now = time.reading

        store.correctClocks(StampCorrection(serverMilliseconds: 500_000, asked: now, answered: now))

        let clocks = try store.pendingChanges(after: 0, limit: .max).map { try Change.clock(in: $0.body) }
        #expect(clocks == [HybridClock(milliseconds: 499_999)])
        #expect(store.syncState().clock == clocks[0])
    }
}
