import EventModel
import ObjectQueries

/// The rows of the lists and dictionaries inside values of any type.
///
/// Each has a key of its own that is never given again, so that an accessor stays with its list wherever that moves.
struct NestedCollections {
    private static let elements = StorageNames.nestedElements
    private static let entries = StorageNames.nestedEntries
    private static let linkIndexes = [
        StorageNames.quoted("$nested.elements$link"), StorageNames.quoted("$nested.entries$link"),
    ]

    /// Prepares statements.
    private let statement: (String) throws(Realm.Error) -> Statement

    /// Whether the file keeps its changes, for which each has a life.
    private let isSynced: Bool

    /// Uses statements that a table keeps.
    init(_ table: ClassTable) {
        isSynced = table.touchedCells != nil
        statement = { sql throws(Realm.Error) in try table.statement(sql) }
    }

    /// Uses statements of its own, for classes that have no table.
    init(_ store: StoreConnection) {
        isSynced = store.touchedCells != nil
        statement = { sql throws(Realm.Error) in try store.connection.prepare(sql) }
    }

    static func createTables(_ connection: Connection) throws(Realm.Error) {
        let (key, owner, value, type) = (
            StorageNames.key, StorageNames.owner, StorageNames.value, StorageNames.valueType
        )
        let isSynced = try SyncTables(connection).exist()
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(StorageNames.nested) (
                \(key) INTEGER PRIMARY KEY AUTOINCREMENT, \(StorageNames.ownerClass) TEXT NOT NULL,
                \(owner) INTEGER NOT NULL, \(StorageNames.ownerProperty) TEXT NOT NULL,
                \(StorageNames.depth) INTEGER NOT NULL
            );
            CREATE INDEX IF NOT EXISTS \(StorageNames.quoted("$nested$owner")) \
            ON \(StorageNames.nested) (\(StorageNames.ownerClass), \(owner));
            CREATE TABLE IF NOT EXISTS \(elements) (
                \(owner) INTEGER NOT NULL, \(StorageNames.position) INTEGER NOT NULL, \(value) BLOB, \(type) INTEGER,
                \(isSynced ? "\(StorageNames.element) INTEGER NOT NULL, " : "")\
                PRIMARY KEY (\(owner), \(StorageNames.position))
            ) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(entries) (
                \(owner) INTEGER NOT NULL, \(StorageNames.entryKey) TEXT NOT NULL, \(value) BLOB, \(type) INTEGER,
                PRIMARY KEY (\(owner), \(StorageNames.entryKey))
            ) WITHOUT ROWID;
            """
        )
        for (index, table) in zip(linkIndexes, [elements, entries]) {
            try connection.execute(
                "CREATE INDEX IF NOT EXISTS \(index) ON \(table) (\(value)) WHERE \(type) = \(AnyCell.linkTag)"
            )
        }
        if isSynced { try SyncTables.createElementIndex(of: elements, named: "$nested.elements", connection) }
    }

    /// Gives a new list or dictionary its key.
    func make(in core: ObjectCore, _ slot: Int, depth: Int) throws(Realm.Error) -> Int64 {
        try make(in: core.table, core.key, slot, depth: depth)
    }

    /// Gives a new list or dictionary in a property of a row its key.
    func make(in table: ClassTable, _ row: Int64, _ slot: Int, depth: Int) throws(Realm.Error) -> Int64 {
        guard depth <= ObjectSource.maximumDepth else { throw .tooDeep(table.schema.name) }
        let statement = try self.statement(
            """
            INSERT INTO \(StorageNames.nested) (\(StorageNames.ownerClass), \(StorageNames.owner), \
            \(StorageNames.ownerProperty), \(StorageNames.depth)) VALUES (?1, ?2, ?3, ?4)
            """
        )
        statement.bind(1, table.schema.name)
        statement.bind(2, row)
        statement.bind(3, table.schema.properties[slot].columnName)
        statement.bind(4, Int64(depth))
        try statement.run()
        return table.lastInsertedKey
    }

    /// How deep a list or dictionary lies; nil when it was removed.
    func depth(of key: Int64) throws(Realm.Error) -> Int? {
        let statement = try self.statement(
            "SELECT \(StorageNames.depth) FROM \(StorageNames.nested) WHERE \(StorageNames.key) = ?1"
        )
        statement.bind(1, key)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return Int(statement.int(0))
    }

    /// Removes a list or dictionary with all that is nested in it.
    func delete(_ key: Int64) throws(Realm.Error) {
        func inside(_ collection: String) -> String {
            """
            SELECT \(StorageNames.value) FROM \(collection) JOIN inside ON \(StorageNames.owner) = inside.id \
            WHERE \(StorageNames.valueType) IN \(StorageNames.nestedTags)
            """
        }
        let statement = try self.statement(
            """
            WITH RECURSIVE inside(id) AS (VALUES (?1) UNION \(inside(Self.elements)) UNION \(inside(Self.entries))) \
            SELECT id FROM inside
            """
        )
        statement.bind(1, key)
        try deleteRows(try keys(statement))
    }

    /// Removes everything that is nested in the values of an object.
    func deleteAll(of owner: Int64, _ className: String) throws(Realm.Error) {
        let statement = try self.statement(
            """
            SELECT \(StorageNames.key) FROM \(StorageNames.nested) \
            WHERE \(StorageNames.ownerClass) = ?1 AND \(StorageNames.owner) = ?2
            """
        )
        statement.bind(1, className)
        statement.bind(2, owner)
        try deleteRows(try keys(statement))
    }

    /// Removes what is nested in the values of every object of the file.
    func deleteEverything() throws(Realm.Error) {
        for name in [Self.elements, Self.entries, StorageNames.nested] {
            try statement("DELETE FROM \(name)").run()
        }
        guard isSynced else { return }
        try statement("DELETE FROM \(SyncTables.lives) WHERE class = '\(SyncTables.nested)'").run()
    }

    private func keys(_ statement: Statement) throws(Realm.Error) -> [Int64] {
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.int(0)) }
        return keys
    }

    private func deleteRows(_ keys: [Int64]) throws(Realm.Error) {
        guard !keys.isEmpty else { return }
        let places = [
            (Self.elements, StorageNames.owner), (Self.entries, StorageNames.owner),
            (StorageNames.nested, StorageNames.key),
        ]
        for (name, column) in places {
            let statement = try self.statement(
                "DELETE FROM \(name) WHERE \(column) IN (SELECT value FROM json_each(?1))"
            )
            statement.bind(1, keys.jsonArray)
            try statement.run()
        }
        guard isSynced else { return }
        try forgetHeld(keys)
    }

    /// Forgets what a file that keeps its changes has beside collections that go.
    private func forgetHeld(_ keys: [Int64]) throws(Realm.Error) {
        let places = [
            (SyncTables.lives, "class", "key", SyncTables.nested),
            (SyncTables.links, "holderClass", "holder", SyncTables.nested),
            (SyncTables.places, "list", "owner", Self.elements), (SyncTables.hides, "list", "owner", Self.elements),
            (SyncTables.placed, "list", "owner", Self.elements),
        ]
        for (table, name, key, value) in places {
            let statement = try statement(
                "DELETE FROM \(table) WHERE \(name) = ?2 AND \(key) IN (SELECT value FROM json_each(?1))"
            )
            statement.bind(1, keys.jsonArray)
            statement.bind(2, value)
            try statement.run()
        }
    }

    // MARK: Links

    /// An object whose nested lists and dictionaries link to a row.
    struct Owner {
        let className: String
        let key: Int64
        let columnName: String
    }

    /// The objects whose nested lists and dictionaries link to a row, once for each property.
    func owners(linkingTo link: String) throws(Realm.Error) -> [Owner] {
        var owners: [Owner] = []
        for collection in [Self.elements, Self.entries] {
            let statement = try self.statement(
                """
                SELECT DISTINCT n.\(StorageNames.ownerClass), n.\(StorageNames.owner), n.\(StorageNames.ownerProperty) \
                FROM \(collection) e \
                JOIN \(StorageNames.nested) n ON n.\(StorageNames.key) = e.\(StorageNames.owner) \
                WHERE e.\(StorageNames.valueType) = \(AnyCell.linkTag) AND e.\(StorageNames.value) = ?1
                """
            )
            statement.bind(1, link)
            while try statement.step() {
                owners.append(
                    Owner(className: statement.text(0), key: statement.int(1), columnName: statement.text(2))
                )
            }
        }
        return owners
    }

    /// The objects whose nested lists and dictionaries link to rows of a class of which a test is true.
    func owners(
        linkingToClass className: String,
        where isIncluded: (Int64) -> Bool
    ) throws(Realm.Error) -> [Owner] {
        var owners: [Owner] = []
        for collection in [Self.elements, Self.entries] {
            let statement = try self.statement(
                """
                SELECT n.\(StorageNames.ownerClass), n.\(StorageNames.owner), n.\(StorageNames.ownerProperty), \
                e.\(StorageNames.value), e.\(StorageNames.valueType) FROM \(collection) e \
                JOIN \(StorageNames.nested) n ON n.\(StorageNames.key) = e.\(StorageNames.owner) \
                WHERE e.\(StorageNames.valueType) = \(AnyCell.linkTag) \
                AND e.\(StorageNames.value) >= ?1 AND e.\(StorageNames.value) < ?2
                """
            )
            AnyLinkTracer.bindRange(className, statement)
            while try statement.step() {
                guard case .link(_, let key) = AnyCell(column: 3, of: statement.handle), isIncluded(key) else {
                    continue
                }
                owners.append(
                    Owner(className: statement.text(0), key: statement.int(1), columnName: statement.text(2))
                )
            }
        }
        return owners
    }

    /// Lets everything that links to a row hold nothing.
    func removeLinks(_ link: String) throws(Realm.Error) {
        for collection in [Self.elements, Self.entries] {
            let statement = try self.statement(
                """
                UPDATE \(collection) SET \(StorageNames.value) = NULL, \(StorageNames.valueType) = 0 \
                WHERE \(StorageNames.valueType) = \(AnyCell.linkTag) AND \(StorageNames.value) = ?1
                """
            )
            statement.bind(1, link)
            try statement.run()
        }
    }
}
