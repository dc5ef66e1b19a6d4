public import ChangeModel
import ChangeModelTesting
public import EventModel
public import SyncServer
import Synchronization

/// A store of realms in memory: an honest implementation for tests.
public final class InMemoryChangeStore: ChangeStore {
    private let realms = Mutex<[RealmName: InMemoryRealm]>([:])
    private let schemas = Mutex<[ExactText: SyncSchema]>([:])

    /// Creates an empty store.
    public init() {}

    /// Binds a file.
    public func bind(_ binding: FileClaim, to realm: RealmName) async throws -> BoundFile {
        let salt = Self.random(BoundFile.saltBytes)
        let history = Self.random(RealmStatus.historyBytes)
        return try realms.withLock { realms in
            guard binding.claim == nil || realms[realm] != nil else { throw SyncServerError.unknownFile }
            return try realms[realm, default: InMemoryRealm(history: history)].bind(binding, salt: salt)
        }
    }

    /// Takes uploads in their order.
    public func take(
        _ uploads: [ChangeUpload],
        in realm: RealmName,
        received: EventInstant
    ) async -> [Result<TakenChanges, SyncServerError>] {
        realms.withLock { realms in
            uploads.map { upload in
                guard realms[realm] != nil else { return .failure(.unknownFile) }
                return Result { try realms[realm]?.take(upload, received: received) }
                    .mapError { $0 as? SyncServerError ?? .unavailable(reason: "\($0)") }
                    .flatMap { $0.map(Result.success) ?? .failure(.unknownFile) }
            }
        }
    }

    /// Returns entries behind a number.
    public func entries(
        of realm: RealmName,
        after number: Int,
        history: [UInt8],
        maximumBytes: Int
    ) async throws -> EntryPage {
        let found = try find(realm)
        guard found.history == history else { throw SyncServerError.historyChanged }
        guard number >= found.floor else { throw SyncServerError.tooOld(floor: found.floor) }
        guard number <= found.state.head else { throw SyncServerError.impossiblePosition(head: found.state.head) }
        var left = maximumBytes
        var entries: [StoredEntry] = []
        for entry in found.log[(number - found.floor)...] {
            left -= entry.bytes.count
            if left < 0, !entries.isEmpty { break }
            entries.append(entry)
        }
        return EntryPage(entries: entries, head: found.state.head)
    }

    /// Returns where a realm is.
    public func status(of realm: RealmName) async throws -> RealmStatus? { realms.withLock { $0[realm]?.status } }

    /// Returns realms of an app whose oldest entry was received before an instant.
    public func realms(
        of app: ExactText,
        withEntriesBefore instant: EventInstant,
        after value: ExactText?,
        limit: Int
    ) async throws -> [RealmName] {
        let old = try realms.withLock { realms in
            try realms.filter { name, realm in
                guard name.app == app, value.map({ $0 < name.value }) ?? true else { return false }
                return try realm.log.first.map { try EntryHead(of: $0.bytes).received < instant } ?? false
            }
        }
        return Array(old.keys.sorted { $0.value < $1.value }.prefix(limit))
    }

    /// Returns how many entries the realms of an app ever had.
    public func entryCount(of app: ExactText) async throws -> Int {
        realms.withLock { realms in realms.reduce(0) { $0 + ($1.key.app == app ? $1.value.state.head : 0) } }
    }

    /// Removes the oldest entries of a realm.
    public func shorten(_ realm: RealmName, before instant: EventInstant, limit: Int) async throws -> ShortenedLog {
        try realms.withLock { realms in
            guard let step = try realms[realm]?.shorten(before: instant, limit: limit) else {
                throw SyncServerError.unknownRealm
            }
            return step
        }
    }

    /// Returns living objects in order.
    public func objects(
        of realm: RealmName,
        after object: ObjectAddress?,
        maximumBytes: Int
    ) async throws -> ObjectPage {
        try find(realm).page(after: object, maximumBytes: maximumBytes)
    }

    /// Returns the schema of an app.
    public func schema(of app: ExactText) async throws -> SyncSchema? { schemas.withLock { $0[app] } }

    /// Compares the schema of a device with that of its app.
    public func admit(_ schema: SyncSchema, of app: ExactText, isExtending: Bool) async throws -> SyncSchema {
        try schemas.withLock { schemas throws(SyncServerError) in
            let known = schemas[app] ?? SyncSchema()
            let union = try SyncServerError.union(of: known, with: schema, isExtending: isExtending)
            if union != known { schemas[app] = union }
            return union
        }
    }

    /// Returns objects that were posted.
    public func posted(
        _ className: ExactText,
        in realm: RealmName,
        after place: PostedPlace?,
        maximumBytes: Int
    ) async throws -> [PostedObject] {
        try find(realm).posted(className, after: place, maximumBytes: maximumBytes)
    }

    private func find(_ realm: RealmName) throws -> InMemoryRealm {
        guard let found = realms.withLock({ $0[realm] }) else { throw SyncServerError.unknownRealm }
        return found
    }

    private static func random(_ count: Int) -> [UInt8] {
        // LIVE: nobody guesses what no test looks at.
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
}
