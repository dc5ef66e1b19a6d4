import AuditServerTesting
import ChangeModel
import EventModel
import SyncServer
import Synchronization

/// A store in memory whose transactions wait until a test lets them through.
final class GatedChangeStore: ChangeStore {
    private struct State {
        var isOpen = false
        var waiting: [(realm: RealmName, continuation: CheckedContinuation<Void, Never>)] = []
        var groups: [RealmName: [[UInt32]]] = [:]
    }

    private let store = InMemoryChangeStore()
    private let state = Mutex(State())
    private let begun = AsyncStream<RealmName>.makeStream(bufferingPolicy: .unbounded)

    /// The files of each transaction, in order.
    func groups(of realm: RealmName) -> [[UInt32]] { state.withLock { $0.groups[realm] ?? [] } }

    /// Waits until so many more transactions have begun.
    func transactionsBegin(_ count: Int = 1) async {
        var iterator = begun.stream.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
    }

    /// Lets a transaction of a realm through that waits.
    func letThrough(_ realm: RealmName) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.realm == realm }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume()
    }

    /// Lets all transactions through from now on.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for (_, continuation) in waiting { continuation.resume() }
    }

    func take(
        _ uploads: [ChangeUpload],
        in realm: RealmName,
        received: EventInstant
    ) async -> [Result<TakenChanges, SyncServerError>] {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.groups[realm, default: []].append(uploads.map(\.file))
                if !state.isOpen { state.waiting.append((realm, continuation)) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
            begun.continuation.yield(realm)
        }
        return await store.take(uploads, in: realm, received: received)
    }

    func bind(_ binding: FileClaim, to realm: RealmName) async throws -> BoundFile {
        try await store.bind(binding, to: realm)
    }

    func entries(
        of realm: RealmName,
        after number: Int,
        history: [UInt8],
        maximumBytes: Int
    ) async throws -> EntryPage {
        try await store.entries(of: realm, after: number, history: history, maximumBytes: maximumBytes)
    }

    func status(of realm: RealmName) async throws -> RealmStatus? { try await store.status(of: realm) }

    func realms(
        of app: ExactText,
        withEntriesBefore instant: EventInstant,
        after value: ExactText?,
        limit: Int
    ) async throws -> [RealmName] {
        try await store.realms(of: app, withEntriesBefore: instant, after: value, limit: limit)
    }

    func entryCount(of app: ExactText) async throws -> Int { try await store.entryCount(of: app) }

    func shorten(_ realm: RealmName, before instant: EventInstant, limit: Int) async throws -> ShortenedLog {
        try await store.shorten(realm, before: instant, limit: limit)
    }

    func objects(of realm: RealmName, after object: ObjectAddress?, maximumBytes: Int) async throws -> ObjectPage {
        try await store.objects(of: realm, after: object, maximumBytes: maximumBytes)
    }

    func posted(
        _ className: ExactText,
        in realm: RealmName,
        after place: PostedPlace?,
        maximumBytes: Int
    ) async throws -> [PostedObject] {
        try await store.posted(className, in: realm, after: place, maximumBytes: maximumBytes)
    }

    func schema(of app: ExactText) async throws -> SyncSchema? { try await store.schema(of: app) }

    func admit(_ schema: SyncSchema, of app: ExactText, isExtending: Bool) async throws -> SyncSchema {
        try await store.admit(schema, of: app, isExtending: isExtending)
    }
}
