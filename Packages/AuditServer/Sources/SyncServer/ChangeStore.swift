public import ChangeModel
public import EventModel

/// What the sync server asks of a database: realms, their files, their logs and what is in them.
///
/// Safe to call from any task, also for one realm at once. Several realms lie in one store, and nothing of one is
/// reachable through another: a realm that does not exist answers as one without files.
///
/// ## Implementing
///
/// What may be taken of a file is decided in one place, `FileLedger`, and what comes of a change by the rules of
/// `RealmState`: a store loads what these ask for and writes what they say. Once a call has begun to write, the
/// cancellation of its task changes nothing. `ChangeStoreConformance` in AuditServerTesting checks a store against this
/// contract.
public protocol ChangeStore: Sendable {
    /// Binds a file to a realm, which is made if nobody had it.
    ///
    /// A new file gets the next number of the realm and a salt of its own, which is kept hashed. A known one is told
    /// how much of it was taken. Not idempotent for new files: one whose answer is lost is never heard of again.
    ///
    /// - Throws: ``SyncServerError`` with `unknownFile`, `foreignFile`, `historyChanged`, `fileInUse` or `unavailable`;
    ///   nothing is changed then.
    func bind(_ binding: FileClaim, to realm: RealmName) async throws -> BoundFile

    /// Takes uploads in their order, all changes of all of them in one transaction.
    ///
    /// Returns when everything is durable. Idempotent for ever: a change that was taken before is compared and not taken
    /// again, and its entry is told once more, both as far as the log still has it. Each upload is taken wholly or not at all, and one that is refused
    /// hinders no other.
    ///
    /// - Parameters:
    ///   - uploads: The uploads, of files of this realm.
    ///   - realm: The realm.
    ///   - received: The server's time.
    /// - Returns: What came of each upload; `unavailable` when the storage fails, and it is unknown whether it was
    ///   taken.
    func take(
        _ uploads: [ChangeUpload],
        in realm: RealmName,
        received: EventInstant
    ) async -> [Result<TakenChanges, SyncServerError>]

    /// Returns entries behind a number, as many as have so many bytes but at least one.
    ///
    /// - Parameters:
    ///   - realm: The realm.
    ///   - number: The number before the first entry; 0 for the beginning.
    ///   - history: The history that the number belongs to.
    ///   - maximumBytes: How many bytes the entries may have together; the first one may have more.
    /// - Returns: The entries as they were stored, and the head; none behind the newest one.
    /// - Throws: ``SyncServerError`` with `unknownRealm`, `historyChanged` for another history, `tooOld` when entries
    ///   behind the number are gone, `impossiblePosition` for a number behind the head, and `unavailable`.
    func entries(
        of realm: RealmName,
        after number: Int,
        history: [UInt8],
        maximumBytes: Int
    ) async throws -> EntryPage

    /// Returns where a realm is; nil for one that nobody bound a file to.
    func status(of realm: RealmName) async throws -> RealmStatus?

    /// Returns realms of an app whose oldest entry was received before an instant.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - instant: Before which it was received.
    ///   - value: The value of the realm before the first one; nil for the beginning.
    ///   - limit: How many at most.
    /// - Returns: The realms in the order of the bytes of their values.
    /// - Throws: ``SyncServerError/unavailable(reason:)``.
    func realms(
        of app: ExactText,
        withEntriesBefore instant: EventInstant,
        after value: ExactText?,
        limit: Int
    ) async throws -> [RealmName]

    /// Returns how many entries the realms of an app ever had, those that are gone included.
    ///
    /// - Throws: ``SyncServerError/unavailable(reason:)``.
    func entryCount(of app: ExactText) async throws -> Int

    /// Removes the oldest entries of a realm with what was uploaded as them, and raises its floor.
    ///
    /// Entries go in their order up to the first that was received later, so that a clock that was set back for a while
    /// removes nothing too early. What the rules of conflict decide by stays: a file that is below the floor takes a
    /// snapshot, and what it sends is decided as before.
    ///
    /// - Parameters:
    ///   - realm: The realm.
    ///   - instant: Entries that were received before it go.
    ///   - limit: How many go at most in this transaction.
    /// - Returns: What came of it, durable.
    /// - Throws: ``SyncServerError`` with `unknownRealm` or `unavailable`; nothing is changed then.
    func shorten(_ realm: RealmName, before instant: EventInstant, limit: Int) async throws -> ShortenedLog

    /// Returns living objects in the order of class and key, as many as take so many bytes but at least one.
    ///
    /// - Parameters:
    ///   - realm: The realm.
    ///   - object: The object before the first one, which need not exist; nil for the beginning.
    ///   - maximumBytes: How many bytes the objects may take in the store together; the first one may take more.
    /// - Returns: The objects as they are at one moment, and where the next page begins.
    /// - Throws: ``SyncServerError`` with `unknownRealm` or `unavailable`.
    func objects(of realm: RealmName, after object: ObjectAddress?, maximumBytes: Int) async throws -> ObjectPage

    /// Returns objects that were posted to a realm, in the order in which they were taken, as many as have so many bytes but at least one.
    ///
    /// Each is there once, from the moment at which the change that posted it is acknowledged, however often that came.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - realm: The realm.
    ///   - place: The place before the first one; nil for the beginning.
    ///   - maximumBytes: How many bytes their documents may have together; the first one may have more.
    /// - Returns: The objects; none behind the last one.
    /// - Throws: ``SyncServerError`` with `unknownRealm` or `unavailable`.
    func posted(
        _ className: ExactText,
        in realm: RealmName,
        after place: PostedPlace?,
        maximumBytes: Int
    ) async throws -> [PostedObject]

    /// Returns what the realms of an app hold; nil for an app of which no device told a schema.
    ///
    /// - Throws: ``SyncServerError/unavailable(reason:)``.
    func schema(of app: ExactText) async throws -> SyncSchema?

    /// Compares the schema of a device with that of its app, which becomes the union of both where it may.
    ///
    /// - Parameters:
    ///   - schema: The schema of the device.
    ///   - app: The app.
    ///   - isExtending: Whether devices may add classes and properties.
    /// - Returns: The schema of the app afterwards, durable.
    /// - Throws: ``SyncServerError`` with `invalidSchemaChange` when they contradict each other, or the device has something
    ///   new and may not add it, and with `unavailable`; nothing is changed then.
    func admit(_ schema: SyncSchema, of app: ExactText, isExtending: Bool) async throws -> SyncSchema
}

extension SyncServerError {
    /// Returns the schema of an app after a device has presented its own.
    ///
    /// - Throws: ``invalidSchemaChange(_:)`` with a sentence for each difference.
    package static func union(
        of server: SyncSchema,
        with device: SyncSchema,
        isExtending: Bool
    ) throws(SyncServerError) -> SyncSchema {
        do throws(ChangeModelError) {
            let union = try SchemaDifference(from: server, to: device).accepted(isExtending: isExtending)
            // What is never told could not be read again: a schema has the limits of one that is sent.
            guard union.classes.count <= ChangeLimits.classes, union.encoded.count <= ChangeLimits.schemaBytes else {
                throw ChangeModelError.failed(
                    .invalidSchemaChange(["The schema of the app is as large as one may be."])
                )
            }
            return union
        } catch {
            if case .failed(.invalidSchemaChange(let sentences)) = error { throw .invalidSchemaChange(sentences) }
            throw .invalidSchemaChange([error.description])
        }
    }
}
