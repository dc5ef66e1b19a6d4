import Dispatch
import EventModel
import Foundation
import Synchronization

/// One instance of a realm: a connection confined to one place.
final class RealmCore {
    let file: FileCoordinator
    let configuration: Realm.Configuration
    let schema: RealmSchema
    /// Where the instance may be used, and what ``FileCoordinator`` finds it by.
    let confinement: Confinement
    let store: StoreConnection
    /// The SQL of the latest queries.
    let compiledQueries: CompiledQueries
    /// Grows with `invalidate()`: objects of an earlier epoch are gone.
    private(set) var epoch: UInt64 = 0
    /// The open write transaction.
    @exclusivity(unchecked)
    var transaction: WriteTransaction?
    /// The blocks that want to know whether a read failed.
    var guardedReads = GuardedReads()
    /// Reads the version before a transaction while that is open; made when an observer first needs it.
    var past: StoreConnection?
    /// Tells the observations of this instance what changed; made with the first one.
    var notifier: ChangeNotifier?
    /// Where other threads reach the instance.
    let mailbox: InstanceMailbox
    /// Whether the instance moves to the newest version by itself.
    var autorefresh = true {
        didSet {
            let patience = autorefresh ? IdleVersions.patience : IdleVersions.longPatience
            store.pin.patience.store(patience, ordering: .relaxed)
        }
    }
    /// The asynchronous writes that did not end yet.
    var asyncWrites = AsyncWrites()
    /// Whether the end of the turn is scheduled.
    var isTurnScheduled = false
    /// Whether the instance shows one version for ever, in any place, to several threads at once.
    let isFrozen: Bool
    private var observation: (epoch: UInt64, observer: (any RealmObserver)?, gate: ObservationGate?) = (0, nil, nil)
    /// The opening of the gate since which accessors look at their rows again; 0 before the first.
    @exclusivity(unchecked)
    private var noticedOpening: UInt32 = 0
    /// Hears of openings of the gate in the middle of a turn; nil while nobody wants to know what is shown.
    @exclusivity(unchecked)
    private var gateListener: GateListener?

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
    init(
        file: FileCoordinator,
        configuration: Realm.Configuration,
        schema: RealmSchema,
        confinement: Confinement,
        connection: Connection
    ) throws(Realm.Error) {
        self.file = file
        self.configuration = configuration
        self.schema = schema
        compiledQueries = CompiledQueries.of(schema.queries)
        self.confinement = confinement
        store = try StoreConnection(connection, schema, isReadOnly: configuration.readOnly)
        mailbox = InstanceMailbox(file.broadcast, confinement)
        isFrozen = false
        store.didPin = { [weak self] in self?.beginTurn() }
        mailbox.serve(self)
    }

    /// Creates the frozen instance of the version that a connection is at.
    init(frozen store: StoreConnection, of live: RealmCore) {
        file = live.file
        configuration = live.configuration
        schema = live.schema
        compiledQueries = live.compiledQueries
        confinement = .anywhere
        isFrozen = true
        self.store = store
        mailbox = InstanceMailbox(file.broadcast, .anywhere)
        refreshObservation()
    }

    // MARK: Lifetime

    /// How many accessors there are; while there is one, the instance holds a reference to itself.
    ///
    /// Weak references to an instance exist, which make retaining it several times slower than counting here, and
    /// every object that is read would retain it.
    private let accessors = Atomic<Int>(0)

    /// Keeps the instance alive for one more accessor.
    @inline(__always)
    func addAccessor() {
        if accessors.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { holdItself() }
    }

    /// Ends what ``addAccessor()`` began; on any thread.
    @inline(__always)
    func removeAccessor() {
        if accessors.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { letGoOfItself() }
    }

    @inline(never)
    private func holdItself() { _ = Unmanaged.passUnretained(self).retain() }

    @inline(never)
    private func letGoOfItself() { Unmanaged.passUnretained(self).release() }

    deinit {
        // An open transaction ends with the connection; only the lock that others wait for must be given back.
        if transaction != nil { file.writeLock.signal() }
    }

    // MARK: Confinement

    /// Traps outside of the place that the instance is confined to.
    @inline(__always)
    func checkThread() {
        if store.reader.load(ordering: .relaxed) != ConfinedThread.current.bits { checkPlace() }
    }

    // MARK: Reading

    /// Moves to the newest version.
    ///
    /// - Returns: Whether it is another one.
    func refresh() -> Bool {
        guard transaction == nil, !isFrozen else { return false }
        let before = store.version
        moveToNewest()
        let isMoved = store.version != before
        notifier?.deliver(initial: true)
        return isMoved
    }

    /// Lets go of the pinned version; every object becomes invalid.
    func invalidate() {
        if isFrozen {
            misuse(
                "The realm '\(file.path)' was invalidated, which is frozen and may be in use elsewhere; let go of it."
            )
        }
        if transaction != nil { cancelWrite() }
        epoch += 1
        reading(or: ()) { () throws(Realm.Error) in try store.endReading() }
        store.invalidateRows()
    }

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
            misuse("The class '\(type.className())' is not managed by this realm; add it to 'objectTypes'.")
        }
        return table
    }

    /// Makes the accessor of a row.
    func object<T: ObjectBase>(_ type: T.Type, _ table: ClassTable, _ row: ObjectSnapshot, parent: ObjectCore? = nil)
        -> T
    {
        let object = T()
        object._core = ObjectCore(realm: self, table: table, row: row, generation: table.generation, parent: parent)
        return object
    }

    // MARK: Recording

    /// The observer of the file, whether or not it wants to know anything now.
    var observer: (any RealmObserver)? {
        guard isFrozen else {
            refreshObservation()
            return observation.observer
        }
        // What several threads read at once is never changed.
        return observation.epoch == file.observerEpoch.load(ordering: .acquiring)
            ? observation.observer : file.observer
    }

    /// The observer, if it wants to know what is read: nothing else is done when it does not.
    @inline(__always)
    var openObserver: (any RealmObserver)? {
        if isFrozen { return observer.flatMap { $0.gate.isOpen ? $0 : nil } }
        refreshObservation()
        guard let gate = observation.gate, gate.isOpen else { return nil }
        return observation.observer
    }

    /// Whether the observer may want to know what is shown; a frozen instance asks each time.
    @inline(__always)
    var seesShownObjects: Bool { gateListener != nil || isFrozen }

    /// The opening that an object was told to which is handed out now.
    @inline(__always)
    var openingToTell: UInt32 { isFrozen ? openingOfFrozen : noticedOpening }

    /// The opening of the gate that accessors must have told to; 0 when nobody wants to know what is shown.
    @inline(__always)
    var opening: UInt32 {
        if isFrozen { return openingOfFrozen }
        guard noticedOpening != 0, let gate = observation.gate, gate.isOpen else { return 0 }
        return noticedOpening
    }

    @inline(never)
    private var openingOfFrozen: UInt32 {
        guard let gate = openObserver?.gate, gate.seesShownObjects else { return 0 }
        return Self.opening(of: gate)
    }

    /// A number of the latest opening that is never 0.
    private static func opening(of gate: ObservationGate) -> UInt32 {
        UInt32(truncatingIfNeeded: gate.openingCount) | 1 << 31
    }

    /// Lets accessors look at their rows again, which tells them, if somebody began to listen since the last time.
    func noticeOpening() {
        // The thread may read without asking already: either this sees an observer and an opening, or whoever brings them
        // takes that right back.
        if confinement.remembersThread { atomicMemoryFence(ordering: .sequentiallyConsistent) }
        refreshObservation()
        guard let gate = observation.gate, gate.seesShownObjects, gate.isOpen else { return }
        let opening = Self.opening(of: gate)
        guard opening != noticedOpening else { return }
        noticedOpening = opening
        store.lookAgain()
    }

    @inline(never)
    private func listen(to gate: ObservationGate?) {
        noticedOpening = 0
        gateListener = nil
        guard let gate, gate.seesShownObjects, !isFrozen else { return }
        let listener = GateListener(store)
        gateListener = listener
        gate.watch(listener)
    }

    @inline(__always)
    private func refreshObservation() {
        let epoch = file.observerEpoch.load(ordering: .acquiring)
        if epoch != observation.epoch {
            let observer = file.observer
            observation = (epoch, observer, observer?.gate)
            store.stampsRows = observer != nil
            store.invalidateRows()
            listen(to: observer?.gate)
        }
    }
}
