import EventModel
import ObjectQueries

// What is read and shown, however the program got it.
extension InstanceRecording {
    /// Reports that an object was handed to the program.
    @inline(__always)
    func didRead(_ row: ObjectSnapshot, _ table: ClassTable) {
        guard observer.isListening else { return }
        // Most rows are whole as they are, and need neither a copy nor a look at the store.
        if isReportedAsItIs(table) { observer.didRead(row) } else { reportWhole(row, table) }
    }

    @inline(never)
    private func reportWhole(_ row: ObjectSnapshot, _ table: ClassTable) {
        if let whole = whole(row, table) { observer.didRead(whole) }
    }

    /// Reports that the program reached an object through a property.
    @inline(__always)
    func didFollow(
        _ parent: ObjectCore,
        _ slot: Int,
        _ row: ObjectSnapshot,
        _ table: ClassTable,
        _ allRows: @escaping () -> [ObjectSnapshot]
    ) {
        guard let listener = observer.listening, let target = whole(row, table) else { return }
        follow(parent, slot, target, table, listener) { self.targets(of: parent, slot, table, allRows) }
    }

    /// Reports that the program reached an object whose whole snapshot is known.
    ///
    /// From an object that the open transaction inserted nothing leads to what was before it; the target is read then.
    func follow(
        _ parent: ObjectCore,
        _ slot: Int,
        _ target: ObjectSnapshot,
        _ table: ClassTable,
        _ listener: any RealmObserver,
        _ allTargets: @escaping () -> [ObjectSnapshot]
    ) {
        guard !parent.table.isNew(parent.key) else { return observer.didRead(target) }
        observer.sayPlace()
        listener.didFollow(
            FollowedLink(
                parentShape: parent.table.schema.shape,
                parentKey: parent.key,
                version: store.version,
                slot: slot,
                target: target,
                allTargets: allTargets
            )
        )
    }

    /// Reports that the program reached an object through a value of any type.
    @inline(__always)
    func didFollow(anyOf parent: ObjectCore, _ slot: Int, _ row: ObjectSnapshot, _ table: ClassTable) {
        guard let listener = observer.listening, let target = whole(row, table) else { return }
        follow(parent, slot, target, table, listener) { [self] in
            version.reading { () throws(Realm.Error) in
                let store = transaction.hasChanges ? try pastStore() : store
                return try WholeCapture(store: store).targets(ofAny: slot, parent.key, store.required(parent.table))
            }
        }
    }

    // MARK: What is shown

    /// Whether a row that was read again shows something that no event says yet.
    ///
    /// What the instance wrote itself is in the event of its transaction; inside of one, the state before it was reported.
    func isNews(_ row: ObjectSnapshot, after old: ObjectSnapshot, _ table: ClassTable) -> Bool {
        !transaction.hasChanges && !row.hasSameValues(as: old) && !isOwnWrite(row.key, table)
    }

    /// Whether the version that is read was made by the instance itself, which changed the object.
    func isOwnWrite(_ key: Int64, _ table: ClassTable) -> Bool {
        guard let written = table.written, written.version == store.version else { return false }
        return written.contains(key)
    }

    /// Reports, once for each opening, that a frozen object is shown.
    func showFrozen(_ core: ObjectCore) {
        let opening = observer.opening
        guard opening != 0 else { return }
        let isKnown: Bool = version.exclusively {
            defer { core.toldOpening = opening }
            return core.toldOpening == opening
        }
        guard !isKnown else { return }
        guard core.parent != nil else { return didRead(core.snapshot, core.table) }
        // The object around an embedded one shows it.
        var owner = core
        while let outer = owner.parent { owner = outer }
        let (table, key) = (owner.table, owner.key)
        let row: ObjectSnapshot? = version.reading(or: nil) { () throws(Realm.Error) in try table.row(key) }
        if let row { didRead(row, table) }
    }
}
