public import ChangeModel
public import EventModel
import EventProofs

/// The realms of a server in one process: their store, the line of uploads, and the readers that wait.
///
/// ```
///  bind ─────▶ schemas ─▶ store
///  send ─────▶ queue ───▶ store ──▶ hub ──▶ readers
///  entries ──▶ hub ─────▶ pages ──▶ store
///  objects ─────────────▶ pages ──▶ store
/// ```
/// Everything is asked for by somebody whose right to the realm was checked.
public struct SharedRealms: Sendable {
    package let store: any ChangeStore
    private let queue: RealmQueue
    private let hub: RealmHub
    private let schemas: KnownSchemas
    private let pages: EncodedPages
    private let snapshots: SnapshotPages
    private let clock: any EventClock

    /// Creates the realms of a process; of one database there is one process.
    ///
    /// - Parameters:
    ///   - store: Where they are kept.
    ///   - clock: The server's clock.
    ///   - timer: What ends the waiting of readers.
    public init(store: any ChangeStore, clock: any EventClock, timer: any EventTimer = SystemTimer()) {
        let (hub, pages) = (RealmHub(timer: timer), EncodedPages())
        let snapshots = SnapshotPages { name in try await store.snapshotPage(name) }
        self.store = store
        self.clock = clock
        self.hub = hub
        self.pages = pages
        self.snapshots = snapshots
        queue = RealmQueue(store: store, clock: clock) { realm in
            pages.forgetOpen(of: realm)
            snapshots.forget(realm)
            hub.announce(realm)
        }
        schemas = KnownSchemas(store)
    }

    /// How many readers are here.
    public var readerCount: Int { hub.readerCount }

    /// Lets nobody wait any more, as when the server ends.
    public func end() { hub.end() }

    /// Binds a file of a user.
    ///
    /// - Parameters:
    ///   - request: What the file says.
    ///   - realm: The realm.
    ///   - user: The user of the token.
    ///   - mayWrite: Whether the user may change the realm.
    ///   - isExtending: Whether devices may add classes and properties to the app's schema.
    /// - Returns: What the server knows the file by; it asks for the schema when it does not remember the hash.
    /// - Throws: ``SyncServerError`` as ``ChangeStore/bind(_:to:)`` and ``ChangeStore/admit(_:of:isExtending:)`` do, and
    ///   `ChangeModelError` for a schema that is none or has another hash, and for a public key that is none.
    public func bind(
        _ request: BindRequest,
        to realm: RealmName,
        user: ExactText,
        mayWrite: Bool,
        isExtending: Bool
    ) async throws -> BindAnswer {
        guard DeviceSignature.isKey(request.deviceKey) else {
            throw ChangeModelError.malformed(offset: 0, reason: "The public key of the device is no key.")
        }
        if let bytes = request.schema {
            let schema = try SyncSchema(bytes: bytes)
            guard schema.hash({ FileLedger.hash($0) }) == request.schemaHash else {
                throw ChangeModelError.malformed(offset: 0, reason: "The schema has another hash.")
            }
            try await schemas.admit(schema, request.schemaHash, of: realm.app, isExtending: isExtending)
        }
        let claim = request.binding.map { known in
            FileClaim.Known(
                file: known.file,
                salt: known.salt,
                history: known.history.bytes,
                lastChange: request.made,
                acknowledged: request.acknowledged,
                position: request.position
            )
        }
        let bound = try await store.bind(
            FileClaim(user: user, deviceKey: request.deviceKey, claim: claim),
            to: realm
        )
        guard let history = HistoryID(bound.realm.history), let salt = bound.salt ?? claim?.salt else {
            throw SyncServerError.unavailable(reason: "the store names no history")
        }
        return BindAnswer(
            binding: FileBinding(history: history, file: bound.file, salt: salt),
            head: bound.realm.head,
            floor: bound.realm.floor,
            acknowledged: bound.acknowledged,
            serverMilliseconds: clock.now().wall.microseconds / 1000,
            mayWrite: mayWrite,
            needsSchema: !schemas.isAdmitted(request.schemaHash, of: realm.app)
        )
    }

    /// Returns what the realms of an app hold; no classes for an app of which nobody told any.
    ///
    /// - Throws: ``SyncServerError`` with `unavailable` when the storage fails.
    public func schema(of app: ExactText) async throws -> SyncSchema { try await schemas.schema(of: app) }

    /// Adds classes and properties to what the realms of an app hold, as devices do in Development Mode.
    ///
    /// - Returns: What they hold afterwards, durable.
    /// - Throws: ``SyncServerError`` as ``ChangeStore/admit(_:of:isExtending:)`` does; nothing is added then.
    public func extendSchema(of app: ExactText, by schema: SyncSchema) async throws -> SyncSchema {
        try await schemas.admit(schema, FileLedger.hash(schema.encoded), of: app, isExtending: true)
    }

    /// Takes a batch of a user's file, and returns when it is durable; what does not fit the app's schema is refused.
    ///
    /// - Throws: ``SyncServerError`` as ``RealmQueue/take(_:in:)`` does, and `ChangeModelError` for bytes that are no changes.
    public func take(_ batch: SignedBatch, of user: ExactText, in realm: RealmName) async throws -> TakenChanges {
        let schema = try await schemas.schema(of: realm.app)
        let upload = try ChangeUpload(batch, user: user) { _, _, operation in schema.refusal(of: operation) }
        return try await queue.take(upload, in: realm)
    }

    /// Returns entries, and waits for one where there is none.
    ///
    /// - Parameters:
    ///   - realm: The realm.
    ///   - number: The number before the first entry.
    ///   - history: The history that the number belongs to.
    ///   - reader: Who reads.
    ///   - seconds: How long to wait at most.
    ///   - maximumBytes: How many bytes the entries may have together; the first one may have more.
    /// - Returns: The bytes of an `EntriesAnswer`, which readers of one stretch share.
    /// - Throws: ``SyncServerError`` as ``ChangeStore/entries(of:after:history:maximumBytes:)`` and
    ///   ``RealmHub/page(of:for:seconds:_:)`` do.
    public func entries(
        of realm: RealmName,
        after number: Int,
        history: HistoryID,
        for reader: RealmHub.Reader,
        seconds: Int,
        maximumBytes: Int
    ) async throws -> EncodedPages.Page {
        let name = EncodedPages.Name(realm: realm, history: history, after: number, maximumBytes: maximumBytes)
        return try await hub.page(of: realm, for: reader, seconds: seconds) {
            try await pages.page(name) {
                try await store.entries(
                    of: realm,
                    after: number,
                    history: history.bytes,
                    maximumBytes: maximumBytes
                )
            }
        }
    }

    /// Returns a page of the realm's living objects.
    ///
    /// - Throws: ``SyncServerError`` with `historyChanged`, and as ``ChangeStore/objects(of:after:maximumBytes:)`` does.
    public func objects(
        of realm: RealmName,
        after cursor: SnapshotCursor?,
        history: HistoryID,
        maximumBytes: Int
    ) async throws -> SnapshotPages.Page {
        guard let status = try await store.status(of: realm), status.history == history.bytes else {
            throw SyncServerError.historyChanged
        }
        return try await snapshots.page(
            SnapshotPages.Name(realm: realm, history: history, cursor: cursor, maximumBytes: maximumBytes),
            from: status.head
        )
    }
}

extension ChangeStore {
    /// Reads a page of a snapshot.
    fileprivate func snapshotPage(_ name: SnapshotPages.Name) async throws -> SnapshotPage {
        let page = try await objects(of: name.realm, after: try name.cursor?.object, maximumBytes: name.maximumBytes)
        return SnapshotPage(
            head: page.head,
            objects: page.objects.map { object in
                SnapshotObject(object.address, changed: object.changed, actions: object.literals.map(\.action))
            },
            next: page.next.map { SnapshotCursor(after: $0) }
        )
    }
}
