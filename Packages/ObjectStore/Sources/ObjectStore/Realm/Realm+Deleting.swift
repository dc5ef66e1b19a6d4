import ObjectQueries

extension Realm {
    /// Deletes an object: links to it become nil, lists lose it, its embedded objects are deleted too.
    ///
    /// - Precondition: A transaction is open.
    public func delete(_ object: ObjectBase) {
        core.checkThread()
        guard core.transaction.mayMutate(named: { "delete an object of '\(type(of: object).className())'" }) else {
            return
        }
        core.transaction.mutating { () throws(Realm.Error) in
            guard let own = object._core, own.realm === core else {
                throw .otherRealmDeletion(type(of: object).className())
            }
            guard own.isValid else { throw .deletedObject(own.table.schema.name) }
            try ObjectDeletion(core).delete(own)
        }
    }

    /// Deletes several objects; see ``delete(_:)-(ObjectBase)``.
    ///
    /// - Precondition: A transaction is open.
    public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
        // The sequence may be a query that each deletion changes.
        for object in Array(objects) { delete(object) }
    }

    /// Deletes the objects of a result, a list or another collection, without reading each.
    ///
    /// Lists and sets that had the objects lose them.
    ///
    /// - Precondition: A transaction is open.
    public func delete<C: RealmCollection>(_ objects: C) where C.Element: ObjectBase {
        let name = C.Element.className()
        core.checkThread()
        guard core.transaction.mayMutate(named: { "delete a collection of '\(name)'" }) else { return }
        guard let query = objects._results.state else {
            for object in Array(objects) { delete(object) }
            return
        }
        delete(query, name) { for object in Array(objects) { delete(object) } }
    }

    /// Deletes the objects that a map refers to; its entries stay and are nil then.
    ///
    /// - Precondition: A transaction is open.
    public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) {
        let name = Value.className()
        core.checkThread()
        guard core.transaction.mayMutate(named: { "delete the objects of a map of '\(name)'" }) else { return }
        guard let owner = map.owner, let query = Results<Value?>(elementsOf: owner.core, owner.slot).state else {
            for object in map.values { if let object { delete(object) } }
            return
        }
        delete(query, name) { for object in map.values { if let object { delete(object) } } }
    }

    /// Deletes what a query finds; embedded objects one by one, because each has to leave its parent.
    private func delete(_ query: ResultState, _ name: String, each: () -> Void) {
        guard !query.table.schema.isEmbedded else { return each() }
        core.transaction.mutating { () throws(Realm.Error) in
            guard query.core === core else { throw .otherRealmDeletion(name) }
            let deletion = ObjectDeletion(core)
            guard query.plan.source == .all, query.plan.isUnrefined else {
                return try deletion.delete(query.table, try query.distinctKeys())
            }
            query.prepare()
            query.reportQuery()
            try deletion.deleteAll(of: query.table)
        }
    }

    /// Deletes every object of the realm.
    ///
    /// - Precondition: A transaction is open.
    public func deleteAll() {
        core.checkThread()
        guard core.transaction.mayMutate(named: { "delete all objects" }) else { return }
        core.transaction.mutating { () throws(Realm.Error) in try ObjectDeletion(core).deleteAll() }
    }
}
