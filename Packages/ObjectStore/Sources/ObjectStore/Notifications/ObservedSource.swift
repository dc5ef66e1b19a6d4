import EventModel
import ObjectQueries

/// What a token of a collection watches: the one seam between collections and notifications.
struct ObservedSource {
    /// The elements at one version.
    enum Contents: Equatable {
        /// The rows of objects.
        case rows([Int64])
        /// Stored values of any type.
        case values([StoredValue])
    }

    let realm: RealmCore
    /// The class of elements that are objects.
    let elements: ClassTable?
    /// Whether an element that is replaced at its place counts as modified, as in a list.
    let isAssignable: Bool
    /// Whether the elements may be others after some changes; the elements themselves do not count.
    let mayDiffer: (LoggedChanges) -> Bool
    /// Reads the elements at the realm's version, without telling an observer; nil when the collection is gone.
    let contents: () throws(Realm.Error) -> Contents?
    /// Reads the entries of a map in the same way.
    var entries: () throws(Realm.Error) -> Entries? = { () throws(Realm.Error) in nil }

    /// The entries of a map at one version, in the order of their keys' bytes.
    struct Entries {
        var keys: [String] = []
        /// An object is the number of its row.
        var values: [StoredValue] = []
    }
}

extension ObservedSource {
    /// The result of a query.
    init(_ state: ResultState) {
        self.init(
            realm: state.core,
            elements: state is ObjectResultState ? state.table : nil,
            isAssignable: false,
            mayDiffer: { changes in state.compiled.classNames.contains { changes[$0] != nil } },
            contents: { () throws(Realm.Error) in try state.contents() }
        )
    }

    /// The collection of a property, or one inside a value of any type of the property.
    init(_ owner: ObjectCore, _ slot: Int, nested: NestedKey?, _ realm: RealmCore) {
        let schema = owner.table.schema
        let property = schema.properties[slot]
        let table = PropertyElements(owner, slot, nested)
        self.init(
            realm: realm,
            elements: property.type.target.flatMap { realm.store.table($0) },
            isAssignable: nested.map { !$0.isDictionary } ?? (property.type.collection == .list),
            mayDiffer: { changes in
                guard let changes = changes[schema.name] else { return false }
                return changes.hasDeletions || changes.slots(of: owner.key).contains(slot)
            },
            contents: { () throws(Realm.Error) in try table.contents() },
            entries: { () throws(Realm.Error) in try table.entries() }
        )
    }
}

/// The rows of the property of one object, or of a collection inside a value of it, as tokens compare them.
private struct PropertyElements {
    private let owner: ObjectCore
    private let nested: NestedKey?
    private let isAny: Bool
    private let isObject: Bool
    private let sql: String

    init(_ owner: ObjectCore, _ slot: Int, _ nested: NestedKey?) {
        self.owner = owner
        self.nested = nested
        let schema = owner.table.schema
        let property = schema.properties[slot]
        isAny = property.type.kind == .any
        isObject = property.type.target != nil
        let isMap = nested?.isDictionary ?? (property.type.collection == .dictionary)
        let label = isMap ? StorageNames.entryKey : StorageNames.position
        sql = """
            SELECT \(label), \(StorageNames.value)\(isAny ? ", \(StorageNames.valueType)" : "") \
            FROM \(nested?.table ?? schema.places[slot].table) \
            WHERE \(StorageNames.owner) = ?1 ORDER BY \(label)
            """
    }

    private func statement() throws(Realm.Error) -> Statement? {
        guard owner.isValid else { return nil }
        if let nested, try NestedCollections(owner.table).depth(of: nested.key) == nil { return nil }
        let statement = try owner.table.statement(sql)
        statement.bind(1, nested?.key ?? owner.key)
        return statement
    }

    func contents() throws(Realm.Error) -> ObservedSource.Contents? {
        guard let statement = try statement() else { return nil }
        if isObject {
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.int(1)) }
            return .rows(keys)
        }
        var values: [StoredValue] = []
        while try statement.step() { values.append(StoredValue(statement, 1, isAny: isAny)) }
        return .values(isAny ? try values.withNestedValues(owner.table) : values)
    }

    func entries() throws(Realm.Error) -> ObservedSource.Entries? {
        guard let statement = try statement() else { return nil }
        var entries = ObservedSource.Entries()
        while try statement.step() {
            entries.keys.append(statement.text(0))
            entries.values.append(StoredValue(statement, 1, isAny: isAny))
        }
        if isAny { entries.values = try entries.values.withNestedValues(owner.table) }
        return entries
    }
}
