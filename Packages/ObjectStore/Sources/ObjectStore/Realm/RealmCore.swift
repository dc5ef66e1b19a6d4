import EventModel
import ObjectQueries
import Synchronization

/// One instance of a realm: a connection confined to one executor, and what belongs to it.
///
/// Each part knows only those above it in this list, so that none can outlive what it uses:
/// - ``StoreConnection``: the connection, its tables and the pinned version;
/// - ``InstanceObserver``: who wants to know what is read and written;
/// - ``InstanceTransaction``: the open write transaction;
/// - ``InstanceVersion``: which version is read, for how long, and how reads fail;
/// - ``InstanceRecording``: what the observer is given;
/// - ``InstanceNotifications``: the handlers of the program;
/// - ``AsyncWrites``: the writes that wait for the lock.
final class RealmCore {
    let file: FileCoordinator
    let configuration: Realm.Configuration
    let schema: RealmSchema
    /// Where the instance may be used, and what ``FileCoordinator`` finds it by.
    let confinement: Confinement
    /// Whether the instance shows one version for ever, on any executor, to several threads at once.
    let isFrozen: Bool
    /// The SQL of the latest queries.
    private(set) var compiledQueries: CompiledQueries
    let store: StoreConnection
    let observer: InstanceObserver
    let transaction: InstanceTransaction
    let version: InstanceVersion
    let recording: InstanceRecording
    let notifications: InstanceNotifications
    let asyncWrites: AsyncWrites
    /// What the configuration's attachment gave the instance to keep.
    var companion: (any InstanceCompanion)?

    /// Opens the file of a coordinator, creating or migrating it if allowed.
    convenience init(
        file: FileCoordinator,
        configuration: Realm.Configuration,
        schema: RealmSchema,
        confinement: Confinement
    ) throws {
        let connection = try FileOpening(file: file, configuration: configuration, schema: schema).connect()
        try self.init(
            file: file,
            configuration: configuration,
            schema: schema,
            confinement: confinement,
            connection: connection
        )
    }

    /// Creates an instance of a file that is open and has the schema.
    convenience init(
        file: FileCoordinator,
        configuration: Realm.Configuration,
        schema: RealmSchema,
        confinement: Confinement,
        connection: Connection
    ) throws(Realm.Error) {
        self.init(
            file,
            configuration,
            schema,
            confinement,
            CompiledQueries.of(schema.queries),
            try StoreConnection(connection, schema, isReadOnly: configuration.readOnly),
            isFrozen: false
        )
        store.touchedCells?.clock = configuration.changeClock
        notifications.mailbox.serve(self)
    }

    /// Creates the frozen instance of the version that a connection is at.
    convenience init(frozen store: StoreConnection, of live: RealmCore) {
        self.init(
            live.file,
            live.configuration,
            live.schema,
            .anywhere,
            live.compiledQueries,
            store,
            isFrozen: true
        )
    }

    private init(
        _ file: FileCoordinator,
        _ configuration: Realm.Configuration,
        _ schema: RealmSchema,
        _ confinement: Confinement,
        _ compiledQueries: CompiledQueries,
        _ store: StoreConnection,
        isFrozen: Bool
    ) {
        self.file = file
        self.configuration = configuration
        self.schema = schema
        self.confinement = confinement
        self.isFrozen = isFrozen
        self.compiledQueries = compiledQueries
        self.store = store
        observer = InstanceObserver(file, store, confinement, isFrozen: isFrozen)
        let isReadOnly = configuration.readOnly
        transaction = InstanceTransaction(file, store, observer, isReadOnly: isReadOnly, isFrozen: isFrozen)
        version = InstanceVersion(file, store, confinement, observer, transaction, isFrozen: isFrozen)
        recording = InstanceRecording(schema, observer, transaction, version)
        notifications = InstanceNotifications(configuration, confinement, version)
        asyncWrites = AsyncWrites(file)
    }

    /// Makes the SQL of queries for tables that are being changed.
    func compile(_ queries: QuerySchema) { compiledQueries = CompiledQueries.of(queries) }

    // MARK: Lifetime

    /// Grows with ``invalidate()``: objects of an earlier epoch are gone.
    private(set) var epoch: UInt64 = 0

    /// How many accessors there are; while there is one, the instance holds a reference to itself.
    ///
    /// Weak references to an instance exist, which make retaining it several times slower than counting here, and
    /// every object that is read would retain it.
    private let accessors = Atomic<Int>(0)

    /// Keeps the instance alive for one more accessor.
    @inline(__always)
    func addAccessor() {
        if accessors.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { retainItself() }
    }

    /// Ends what ``addAccessor()`` began; on any thread.
    @inline(__always)
    func removeAccessor() {
        if accessors.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { releaseItself() }
    }

    @inline(never)
    private func retainItself() { _ = Unmanaged.passUnretained(self).retain() }

    @inline(never)
    private func releaseItself() { Unmanaged.passUnretained(self).release() }

    // MARK: Version

    /// Traps outside of the executor that the instance is confined to.
    @inline(__always)
    func checkThread() { version.checkThread() }

    /// Pins a version unless one is pinned.
    @inline(__always)
    func beginReading() { version.beginReading() }

    /// Runs a read that returns something else when the file cannot be read.
    @inline(__always)
    func reading<Result>(
        or fallback: @autoclosure () -> Result,
        _ body: () throws(Realm.Error) -> Result
    ) -> Result {
        version.reading(or: fallback(), body)
    }

    /// Runs a read for which there is nothing else to return.
    @inline(__always)
    func reading<Result>(_ body: () throws(Realm.Error) -> Result) -> Result { version.reading(body) }

    /// Moves to the newest version.
    ///
    /// - Returns: Whether it is another one.
    func refresh() -> Bool {
        guard !transaction.isOpen, !isFrozen else { return false }
        let before = store.version
        version.moveToNewest()
        let isMoved = store.version != before
        notifications.deliver(initial: true)
        return isMoved
    }

    /// Moves to the newest version unless this one is not older than another.
    func follow(atLeast other: UInt64) {
        checkThread()
        beginReading()
        if store.version < other { _ = refresh() }
    }

    /// Releases the pinned version; every object becomes invalid.
    func invalidate() {
        if isFrozen {
            misuse(
                "The realm '\(file.path)' was invalidated, which is frozen and may be in use elsewhere; let go of it."
            )
        }
        if transaction.isOpen { cancelWrite() }
        epoch += 1
        version.release()
    }

    // MARK: Objects

    /// The table of a class.
    ///
    /// - Throws: ``Realm/Error`` when the realm does not manage the class.
    func table(_ type: ObjectBase.Type) throws(Realm.Error) -> ClassTable {
        guard let table = store.table(type) else {
            throw Realm.Error(.invalidInput, "The class '\(type.className())' is not managed by this realm.")
        }
        return table
    }

    /// The table of a class that a typed call names.
    func requireTable(_ type: ObjectBase.Type) -> ClassTable {
        guard let table = store.table(type) else {
            let remedy = schema.ambiguous[ObjectIdentifier(type)] ?? "Add it to 'objectTypes'."
            misuse("The class '\(type.className())' is not managed by this realm. \(remedy)")
        }
        return table
    }

    /// What the objects share that the open transaction inserts; nil outside of one.
    ///
    /// Not inlined where accessors are made: it is rare there, and would have them retain what they only look at.
    @inline(never)
    var neededInsertion: Insertion? { transaction.neededInsertion() }

    /// Makes the accessor of a row.
    func object<T: ObjectBase>(_ type: T.Type, _ table: ClassTable, _ row: ObjectSnapshot, parent: ObjectCore? = nil)
        -> T
    {
        let object = T()
        object._core = ObjectCore(realm: self, table: table, row: row, generation: table.generation, parent: parent)
        return object
    }
}
