extension Realm {
    /// Says what happens to an object whose primary key is already there.
    public enum UpdatePolicy: Int, Sendable {
        /// It is an error.
        case error = 1
        /// The existing object gets the values that differ.
        case modified = 3
        /// The existing object gets every supplied value, also equal ones.
        case all = 2
    }

    // MARK: Adding

    /// Adds an object, and every unmanaged object that it reaches; the instances become managed.
    ///
    /// An object supplies *all* of its properties, also those that were never assigned: with an update policy they
    /// overwrite the existing object's. Use ``create(_:value:update:)`` to change some properties only.
    ///
    /// - Precondition: A transaction is open.
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        core.checkThread()
        guard core.transaction.mayMutate(named: { "add an object of '\(type(of: object).className())'" }) else {
            return
        }
        core.transaction.mutating { () throws(Realm.Error) in
            try requireKey(type(of: object), update)
            try ObjectWriter(core, policy: update).add(object)
        }
    }

    /// Adds several objects; see ``add(_:update:)-(Object,_)``.
    ///
    /// - Precondition: A transaction is open.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Element: Object {
        for object in objects { add(object, update: update) }
    }

    /// Creates an object from a dictionary, an array or another object, and returns it managed.
    ///
    /// Unknown keys are ignored; absent ones keep the property's default, or the existing object's value when it is
    /// updated. Nested dictionaries and arrays create or update the objects that they describe. With an update policy a
    /// primary key that comes again inside of the value is the same object: its single values are written first, then
    /// what it links to, then its collections. Values follow the conversion rules, so that the result of
    /// `JSONSerialization` can be passed.
    ///
    /// - Returns: The managed object; an unmanaged one when the value is refused, which dooms the transaction.
    /// - Precondition: A transaction is open.
    @discardableResult
    public func create<T: Object>(
        _ type: T.Type,
        value: Any = [:],
        update: UpdatePolicy = .error
    ) -> T {
        core.checkThread()
        let instance = T()
        guard core.transaction.mayMutate(named: { "create an object of '\(type.className())'" }) else {
            return instance
        }
        core.transaction.mutating { () throws(Realm.Error) in
            try requireKey(type, update)
            let table = try core.table(type)
            if update != .error, let object = value as? T, let own = object._core, own.realm === core, own.isValid {
                instance._core = own
                return
            }
            instance._core = try ObjectWriter(core, policy: update, copies: true)
                .create(table, from: value, instance: instance)
        }
        return instance
    }

    private func requireKey(_ type: ObjectBase.Type, _ policy: UpdatePolicy) throws(Realm.Error) {
        guard policy != .error else { return }
        try requireKey(try core.table(type), policy)
    }

    /// Checks that objects of a class can be updated by their primary key, if that is asked for.
    func requireKey(_ table: ClassTable, _ policy: UpdatePolicy) throws(Realm.Error) {
        guard policy != .error else { return }
        guard table.schema.primaryKeySlot != nil else {
            throw Realm.Error(
                .invalidInput,
                "The class '\(table.schema.name)' has no primary key, so that nothing can be updated by it."
            )
        }
    }

    // MARK: Reading

    /// All objects of a class, live: the result follows the instance's version.
    ///
    /// - Precondition: The realm manages the class.
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        core.checkThread()
        guard let target = Element._elementType.target else {
            misuse("Objects of '\(type)' cannot be fetched: it is no class of a realm.")
        }
        return Results(core, core.requireTable(target))
    }

    /// Finds an object by its primary key.
    ///
    /// - Returns: The object, or nil when there is none.
    /// - Precondition: The realm manages the class, the class has a primary key, and the key can be converted to its type
    ///   as `create` converts; nil can only be the key of a class whose key is optional.
    public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
        core.checkThread()
        let table = core.requireTable(type)
        core.beginReading()
        // Several threads look objects of a frozen realm up at once, each by a query.
        let recent = core.isFrozen ? nil : RecentRows.Key(key)
        if let recent, let row = table.recentRows.row(recent, table.rowGenerations) {
            core.recording.didRead(row, table)
            return core.object(type, table, row)
        }
        guard let row = find(key, in: table) else { return nil }
        if let recent { table.recentRows.keep(row, for: recent, at: table.generation) }
        core.recording.didRead(row, table)
        return core.object(type, table, row)
    }

    /// Finds a row by its primary key with a query.
    func find<KeyType>(_ key: KeyType, in table: ClassTable) -> ObjectSnapshot? {
        if KeyType.self == Int.self, table.isKeyedByInt {
            // The most usual key needs no conversion; the types are the same where this is reached.
            let number = unsafeBitCast(key, to: Int.self)
            return core.reading(or: nil) { () throws(Realm.Error) in try table.row(Int64(number)) }
        }
        guard let slot = table.schema.primaryKeySlot,
            case .scalar(let operations) = table.schema.properties[slot].operations.role
        else {
            misuse("The class '\(table.schema.name)' has no primary key; find its objects with a query.")
        }
        var isConverted = true
        let row = core.reading(or: nil) { () throws(Realm.Error) in
            try table.row(primaryKeySlot: slot) { statement, index in
                isConverted = operations.bindConverted(key, statement, index)
            }
        }
        guard isConverted else {
            let property = table.schema.properties[slot]
            let given = unwrapped(key).map { "\(Swift.type(of: $0))" } ?? "null"
            misuse(
                """
                An object of '\(table.schema.name)' was looked up by a key of type '\(given)', but its primary key \
                '\(property.name)' is '\(property.type.text)'.
                """
            )
        }
        return row
    }
}
