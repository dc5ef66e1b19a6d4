import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Synchronization
import Testing

@testable import SyncServer

@Suite("The queue of uploads")
struct RealmQueueTests {
    private let store = GatedChangeStore()
    private let waiting = Signal()

    private static let busy = SyncServerError.busy(retryAfterSeconds: 1)

    private func queue(_ limits: RealmQueue.Limits = RealmQueue.Limits()) -> RealmQueue {
        let waiting = waiting
        return RealmQueue(
            store: store,
            clock: ManualClock(),
            limits: limits,
            committed: { _ in },
            waits: { waiting.happens() }
        )
    }

    private func uploads(_ count: Int, in realm: RealmName = .sample(), user: ExactText = "aa") async throws
        -> [ChangeUpload]
    {
        var uploads: [ChangeUpload] = []
        for index in 0..<count {
            var file = try await SampleRealmFile(boundTo: realm, in: store, user: user)
            uploads.append(try file.upload([[ObjectAddress.sample(Int64(index)).create()]]))
        }
        return uploads
    }

    @Test("uploads that wait for a realm share the next transaction, and each is answered for itself")
    func grouping() async throws {
        let queue = queue()
        let uploads = try await uploads(4)
        async let first = queue.take(uploads[0], in: .sample())
        await store.transactionsBegin()
        async let second = queue.take(uploads[1], in: .sample())
        await waiting.waits()
        async let third = queue.take(uploads[2], in: .sample())
        let bad = Task { try await queue.take(try ChangeUpload(uploads[3].batch, user: "zz"), in: .sample()) }
        await waiting.waits(for: 2)

        store.open()

        #expect(try await first.entries.map(\.number) == [1])
        let heads = try await [second.acknowledged, third.acknowledged]
        #expect(heads == [1, 1])
        await #expect(throws: SyncServerError.foreignFile) { try await bad.value }
        #expect(store.groups(of: .sample()).map(\.count) == [1, 3])
    }

    @Test("another upload of a file is refused while one is under way, and taken afterwards")
    func oneOfAFile() async throws {
        let queue = queue()
        let upload = try await uploads(1)[0]
        async let first = queue.take(upload, in: .sample())
        await store.transactionsBegin()

        await #expect(throws: Self.busy) { try await queue.take(upload, in: .sample()) }
        store.open()
        let taken = try await first
        let again = try await queue.take(upload, in: .sample())

        #expect(again == taken)
    }

    @Test("who finds no place is refused with a time")
    func full() async throws {
        let queue = queue(RealmQueue.Limits(waiting: 1))
        let uploads = try await uploads(3)
        async let first = queue.take(uploads[0], in: .sample())
        await store.transactionsBegin()
        async let second = queue.take(uploads[1], in: .sample())
        await waiting.waits()

        await #expect(throws: Self.busy) { try await queue.take(uploads[2], in: .sample()) }

        store.open()
        #expect(try await first.acknowledged == 1)
        #expect(try await second.acknowledged == 1)
    }

    @Test("a realm does not wait for another one")
    func realms() async throws {
        let queue = queue()
        let slow = try await uploads(1, in: .sample("s_slow"))
        let fast = try await uploads(1, in: .sample("s_fast"))
        async let first = queue.take(slow[0], in: .sample("s_slow"))
        await store.transactionsBegin()
        async let second = queue.take(fast[0], in: .sample("s_fast"))
        await store.transactionsBegin()

        store.letThrough(.sample("s_fast"))
        let taken = try await second

        #expect(taken.head == 1)
        #expect(try await store.status(of: .sample("s_slow"))?.head == 0)
        store.open()
        #expect(try await first.head == 1)
    }

    @Test("a user who sends from many files keeps nobody else from a realm")
    func fairness() async throws {
        let queue = queue(RealmQueue.Limits(groupUploads: 2))
        let many = try await uploads(12, user: "many")
        let one = try await uploads(1, user: "one")[0]
        let outcomes = try await withThrowingTaskGroup(of: TakenChanges.self) { group in
            group.addTask { try await queue.take(many[0], in: .sample()) }
            await store.transactionsBegin()
            for upload in many.dropFirst() { group.addTask { try await queue.take(upload, in: .sample()) } }
            await waiting.waits(for: many.count - 1)
            group.addTask { try await queue.take(one, in: .sample()) }
            await waiting.waits()
            store.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(outcomes.count == 13)
        #expect(store.groups(of: .sample())[1].contains(one.file))
    }

    @Test("a task that was cancelled before stores nothing, and one that waits is stored all the same")
    func cancellation() async throws {
        let queue = queue()
        let uploads = try await uploads(3)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.take(uploads[2], in: .sample())
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        async let first = queue.take(uploads[0], in: .sample())
        await store.transactionsBegin()
        let second = Task { try await queue.take(uploads[1], in: .sample()) }
        await waiting.waits()

        second.cancel()
        store.open()

        #expect(try await first.acknowledged == 1)
        #expect(try await second.value.acknowledged == 1)
        #expect(store.groups(of: .sample()).map(\.count) == [1, 1])
    }

    @Test("a realm is announced when something of it is durable, and not when all was refused")
    func announcing() async throws {
        let announced = Mutex<[RealmName]>([])
        let queue = RealmQueue(store: store, clock: ManualClock()) { realm in announced.withLock { $0.append(realm) } }
        let upload = try await uploads(1)[0]
        store.open()

        _ = try? await queue.take(try ChangeUpload(upload.batch, user: "zz"), in: .sample())
        let before = announced.withLock { $0 }
        _ = try await queue.take(upload, in: .sample())

        #expect(before == [])
        #expect(announced.withLock { $0 } == [.sample()])
    }
}
