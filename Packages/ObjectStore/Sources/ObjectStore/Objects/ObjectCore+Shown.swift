import EventModel

// What a program shows of an object, reported to an observer that wants to know it.
extension ObjectCore {
    /// Tells an observer that the object is shown; of an embedded one, the object around it.
    func tellShown(_ opening: UInt32, _ realm: RealmCore) {
        toldOpening = opening
        guard let parent else { return realm.recording.didRead(snapshot, table) }
        let current = parent.table.generation
        let row: ObjectSnapshot? = realm.reading(or: parent.snapshot) { () throws(Realm.Error) in
            try parent.table.row(parent.key)
        }
        guard let row else { return }
        parent.take(row)
        parent.generation = current
        parent.tellShown(opening, realm)
    }

    /// Tells an observer, unless it knows, that something is shown of the object that lies outside of its row.
    ///
    /// - Parameter isNews: Whether it is something else than what was shown before.
    @inline(__always)
    func show(isNews: Bool = false) {
        guard isShowingSeen, let realm else { return }
        showNow(realm, isNews: isNews)
    }

    /// Whether an observer may want to know what is shown.
    @inline(__always)
    var isShowingSeen: Bool { realmReference?._withUnsafeGuaranteedRef { $0.observer.seesShownObjects } ?? false }

    /// Whether an observer wants to know what is read.
    @inline(__always)
    var isListenedTo: Bool { realmReference?._withUnsafeGuaranteedRef { $0.observer.isListening } ?? false }

    @inline(never)
    private func showNow(_ realm: RealmCore, isNews: Bool) {
        if realm.isFrozen { return realm.recording.showFrozen(self) }
        realm.checkThread()
        realm.beginReading()
        let opening = realm.observer.opening
        guard opening != 0, isNews || toldOpening != opening else { return }
        toldOpening = 0
        if generation == table.generation { generation |= Self.untold }
        _ = readRow(realm, isShown: true)
    }

    /// Tells an observer what the row shows now, as if the program read a property.
    func showRow() {
        guard let realm, realm.observer.opening != 0 else { return }
        _ = readRow(realm, isShown: true)
    }

    /// Lets the object be reported to an observer once a property is read: whoever handed it out did not.
    func mustBeTold() {
        toldOpening = 0
        // Several threads read a frozen object at once, whose generation never changes.
        if let realm, !realm.isFrozen { generation |= Self.untold }
    }

    /// Notes that whoever handed the object out reported it to an observer.
    func wasTold() {
        guard let realm else { return }
        toldOpening = realm.observer.openingOfReads
        generation &= ~Self.untold
    }

    /// Makes sure that the row is current, for a writer: nothing is reported to an observer.
    func validateToWrite(_ slot: Int) {
        guard let realm, realm.observer.opening != 0 else { return validate(slot) }
        realm.checkThread()
        if !(readRow(realm, isShown: false) && load(slot, realm)) { refresh(slot) }
    }
}
