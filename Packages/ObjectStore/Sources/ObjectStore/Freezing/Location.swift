import ObjectQueries

/// Where an object, a collection or a result is found in every instance of a file; it keeps nothing alive.
///
/// Not meant for programs.
public struct _Location: Sendable {
    indirect enum Content: Sendable {
        /// A row of a class; an embedded one with the row around it.
        case object(className: String, key: Int64, parent: Content?)
        /// A collection of a row, or one inside a value of any type of that row.
        case collection(owner: Content, slot: Int, nested: Int64?)
        /// What links to a row.
        case origins(target: Content, slot: Int)
        /// A query for objects; for embedded ones with the row around them.
        case objects(className: String, QueryPlan, parent: Content?)
        /// A query for the elements of a collection that are no objects.
        case values(owner: Content, slot: Int, QueryPlan)
        /// What a program made of a collection: its sections, or values of its objects.
        case derived(Content, Derivation)
    }

    /// The file.
    let path: String
    /// The version that it exists at.
    let version: UInt64
    let content: Content

    init(_ content: Content, in realm: RealmCore) {
        path = realm.file.path
        // What an open transaction made exists once it is committed.
        version = realm.store.version + (!realm.transaction.isOpen ? 0 : 1)
        self.content = content
    }

    /// Creates a place at the version of another one in its file.
    init(_ content: Content, like other: _Location) {
        path = other.path
        version = other.version
        self.content = content
    }
}

extension ObjectCore {
    /// Where every instance finds the row.
    var content: _Location.Content {
        .object(className: table.schema.name, key: key, parent: parent?.content)
    }

    /// Where every instance finds the row; nil when there is no realm.
    var location: _Location? { realm.map { _Location(content, in: $0) } }
}

extension _Location.Content {
    /// Finds the row of an object in an instance; nil when it does not exist at the instance's version.
    func located(in realm: RealmCore) -> ObjectCore? {
        guard case .object(let name, let key, let parentContent) = self, let table = realm.store.table(named: name)
        else {
            return nil
        }
        realm.checkThread()
        realm.beginReading()
        let parent = parentContent.flatMap { $0.located(in: realm) }
        if parentContent != nil, parent == nil { return nil }
        guard let row = realm.reading(or: nil, { () throws(Realm.Error) in try table.row(key) }) else { return nil }
        let core = ObjectCore(realm: realm, table: table, row: row, generation: table.generation, parent: parent)
        core.mustBeTold()
        return core
    }
}
