import EventModel

/// Writes objects with all that they contain into a realm, inside its transaction.
struct ObjectWriter {
    let realm: RealmCore
    let policy: Realm.UpdatePolicy
    /// Whether unmanaged objects are copied, as `create` does, instead of becoming managed themselves.
    let copies: Bool
    /// The objects that are being copied, from the outside to the inside, to find cycles.
    private let path: [ObjectBase]
    let depth: Int

    init(_ realm: RealmCore, policy: Realm.UpdatePolicy, copies: Bool = false) {
        self.init(realm, policy: policy, copies: copies, path: [], depth: 0)
    }

    private init(
        _ realm: RealmCore,
        policy: Realm.UpdatePolicy,
        copies: Bool,
        path: [ObjectBase],
        depth: Int
    ) {
        self.realm = realm
        self.policy = policy
        self.copies = copies
        self.path = path
        self.depth = depth
    }

    /// The writer for what is inside a value.
    func inside(_ value: ObjectSource) throws(Realm.Error) -> ObjectWriter {
        var path = path
        if case .object(let object) = value {
            if let start = path.firstIndex(where: object.isSameInstanceOrRow) {
                throw .cycle(path[start...] + [object])
            }
            path.append(object)
        }
        return ObjectWriter(realm, policy: policy, copies: copies, path: path, depth: depth + 1)
    }

    /// The writer for what is inside a nested list or dictionary.
    func inside() throws(Realm.Error) -> ObjectWriter {
        ObjectWriter(realm, policy: policy, copies: copies, path: path, depth: depth + 1)
    }

    // MARK: Rows

    /// Whether a value must wait until the row of the object around it is there: its key may come again inside.
    ///
    /// What is inside is written when it is reached, and finds the object by its key then, as it would find any other.
    func isLate(_ value: Any, _ schema: ClassSchema) -> Bool {
        guard schema.primaryKeySlot != nil, policy != .error || schema.isKeyOptional else { return false }
        switch unwrapped(value) {
        case nil: return false
        case let object as ObjectBase: return object._core?.realm !== realm || object.classSchema.isEmbedded
        case let value as AnyRealmValue:
            if case .object(let object) = value { return isLate(object, schema) }
            return value.scalar == nil
        default: return true
        }
    }

    /// Fills the collection of a new object.
    ///
    /// When the object was reached again by what was written for it, the collection may have elements already.
    func fill(
        _ collection: any PersistedCollection,
        with values: TakenValues,
        isUntouched: Bool
    ) throws(Realm.Error) {
        if isUntouched { try collection.insert(values, self) } else { try collection.assign(values, self) }
    }

    /// Runs the insertion of an object; of a key that is there already the error says which.
    func run(
        _ statement: Statement,
        _ core: ObjectCore,
        _ primaryKey: () -> String
    ) throws(Realm.Error) {
        do throws(Realm.Error) {
            try statement.run()
        } catch  where error.isUniqueViolation {
            // Where the primary key is the row key, the row that is there is another object's.
            core.table.newRows.remove(core.key)
            core.markDeleted()
            throw .duplicateKey(core.table.schema.name, details: [primaryKey()])
        }
    }

    /// Makes the core of an object that is about to be inserted.
    ///
    /// - Parameters:
    ///   - table: Its class.
    ///   - parent: The object around an embedded one.
    ///   - rowKey: Gives the primary key; called when it is the row key.
    /// - Returns: The core, whose row is not there yet.
    /// - Throws: A `Realm.Error` when there is no key for the row.
    func newCore(
        _ table: ClassTable,
        parent: ObjectCore?,
        _ rowKey: (RowKeySource) throws(Realm.Error) -> Int64
    ) throws(Realm.Error) -> ObjectCore {
        guard table.rowKeySlot != nil, let source = table.schema.rowKey else {
            return ObjectCore(realm: realm, table: table, key: try table.takeKey(), parent: parent)
        }
        let key = try rowKey(source)
        table.newRows.insert(key)
        return ObjectCore(realm: realm, table: table, key: key, parent: parent)
    }

    /// Makes the core of an object that is there.
    func core(of row: ObjectSnapshot, _ table: ClassTable) -> ObjectCore {
        ObjectCore(realm: realm, table: table, row: row, generation: table.generation)
    }
}
