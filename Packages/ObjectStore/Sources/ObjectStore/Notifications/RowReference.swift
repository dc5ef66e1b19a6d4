/// Names a row of a file, so that another instance can make an accessor of it.
struct RowReference: Sendable {
    private let type: ObjectBase.Type
    private let key: Int64
    private let parents: [(type: ObjectBase.Type, key: Int64)]

    init(_ core: ObjectCore) {
        type = core.table.schema.type
        key = core.key
        var parents: [(type: ObjectBase.Type, key: Int64)] = []
        var parent = core.parent
        while let outer = parent {
            parents.append((outer.table.schema.type, outer.key))
            parent = outer.parent
        }
        self.parents = parents
    }

    /// Makes the core of an accessor in another instance, whether or not the row exists there.
    func core(in realm: RealmCore) -> ObjectCore {
        var parent: ObjectCore?
        for (type, key) in parents.reversed() {
            parent = ObjectCore(realm: realm, table: realm.requireTable(type), key: key, parent: parent)
        }
        return ObjectCore(realm: realm, table: realm.requireTable(type), key: key, parent: parent)
    }
}
