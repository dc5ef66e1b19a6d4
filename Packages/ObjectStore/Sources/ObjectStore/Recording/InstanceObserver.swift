import EventModel
import Synchronization

/// The observer of a file as one instance of it knows it, and whether it wants to know anything now.
final class InstanceObserver {
    private let file: FileCoordinator
    private let store: StoreConnection
    private let remembersThread: Bool
    private let isFrozen: Bool
    private var known: (epoch: UInt64, observer: (any RealmObserver)?, gate: ObservationGate?) = (0, nil, nil)
    /// Takes the reads of an instance that is confined; nil when each is reported.
    @exclusivity(unchecked)
    private var ring: ReadRing? {
        didSet { ringReference = ring.map { .passUnretained($0) } }
    }
    // SAFETY: it is what `ring` keeps alive; a reference that is counted would cost as much as the read.
    @exclusivity(unchecked)
    private var ringReference: Unmanaged<ReadRing>?
    /// The opening of the gate since which accessors look at their rows again; 0 before the first.
    @exclusivity(unchecked)
    private var noticedOpening: UInt32 = 0
    /// Reads where the file is in sync at the version that is read; nil for a file that does not sync.
    private var readPlace: (() -> SyncReference?)?
    /// The version whose place the observer was told last; a frozen instance has one version only.
    @exclusivity(unchecked)
    private var placedVersion: UInt64?
    /// One more than the number of openings of the gate when the observer was told.
    private let placedOpenings = Atomic<UInt64>(0)
    /// Hears of openings of the gate in the middle of a run-loop turn; nil while nobody wants to know what is shown.
    @exclusivity(unchecked)
    private var gateListener: GateListener?

    init(_ file: FileCoordinator, _ store: StoreConnection, _ confinement: Confinement, isFrozen: Bool) {
        self.file = file
        self.store = store
        remembersThread = confinement.remembersThread
        self.isFrozen = isFrozen
        // What several threads read at once is never changed later.
        if isFrozen { update() }
    }

    /// The observer of the file, whether or not it wants to know anything now.
    var current: (any RealmObserver)? {
        guard isFrozen else {
            update()
            return known.observer
        }
        return known.epoch == file.observerEpoch.load(ordering: .acquiring) ? known.observer : file.observer
    }

    /// The observer, if it wants to know what is read: nothing else is done when it does not.
    @inline(__always)
    var listening: (any RealmObserver)? {
        if isFrozen { return current.flatMap { $0.gate.isOpen ? $0 : nil } }
        update()
        guard let gate = known.gate, gate.isOpen else { return nil }
        return known.observer
    }

    /// Whether the observer wants to know what is read.
    @inline(__always)
    var isListening: Bool {
        if isFrozen { return listening != nil }
        update()
        guard let gate = known.gate else { return false }
        return gate.isOpen
    }

    /// Gives the observer a read, which it wanted to know of a moment ago.
    @inline(__always)
    func didRead(_ row: ObjectSnapshot) {
        // Nearly every read ends here: nothing of the observer is counted or called.
        if let ringReference, ringReference._withUnsafeGuaranteedRef({ $0.append(row) }) { return }
        report(row)
    }

    @inline(never)
    private func report(_ row: ObjectSnapshot) {
        sayPlace()
        guard let ring else {
            listening?.didRead(row)
            return
        }
        known.observer?.didRead(row, through: ring)
    }

    // MARK: Places in sync

    /// Brings the way to read where the file is in sync.
    func readsPlaces(_ read: @escaping () -> SyncReference?) {
        readPlace = read
        guard !isFrozen else { return }
        // What the ring takes is not looked at: the next read of another version must come here.
        store.didStamp = { [weak self] in self?.ringReference = nil }
        ringReference = nil
    }

    /// Tells the observer where the file is in sync at the version that is read, unless it knows: before anything is reported of it.
    @inline(__always)
    func sayPlace() {
        if let readPlace { sayPlace(readPlace) }
    }

    @inline(never)
    private func sayPlace(_ read: () -> SyncReference?) {
        guard let observer = isFrozen ? current : known.observer else { return }
        if !isFrozen { ringReference = ring.map { .passUnretained($0) } }
        let version = store.version
        let openings = observer.gate.openingCount + 1
        guard placedOpenings.load(ordering: .relaxed) != openings || !isFrozen && placedVersion != version else {
            return
        }
        guard let place = read() else { return }
        observer.willReport(version: version, at: place)
        if !isFrozen { placedVersion = version }
        placedOpenings.store(openings, ordering: .relaxed)
    }

    /// Whether the observer may want to know what is shown; a frozen instance asks each time.
    @inline(__always)
    var seesShownObjects: Bool { gateListener != nil || isFrozen }

    // MARK: Openings of the gate

    /// The opening in which an object is reported that is handed out now.
    @inline(__always)
    var openingOfReads: UInt32 { isFrozen ? openingOfFrozen : noticedOpening }

    /// The opening in which accessors must have reported their objects; 0 when nobody wants to know what is shown.
    @inline(__always)
    var opening: UInt32 {
        if isFrozen { return openingOfFrozen }
        guard noticedOpening != 0, let gate = known.gate, gate.isOpen else { return 0 }
        return noticedOpening
    }

    @inline(never)
    private var openingOfFrozen: UInt32 {
        guard let gate = listening?.gate, gate.seesShownObjects else { return 0 }
        return Self.opening(of: gate)
    }

    /// A number of the latest opening that is never 0.
    private static func opening(of gate: ObservationGate) -> UInt32 {
        UInt32(truncatingIfNeeded: gate.openingCount) | 1 << 31
    }

    /// Lets accessors look at their rows again, which reports them, if somebody began to listen since the last time.
    func noticeOpening() {
        // The thread may read without asking already: either this sees an observer and an opening, or whoever brings them
        // takes that right back.
        if remembersThread { atomicMemoryFence(ordering: .sequentiallyConsistent) }
        update()
        guard let gate = known.gate, gate.seesShownObjects, gate.isOpen else { return }
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
    private func update() {
        let epoch = file.observerEpoch.load(ordering: .acquiring)
        if epoch != known.epoch {
            let observer = file.observer
            known = (epoch, observer, observer?.gate)
            // Several threads read a frozen instance at once.
            ring = isFrozen ? nil : observer?.makeReadRing()
            if readPlace != nil, !isFrozen {
                ringReference = nil
                placedVersion = nil
            }
            store.stampsRows = observer != nil
            store.invalidateRows()
            listen(to: observer?.gate)
        }
    }
}
