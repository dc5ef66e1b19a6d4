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
    let mayDiffer: (LoggedChanges) throws(Realm.Error) -> Bool
    /// Reads the elements at the realm's version, without telling an observer; nil when the collection is gone.
    let contents: () throws(Realm.Error) -> Contents?
}

/// A value as a column holds it.
enum StoredValue: Hashable {
    case null
    case int(Int64)
    case number(UInt64)
    case bytes([UInt8], isText: Bool)

    init(_ statement: Statement, _ column: Int32) {
        switch statement.kind(column) {
        case .null: self = .null
        case .int: self = .int(statement.int(column))
        case .number: self = .number(statement.double(column).bitPattern)
        case .text: self = .bytes(Array(statement.bytes(column)), isText: true)
        case .blob: self = .bytes(Array(statement.bytes(column)), isText: false)
        }
    }
}

extension ObservedSource {
    /// The result of a query.
    init(_ state: ResultState) {
        self.init(
            realm: state.core,
            elements: state is ObjectResultState ? state.table : nil,
            isAssignable: false,
            mayDiffer: { changes throws(Realm.Error) in
                if case .elements(let owner, _, _) = state.plan.source, changes[owner] != nil { return true }
                return try ChangeTracer(state.core.store, changes).reaches(state.table)
            },
            contents: { () throws(Realm.Error) in try state.contents() }
        )
    }

    /// The collection of a property.
    init(_ owner: ObjectCore, _ slot: Int, _ realm: RealmCore) {
        let schema = owner.table.schema
        let property = schema.properties[slot]
        let order = property.type.collection == .list ? " ORDER BY \(StorageNames.position)" : ""
        let sql = """
            SELECT \(StorageNames.value) FROM \(StorageNames.table(schema.name, schema.shape.properties[slot])) \
            WHERE \(StorageNames.owner) = ?1\(order)
            """
        self.init(
            realm: realm,
            elements: property.type.target.flatMap { realm.store.table($0) },
            isAssignable: property.type.collection == .list,
            mayDiffer: { changes in
                guard let changes = changes[schema.name] else { return false }
                return changes.hasDeletions || changes.slots(of: owner.key).contains(slot)
            },
            contents: { () throws(Realm.Error) in
                guard owner.isValid else { return nil }
                let statement = try owner.table.statement(sql)
                statement.bind(1, owner.key)
                if property.type.target != nil {
                    var keys: [Int64] = []
                    while try statement.step() { keys.append(statement.int(0)) }
                    return .rows(keys)
                }
                var values: [StoredValue] = []
                while try statement.step() { values.append(StoredValue(statement, 0)) }
                return .values(values)
            }
        )
    }
}
