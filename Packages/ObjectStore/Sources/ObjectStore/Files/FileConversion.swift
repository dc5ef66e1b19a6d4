import EventModel
import ObjectQueries

/// Makes a copy of a realm file one that keeps its changes, or one that does not.
///
/// The copy is a file that nobody else sees yet. What was done to it when this throws is not undone.
struct FileConversion {
    let connection: Connection
    /// Says when the objects are taken to have been created.
    let clock: any EventClock

    private var stored: StoredSchema { StoredSchema(connection) }

    /// Lets the file keep its changes, of which the first are that all its objects were created.
    ///
    /// - Throws: A `Realm.Error` with `.invalidInput` when a class has no primary key, `.outOfDiskSpace` when the changes would be more than
    ///   may wait, or why the file cannot be changed.
    /// - Complexity: O(*n*) in the objects and elements, with the changes in memory.
    func keepChanges() throws(Realm.Error) {
        let classes = try stored.classes().values.sorted { $0.name < $1.name }
        try requireNames(classes)
        try connection.execute("BEGIN")
        try SyncTables(connection).create()
        for stored in classes {
            for property in stored.properties where property.collection == .list {
                let name = "\(stored.name).\(property.name)"
                try nameElements(of: StorageNames.quoted(name), name)
            }
        }
        if try !stored.columns(of: "$nested.elements").isEmpty {
            try nameElements(of: StorageNames.nestedElements, "$nested.elements")
        }
        try collect(classes)
        try connection.execute("COMMIT")
    }

    /// Checks that each object has a name that other devices know.
    private func requireNames(_ classes: [StoredClass]) throws(Realm.Error) {
        let nameless = classes.filter { !$0.isEmbedded && !$0.properties.contains(where: \.isPrimaryKey) }.map(\.name)
        guard nameless.isEmpty else {
            throw Realm.Error(
                .invalidInput,
                """
                A realm that keeps its changes knows objects by their primary keys, which the classes \
                '\(nameless.joined(separator: "', '"))' of the file have not; migrate it to classes that have one, and then copy it.
                """,
                details: nameless
            )
        }
        guard try stored.hasFormat() else {
            throw Realm.Error(
                .fileFormatUpgradeRequired,
                "The realm file was written by an earlier version of Daybook; open it for writing once, and then copy it."
            )
        }
    }

    /// Gives the elements of a list their names.
    private func nameElements(of table: String, _ name: String) throws(Realm.Error) {
        // 0 is no name.
        try connection.execute(
            """
            ALTER TABLE \(table) ADD COLUMN \(StorageNames.element) INTEGER NOT NULL DEFAULT 0;
            UPDATE \(table) SET \(StorageNames.element) = max(1, random() & \(Int64.max))
            """
        )
        try SyncTables.createElementIndex(of: table, named: name, connection)
    }

    /// Keeps what is there as created objects, of all classes of the file, whatever the program declares.
    private func collect(_ classes: [StoredClass]) throws(Realm.Error) {
        let schema = RealmSchema(checked: try ClassSchema.dynamic(classes))
        let store = try StoreConnection(connection, schema, isReadOnly: false)
        guard let touched = store.touchedCells else { return }
        for table in store.tables where !table.schema.isEmbedded {
            let select = try table.statement("SELECT \(StorageNames.key) FROM \(table.name)")
            while try select.step() { table.newRows.insert(select.int(0)) }
        }
        var collector = ChangeCollector(store, touched)
        try collector.collect()
        guard !collector.isEmpty else { return }
        _ = try PendingChanges(collector.objects).append(&collector.encoders, clock.now(), touched.limits)
    }

    /// Lets the file forget that it kept its changes, with those that wait.
    ///
    /// - Throws: A `Realm.Error` when the file cannot be changed.
    /// - Complexity: O(*n*) in the rows.
    func forgetChanges() throws(Realm.Error) {
        try connection.execute("BEGIN; UPDATE \(StoredSchema.realmTable) SET format = \(StoredSchema.format)")
        for stored in try stored.classes().values {
            for property in stored.properties where property.collection == .list {
                let name = "\(stored.name).\(property.name)"
                try forgetNames(of: StorageNames.quoted(name), name)
            }
        }
        if try !stored.columns(of: "$nested.elements").isEmpty {
            try forgetNames(of: StorageNames.nestedElements, "$nested.elements")
        }
        try connection.execute("COMMIT; VACUUM")
    }

    private func forgetNames(of table: String, _ name: String) throws(Realm.Error) {
        try connection.execute(
            """
            DROP INDEX IF EXISTS \(StorageNames.quoted("\(name)$element"));
            ALTER TABLE \(table) DROP COLUMN \(StorageNames.element)
            """
        )
    }
}
