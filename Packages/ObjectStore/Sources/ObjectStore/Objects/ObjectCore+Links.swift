extension ObjectCore {
    /// The row that a link or an embedded slot refers to, as it is now, for a writer.
    func linkedKey(_ slot: Int) -> Int64? {
        validateToWrite(slot)
        return snapshot.isNull(slot) ? nil : snapshot.int(slot)
    }

    /// The row that a link leads to: often one that another object links to as well.
    private func linkedRow(_ key: Int64, _ target: ClassTable, _ realm: RealmCore) -> ObjectSnapshot? {
        // Several threads follow links of a frozen realm at once, each by a query.
        let isKept = !realm.isFrozen
        if isKept, let row = target.linkedRows.row(.int(Int(key)), target.rowGenerations) { return row }
        let row = realm.reading(or: nil) { () throws(Realm.Error) in try target.row(key) }
        if isKept, let row { target.linkedRows.keep(row, for: .int(Int(key)), at: target.generation) }
        return row
    }

    /// Makes the accessor of the object that a slot refers to.
    func linked<T: ObjectBase>(_ slot: Int, as type: T.Type) -> T? {
        if let recorder { return recorder.object(type) }
        guard !snapshot.isNull(slot) else { return nil }
        return realmReference?._withUnsafeGuaranteedRef { follow(slot, as: type, in: $0) }
    }

    @inline(__always)
    private func follow<T: ObjectBase>(_ slot: Int, as type: T.Type, in realm: RealmCore) -> T? {
        let key = snapshot.int(slot)
        // What class a dynamic object has, only the property knows.
        let target = realm.requireTable(
            type == DynamicObject.self ? table.schema.properties[slot].type.target ?? type : type
        )
        realm.beginReading()
        guard let row = linkedRow(key, target, realm) else { return nil }
        if target.schema.isEmbedded { return realm.object(type, target, row, parent: self) }
        realm.recording.didFollow(self, slot, row, target) { [row] }
        return realm.object(type, target, row)
    }
}
