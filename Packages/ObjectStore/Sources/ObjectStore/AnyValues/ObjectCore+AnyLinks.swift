import EventModel

extension ObjectCore {
    /// Makes the accessor of an object that a value of any type links to.
    ///
    /// - Parameters:
    ///   - className: The class of the object.
    ///   - key: Its row.
    ///   - slot: The property that the value belongs to.
    ///   - isObserved: Whether an observer learns that the program followed the link.
    /// - Returns: nil when the realm does not manage the class.
    func target(_ className: String, _ key: Int64, _ slot: Int, isObserved: Bool) -> Object? {
        guard let realm, let table = realm.store.table(named: className),
            let type = table.schema.type as? Object.Type
        else { return nil }
        realm.beginReading()
        guard let row = realm.reading({ () throws(Realm.Error) in try table.row(key) }) else { return nil }
        if isObserved { realm.recording.didFollow(anyOf: self, slot, row, table) }
        let object = table.schema.isDynamic ? DynamicObject() : type.init()
        object._core = ObjectCore(realm: realm, table: table, row: row, generation: table.generation)
        return object
    }
}
