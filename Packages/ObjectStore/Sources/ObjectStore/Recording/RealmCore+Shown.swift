import EventModel

// What is shown, told to an observer that wants to know it however the program got the object.
extension RealmCore {
    /// Whether a row that was read again shows something that no event says yet.
    ///
    /// What the instance wrote itself is in the event of its transaction; inside of one, the state before it was told.
    func isNews(_ row: ObjectSnapshot, after old: ObjectSnapshot, _ table: ClassTable) -> Bool {
        !(transaction?.hasChanges ?? false) && !row.hasSameValues(as: old) && !isOwnWrite(row.key, table)
    }

    /// Whether the version that is read was made by the instance itself, which changed the object.
    func isOwnWrite(_ key: Int64, _ table: ClassTable) -> Bool {
        guard let written = table.written, written.version == store.version else { return false }
        return written.contains(key)
    }

    /// Tells, once for each opening, that a frozen object is shown.
    func showFrozen(_ core: ObjectCore) {
        let opening = self.opening
        guard opening != 0 else { return }
        let isKnown: Bool = exclusively {
            defer { core.toldOpening = opening }
            return core.toldOpening == opening
        }
        guard !isKnown else { return }
        guard core.parent != nil else { return observeRead(of: core.snapshot, core.table) }
        // The object around an embedded one shows it.
        var owner = core
        while let outer = owner.parent { owner = outer }
        let (table, key) = (owner.table, owner.key)
        let row: ObjectSnapshot? = reading(or: nil) { () throws(Realm.Error) in try table.row(key) }
        if let row { observeRead(of: row, table) }
    }
}
