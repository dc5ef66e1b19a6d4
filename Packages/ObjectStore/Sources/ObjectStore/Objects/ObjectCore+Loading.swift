import EventModel

// Rows of which some properties were read; see LoadedSlots.
extension ObjectCore {
    /// Whether the snapshot has all properties.
    var isComplete: Bool { loaded == LoadedSlots.all }

    /// Takes a whole row in place of the one before.
    func take(_ row: ObjectSnapshot) {
        snapshot = row
        loaded = LoadedSlots.all
    }

    /// Makes sure that the snapshot, which is current, has a property.
    ///
    /// - Returns: False when the object is gone.
    func load(_ slot: Int, _ realm: RealmCore) -> Bool {
        if isComplete { return true }
        let bit = 1 &<< UInt64(truncatingIfNeeded: slot)
        guard loaded & bit == 0 else { return true }
        if isProbe {
            // Its row has everything; that it seemed not to tells what the program reads.
            table.readProperties.note(slot)
            loaded |= bit
            return true
        }
        table.readProperties.noteMissing(slot)
        return complete(realm)
    }

    /// Makes sure that the snapshot, which is current, has all properties.
    ///
    /// - Returns: False when the object is gone.
    func complete(_ realm: RealmCore) -> Bool {
        if isComplete { return true }
        guard !isProbe else {
            loaded = LoadedSlots.all
            return true
        }
        // A row that cannot be read is not gone: the caller throws.
        guard let row = realm.reading(or: snapshot, { () throws(Realm.Error) in try table.row(key) }) else {
            isDeleted = true
            return false
        }
        take(row)
        return true
    }
}
