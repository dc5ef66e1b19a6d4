public import ChangeModel
public import EventModel
public import SyncServer
import Synchronization

/// A store that breaks one promise, so that a kit can show that it notices.
public final class LyingChangeStore: ChangeStore {
    /// What it lies about.
    public enum Lie: Sendable, CaseIterable {
        /// It says that changes are durable, and has not kept them.
        case acknowledgesWithoutKeeping
        /// It gives a number that was given already.
        case repeatsNumber
        /// It leaves an entry out of the log.
        case losesEntry
        /// It gives the entries of one realm to those of another.
        case givesForeignEntries
        /// It gives the objects of one realm to those of another.
        case givesForeignObjects
        /// It takes any salt for the right one.
        case forgetsSalt
        /// It takes other bytes under a number that was taken.
        case overlooksConflict
        /// It says that an object is older than it is.
        case tellsOlderObjects
        /// It gives what was posted to one realm to those of another.
        case givesForeignPosted
        /// It keeps what was posted again each time that it comes.
        case postsTwice
        /// It says that a schema was extended, and has not kept it.
        case forgetsSchema
        /// It removes entries that are too young.
        case shortensTooMuch
        /// It says that entries are gone, and has them.
        case shortensNothing
        /// It tells the realms of other apps.
        case tellsForeignRealms
    }

    private let store = InMemoryChangeStore()
    private let lie: Lie
    /// The realm that somebody bound a file to first.
    private let first = Mutex<RealmName?>(nil)

    /// Creates a store that tells one lie.
    public init(_ lie: Lie) { self.lie = lie }

    /// Binds a file.
    public func bind(_ binding: FileClaim, to realm: RealmName) async throws -> BoundFile {
        first.withLock { first in first = first ?? realm }
        do {
            return try await store.bind(binding, to: realm)
        } catch SyncServerError.unknownFile where lie == .forgetsSalt {
            guard let claim = binding.claim, let status = try await store.status(of: realm) else {
                throw SyncServerError.unknownFile
            }
            return BoundFile(file: claim.file, salt: nil, acknowledged: 0, realm: status)
        }
    }

    /// Takes uploads.
    public func take(
        _ uploads: [ChangeUpload],
        in realm: RealmName,
        received: EventInstant
    ) async -> [Result<TakenChanges, SyncServerError>] {
        if lie == .acknowledgesWithoutKeeping {
            return uploads.map { upload in
                let last = upload.changes.last?.number ?? 0
                return .success(TakenChanges(acknowledged: last, head: last, lowered: [], entries: []))
            }
        }
        let outcomes = await store.take(uploads, in: realm, received: received)
        return outcomes.map { outcome in
            switch (lie, outcome) {
            case (.repeatsNumber, .success(let taken)):
                .success(
                    TakenChanges(
                        acknowledged: taken.acknowledged,
                        head: taken.head,
                        lowered: taken.lowered,
                        entries: taken.entries.map { StoredEntry(number: max($0.number - 1, 1), bytes: $0.bytes) }
                    )
                )
            case (.overlooksConflict, .failure(.conflict(let change))):
                .success(TakenChanges(acknowledged: change, head: change, lowered: [], entries: []))
            default: outcome
            }
        }
    }

    /// Returns entries.
    public func entries(
        of realm: RealmName,
        after number: Int,
        history: [UInt8],
        maximumBytes: Int
    ) async throws -> EntryPage {
        if lie == .givesForeignEntries, let other = first.withLock({ $0 }), let status = try await status(of: other) {
            return try await store.entries(of: other, after: 0, history: status.history, maximumBytes: maximumBytes)
        }
        let page = try await store.entries(of: realm, after: number, history: history, maximumBytes: maximumBytes)
        guard lie == .losesEntry else { return page }
        return EntryPage(entries: page.entries.filter { $0.number != 2 }, head: page.head)
    }

    /// Returns where a realm is.
    public func status(of realm: RealmName) async throws -> RealmStatus? { try await store.status(of: realm) }

    /// Returns realms with old entries.
    public func realms(
        of app: ExactText,
        withEntriesBefore instant: EventInstant,
        after value: ExactText?,
        limit: Int
    ) async throws -> [RealmName] {
        let app = lie == .tellsForeignRealms ? "other-app" : app
        return try await store.realms(of: app, withEntriesBefore: instant, after: value, limit: limit)
    }

    /// Returns how many entries there ever were.
    public func entryCount(of app: ExactText) async throws -> Int { try await store.entryCount(of: app) }

    /// Removes the oldest entries.
    public func shorten(_ realm: RealmName, before instant: EventInstant, limit: Int) async throws -> ShortenedLog {
        switch lie {
        case .shortensTooMuch:
            return try await store.shorten(realm, before: EventInstant(microseconds: .max), limit: limit)
        case .shortensNothing:
            let entries = try await store.status(of: realm)?.head ?? 0
            return ShortenedLog(floor: entries, entries: entries, bytes: 1, isDone: true)
        default: return try await store.shorten(realm, before: instant, limit: limit)
        }
    }

    /// Returns objects.
    public func objects(
        of realm: RealmName,
        after object: ObjectAddress?,
        maximumBytes: Int
    ) async throws -> ObjectPage {
        let other = lie == .givesForeignObjects ? first.withLock { $0 } ?? realm : realm
        let page = try await store.objects(of: other, after: object, maximumBytes: maximumBytes)
        guard lie == .tellsOlderObjects else { return page }
        let objects = page.objects.map { StoredObject(address: $0.address, changed: 1, literals: $0.literals) }
        return ObjectPage(objects: objects, next: page.next, head: page.head)
    }

    /// Returns objects that were posted.
    public func posted(
        _ className: ExactText,
        in realm: RealmName,
        after place: PostedPlace?,
        maximumBytes: Int
    ) async throws -> [PostedObject] {
        let other = lie == .givesForeignPosted ? first.withLock { $0 } ?? realm : realm
        let objects = try await store.posted(className, in: other, after: place, maximumBytes: maximumBytes)
        return lie == .postsTwice ? objects + objects : objects
    }

    /// Returns the schema of an app.
    public func schema(of app: ExactText) async throws -> SyncSchema? { try await store.schema(of: app) }

    /// Compares the schema of a device with that of its app.
    public func admit(_ schema: SyncSchema, of app: ExactText, isExtending: Bool) async throws -> SyncSchema {
        guard lie == .forgetsSchema else {
            return try await store.admit(schema, of: app, isExtending: isExtending)
        }
        let known = try await store.schema(of: app) ?? SyncSchema()
        return try SyncServerError.union(of: known, with: schema, isExtending: isExtending)
    }
}
