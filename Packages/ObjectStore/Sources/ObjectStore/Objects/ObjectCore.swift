public import EventModel
public import Synchronization

/// What makes an object managed: its realm, its table and the row as last read; not meant for programs.
public final class ObjectCore {
    // SAFETY: the realm keeps its tables alive, and the core keeps the realm alive, or the recorder that owns the table.
    @usableFromInline let tableReference: Unmanaged<ClassTable>
    @exclusivity(unchecked)
    @usableFromInline
    var snapshot: ObjectSnapshot {
        didSet { words = Self.words(of: snapshot) }
    }
    /// The slots of the snapshot, which keeps the memory alive: reading one needs no reference counting.
    @exclusivity(unchecked)
    @usableFromInline
    var words: UnsafeRawPointer
    /// The generation of the table that the snapshot was read at; 0 before the first read.
    @exclusivity(unchecked)
    @usableFromInline
    var generation: UInt64
    /// The properties that the snapshot has: a bit for each slot, and all bits when it has everything.
    @exclusivity(unchecked)
    @usableFromInline
    var loaded: UInt64 = LoadedSlots.all
    // SAFETY: the realm keeps itself alive while it has accessors; `deinit` takes this one off.
    let realmReference: Unmanaged<RealmCore>?
    @exclusivity(unchecked)
    private(set) var key: Int64
    /// The object around an embedded one.
    let parent: ObjectCore?
    /// The transaction that inserted the object, for accessors that were made in it: if it was cancelled they are gone.
    ///
    /// Or the one that deleted the object by this accessor.
    private var insertion: Insertion?
    /// Whether ``insertion`` deleted the object: if it was cancelled the object is there again.
    private var isDeletion = false
    /// Whether the object tells which of its properties are read, so that those of the next objects are fetched; see ``LoadedSlots``.
    var isProbe = false
    /// Whether the row is about to be inserted: a cycle of links may meet the object before.
    var isPending = false
    /// Since which opening of the observer's gate it knows what the object shows; 0 when it has to be reported.
    var toldOpening: UInt32 = 0
    private let epoch: UInt64
    var isDeleted = false
    private var collections: [AnyObject?]?
    let recorder: KeyPathRecorder?

    init(realm: RealmCore, table: ClassTable, key: Int64, parent: ObjectCore? = nil) {
        realmReference = .passUnretained(realm)
        tableReference = .passUnretained(table)
        self.key = key
        self.parent = parent
        snapshot = table.schema.blank
        words = Self.words(of: snapshot)
        generation = 0
        epoch = realm.epoch
        recorder = nil
        if table.isNew(key) {
            insertion = realm.neededInsertion
            // The event of the transaction shows the object.
            toldOpening = realm.observer.openingOfReads
        }
        realm.addAccessor()
    }

    /// Creates the core of a row that has the properties `loaded`; see ``LoadedSlots``.
    init(
        realm: RealmCore,
        table: ClassTable,
        row: ObjectSnapshot,
        generation: UInt64,
        parent: ObjectCore? = nil,
        loaded: UInt64 = LoadedSlots.all
    ) {
        self.loaded = loaded
        realmReference = .passUnretained(realm)
        tableReference = .passUnretained(table)
        key = row.key
        self.parent = parent
        snapshot = row
        words = Self.words(of: row)
        self.generation = generation
        epoch = realm.epoch
        recorder = nil
        // Whoever hands an object out reports it; a row that was read before the gate was opened is not reported yet.
        if generation == table.generation { toldOpening = realm.observer.openingOfReads }
        if table.isNew(key) { insertion = realm.neededInsertion }
        realm.addAccessor()
    }

    /// Becomes the core of another row of the class, as one that is made for it would be: nobody else may have it.
    ///
    /// An object that a loop lets go of again leaves its core to the next one.
    @inline(__always)
    func reuse(for row: ObjectSnapshot, generation new: UInt64, loaded slots: UInt64, _ realm: RealmCore) {
        key = row.key
        snapshot = row
        generation = new
        loaded = slots
        isProbe = false
        isDeleted = false
        toldOpening = new == table.generation ? realm.observer.openingOfReads : 0
        if collections != nil { collections = nil }
        if insertion != nil { insertion = nil }
        isDeletion = false
        if table.isNew(row.key) { insertion = realm.neededInsertion }
    }

    /// Creates the core of an object that only records which properties are read.
    init(recorder: KeyPathRecorder, table: ClassTable) {
        realmReference = nil
        tableReference = .passUnretained(table)
        key = 0
        parent = nil
        snapshot = table.schema.blank
        words = Self.words(of: snapshot)
        generation = 0
        epoch = 0
        self.recorder = recorder
    }

    deinit {
        realmReference?._withUnsafeGuaranteedRef { $0.removeAccessor() }
    }

    /// The realm; nil for the recorder of key paths.
    ///
    /// Weak references to an instance exist, so that to count one more takes as long as to make an object: what is done for each object
    /// goes through ``realmReference``.
    var realm: RealmCore? { realmReference?.takeUnretainedValue() }

    private static func words(of snapshot: ObjectSnapshot) -> UnsafeRawPointer {
        guard let row = snapshot.rowBytes.baseAddress else {
            misuse("A row of '\(snapshot.shape.name)' has no memory.")
        }
        return row + snapshot.shape.slotsOffset
    }

    /// The table of the object's class; not counted as a reference, which every object that is read would pay for.
    @inlinable
    @inline(__always)
    var table: ClassTable { tableReference._withUnsafeGuaranteedRef { $0 } }

    /// The bits of a slot that holds a number; 0 when it is null.
    @inlinable
    @inline(__always)
    func word<T: BitwiseCopyable>(_ slot: Int, as type: T.Type) -> T {
        words.loadUnaligned(fromByteOffset: slot * 8, as: type)
    }

    /// The text of a slot; empty when it is null.
    @inlinable
    @inline(__always)
    func text(_ slot: Int) -> String {
        let place = word(slot, as: UInt64.self)
        let row = words - tableReference._withUnsafeGuaranteedRef { $0.slotsOffset }
        let bytes = UnsafeRawBufferPointer(start: row + Int(place & 0xFFFF_FFFF), count: Int(place >> 32))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The slot of the property whose wrapper lies at an offset.
    @inlinable
    @inline(__always)
    func slot(at offset: Int) -> Int { tableReference._withUnsafeGuaranteedRef { $0.slots.slot(at: offset) } }

    /// Makes sure that the thread is right, that a version is pinned and that the snapshot is of it and has the property.
    @inlinable
    @inline(__always)
    func validate(_ slot: Int) {
        let isCurrent = tableReference._withUnsafeGuaranteedRef {
            $0.reader.load(ordering: .relaxed) == ConfinedThread.current.bits && generation == $0.generation
                && loaded &>> UInt64(truncatingIfNeeded: slot) & 1 != 0
        }
        if !isCurrent { refresh(slot) }
    }

    @usableFromInline
    @inline(never)
    func refresh(_ slot: Int) {
        if let recorder {
            recorder.didRead(table.schema.propertyName(slot))
            return
        }
        if table.schema.isObservable, isSettled(slot) {
            realmReference?._withUnsafeGuaranteedRef { $0.notifications.didRead(slot, self) }
            return
        }
        let realm = confinedRealm
        guard readRow(realm, isShown: true) && load(slot, realm) || realm.version.lacksData else {
            misuse(
                """
                The property '\(table.schema.name).\(table.schema.propertyName(slot))' was read from an object that \
                was deleted or whose realm was invalidated; check 'isInvalidated' first.
                """
            )
        }
        if table.schema.isObservable { realm.notifications.didRead(slot, self) }
    }

    /// Whether the row is current on this thread and has the property, of a class whose reads do not see that without being told.
    private func isSettled(_ slot: Int) -> Bool {
        generation == table.generation && loaded &>> UInt64(truncatingIfNeeded: slot) & 1 != 0
            && realmReference?
                ._withUnsafeGuaranteedRef {
                    $0.store.reader.load(ordering: .relaxed) == ConfinedThread.current.bits
                } ?? false
    }

    /// Beside the generation of a row that is current, and that is reported to an observer once it is shown.
    static var untold: UInt64 { 1 << 63 }

    /// Reads the row again if it may have changed, or if an observer wants to know what is shown since the last time.
    ///
    /// - Parameters:
    ///   - realm: The realm.
    ///   - isShown: Whether the program reads a property, and does not only ask for the object or write to it.
    /// - Returns: False when the object is gone.
    func readRow(_ realm: RealmCore, isShown: Bool) -> Bool {
        if isDeleted || epoch != realm.epoch || isGone { return false }
        realm.beginReading()
        let current = table.generation
        if generation == current {
            // Several threads read a frozen object at once, which is never read again.
            if isShown, realm.isFrozen { realm.recording.showFrozen(self) }
            return true
        }
        let opening = realm.observer.opening
        if table.rowGenerations.isUnchanged(key, since: generation & ~Self.untold) {
            if toldOpening != opening { toldOpening = 0 }
        } else {
            // A row that cannot be read is not gone; what was read before stays, for a caller that throws.
            guard let row = realm.reading(or: snapshot, { () throws(Realm.Error) in try table.row(key) }) else {
                isDeleted = true
                return false
            }
            let isNews = !isComplete || realm.recording.isNews(row, after: snapshot, table)
            if toldOpening != opening || isNews { toldOpening = 0 }
            take(row)
        }
        if opening != 0, toldOpening != opening, !isShown {
            // The first property that is read takes the slow path again.
            generation = current | Self.untold
            return true
        }
        generation = current
        if opening != 0, toldOpening != opening {
            guard complete(realm) else { return false }
            tellShown(opening, realm)
        }
        return true
    }

    /// Notes that the object is gone, also when there is a row with its key.
    func markDeleted() { isDeleted = true }

    /// Notes that the open transaction deletes the object, also when a row with its key comes again.
    func markDeleted(in transaction: Insertion?) {
        isDeletion = insertion !== transaction
        // What came and went in one transaction is gone, however that ends.
        isDeleted = !isDeletion
        insertion = transaction
    }

    /// Whether the transaction that inserted the object was cancelled, or the one that deleted it was not.
    private var isGone: Bool {
        guard let insertion else { return false }
        guard isDeletion else { return insertion.isCancelled }
        if insertion.isCancelled {
            (isDeletion, self.insertion) = (false, nil)
        } else {
            isDeleted = true
        }
        return isDeleted
    }

    /// Whether the object still exists at the realm's version.
    var isValid: Bool {
        guard recorder == nil, !isPending else { return true }
        return readRow(confinedRealm, isShown: false)
    }

    /// The realm, after checking that this is its thread.
    var confinedRealm: RealmCore {
        guard let realm else {
            misuse("An object that records key paths was used as if it were stored; key paths must not have effects.")
        }
        realm.checkThread()
        return realm
    }

    func isSameRow(as other: ObjectCore) -> Bool {
        key == other.key && realm === other.realm && table.schema === other.table.schema && isValid && other.isValid
    }

    /// Another accessor of the same object; a recorder of key paths has none but itself.
    var twin: ObjectCore {
        guard let realm else { return self }
        let twin = ObjectCore(realm: realm, table: table, key: key, parent: parent)
        twin.snapshot = snapshot
        twin.loaded = loaded
        twin.isProbe = isProbe
        twin.generation = generation
        twin.toldOpening = toldOpening
        (twin.insertion, twin.isDeletion) = (insertion, isDeletion)
        return twin
    }

    /// Returns the one collection object of a slot.
    func collection<C: AnyObject>(_ slot: Int, _ make: () -> C) -> C {
        guard let realm else { return keptCollection(slot, make) }
        return realm.version.exclusively { keptCollection(slot, make) }
    }

    private func keptCollection<C: AnyObject>(_ slot: Int, _ make: () -> C) -> C {
        // SAFETY: it has the very type; a cast would cost more than what is read of most collections.
        if let existing = collections?[slot], type(of: existing) == C.self {
            return unsafeDowncast(existing, to: C.self)
        }
        let made = make()
        if collections == nil { collections = Array(repeating: nil, count: table.schema.slotCount) }
        collections?[slot] = made
        return made
    }
}

// MARK: - Writing

extension ObjectCore {
    /// Writes one column, unless the transaction is doomed.
    func assignScalar(_ slot: Int, _ bind: (OpaquePointer, Int32) -> Void) {
        let realm = confinedRealm
        let property = table.schema.properties[slot]
        guard realm.transaction.mayMutate(named: { "set '\(self.table.schema.name).\(property.name)'" }),
            requireValid(realm)
        else {
            return
        }
        guard slot != table.schema.primaryKeySlot else {
            return realm.transaction.doom(.immutablePrimaryKey(table.schema.name))
        }
        realm.transaction.mutating { () throws(Realm.Error) in
            try table.update(slot, key: key, bind)
            realm.transaction.didModify(self, slot)
        }
    }

    /// Lets a link or an embedded slot refer to another object.
    func assignLink(_ slot: Int, _ object: ObjectBase?) {
        let realm = confinedRealm
        let property = table.schema.properties[slot]
        guard realm.transaction.mayMutate(named: { "set '\(self.table.schema.name).\(property.name)'" }),
            requireValid(realm)
        else {
            return
        }
        realm.transaction.mutating { () throws(Realm.Error) in
            try ObjectWriter(realm, policy: .error).setLink(of: self, slot, to: object)
        }
    }

    /// Whether the object exists; if not, the transaction is doomed.
    func requireValid(_ realm: RealmCore) -> Bool {
        if isValid { return true }
        realm.transaction.doom(.deletedObject(table.schema.name))
        return false
    }
}
