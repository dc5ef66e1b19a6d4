import EventModel
import Foundation
import ObjectQueries

/// How a file keeps the primary keys that are row keys: in no column of their own.
///
/// In a file of format 1, and while a migration changes keys, such a key has a column with a unique index like any other. To take the
/// column away gives the rows other keys, so that everything that names them is written anew: links, values of any type that are
/// links, the elements of the rows' collections, and whom nested lists and dictionaries belong to. All of that is done inside of a
/// transaction of the caller.
struct RowKeyLayout {
    let stored: StoredSchema

    private var connection: Connection { stored.connection }
    private var moved: String { StorageNames.quoted("$moved") }

    // MARK: Asking

    /// Whether a class has a column that ``settle()`` takes away.
    func isDue() throws(Realm.Error) -> Bool { try !due().isEmpty }

    /// Checks that no class has such a column, for an instance that cannot take it away.
    func requireDone() throws(Realm.Error) {
        guard try isDue() else { return }
        throw Realm.Error(
            .unsupportedFileFormatVersion,
            """
            The realm file was written by an earlier version of Daybook and has to be converted before it is opened read-only; open it \
            for writing once.
            """,
            fileURL: connection.fileURL
        )
    }

    private func due() throws(Realm.Error) -> [(StoredClass, StoredProperty)] {
        var due: [(StoredClass, StoredProperty)] = []
        for item in try stored.classes().values.sorted(by: { $0.name < $1.name }) {
            guard let key = item.rowKey, try stored.hasColumn(key.name, of: item.name) else { continue }
            due.append((item, key))
        }
        return due
    }

    // MARK: Changing

    /// Gives the primary key of a class a column, with the row keys as its values; nothing happens if it has one.
    ///
    /// - Complexity: O(*n*) in the count of rows.
    func separate(_ key: String, of className: String) throws(Realm.Error) {
        guard try !stored.hasColumn(key, of: className) else { return }
        let (table, column) = (StorageNames.table(className), StorageNames.quoted(key))
        try connection.execute(
            """
            ALTER TABLE \(table) ADD COLUMN \(column) INTEGER;
            UPDATE \(table) SET \(column) = \(StorageNames.key)
            """
        )
    }

    /// Makes the primary keys of all classes the row keys that have to be, also of classes that the program does not have.
    ///
    /// - Throws: A `Realm.Error` when objects have the same key, or the file cannot be changed.
    /// - Complexity: O(*n* log *n*) in the count of the rows of these classes and of what refers to them.
    func settle() throws(Realm.Error) {
        for (item, key) in try due() {
            try requireUnique(key, of: item)
            let table = KeyedTable(item.name, key.name)
            try rewriteLinks(to: table)
            try rewriteAnyLinks(to: table)
            for property in item.properties where !property.isColumn { try rewriteOwners(property, of: table) }
            try rewriteNestedOwners(of: table)
            try rewriteRows(of: table)
        }
    }

    /// A class whose rows get other keys.
    private struct KeyedTable {
        let className: String
        let keyName: String
        /// The names, quoted for SQL.
        let name: String
        let key: String

        init(_ className: String, _ keyName: String) {
            self.className = className
            self.keyName = keyName
            name = StorageNames.table(className)
            key = StorageNames.quoted(keyName)
        }

        /// Selects the new key of the row that an expression names.
        func newKey(of old: String) -> String {
            "(SELECT k.\(key) FROM \(name) k WHERE k.\(StorageNames.key) = \(old))"
        }
    }

    private func requireUnique(_ key: StoredProperty, of item: StoredClass) throws(Realm.Error) {
        let (table, column) = (StorageNames.table(item.name), StorageNames.quoted(key.name))
        if try exists("SELECT 1 FROM \(table) WHERE typeof(\(column)) <> 'integer' LIMIT 1") {
            throw .damaged(connection.fileURL, ["An object of '\(item.name)' has no primary key."])
        }
        if try exists("SELECT 1 FROM \(table) GROUP BY \(column) HAVING count(*) > 1 LIMIT 1") {
            throw .sameKeys("\(item.name).\(key.name)", connection.fileURL)
        }
    }

    // MARK: Links

    private func rewriteLinks(to table: KeyedTable) throws(Realm.Error) {
        for place in try places() where place.target == table.className {
            // In a whole file nothing refers to a row that is not there; it would refer to another one afterwards.
            let dangling =
                "\(place.value) IS NOT NULL AND \(place.value) NOT IN (SELECT \(StorageNames.key) FROM \(table.name))"
            try connection.execute(place.removal(where: dangling))
            try withoutIndexes(ofTable: place.tableName) { () throws(Realm.Error) in
                try connection.execute(
                    """
                    UPDATE \(place.table) SET \(place.value) = \(table.newKey(of: "\(place.table).\(place.value)")) \
                    WHERE \(place.value) IS NOT NULL
                    """
                )
            }
        }
    }

    private func rewriteAnyLinks(to table: KeyedTable) throws(Realm.Error) {
        var columns = try places().filter { $0.kind == .any }.map { ($0.tableName, $0.table, $0.value, $0.type) }
        for (name, quoted) in [
            ("$nested.elements", StorageNames.nestedElements), ("$nested.entries", StorageNames.nestedEntries),
        ] where try stored.hasColumn("$value", of: name) {
            columns.append((name, quoted, StorageNames.value, StorageNames.valueType))
        }
        for (name, quoted, value, type) in columns {
            try withoutIndexes(ofTable: name) { () throws(Realm.Error) in
                let key = "CAST(substr(\(quoted).\(value), length(?1) + 1) AS INTEGER)"
                let update = try connection.prepare(
                    """
                    UPDATE \(quoted) SET \(value) = ?1 || \(table.newKey(of: key)) \
                    WHERE \(type) = \(AnyCell.linkTag) AND \(value) >= ?1 AND \(value) < ?2
                    """
                )
                AnyLinkTracer.bindRange(table.className, update)
                try update.run()
            }
        }
    }

    /// Every property of the file.
    private func places() throws(Realm.Error) -> [PropertyPlace] {
        try stored.classes().values.sorted { $0.name < $1.name }
            .flatMap { item in item.properties.map { PropertyPlace(item.name, $0) } }
    }

    // MARK: Owners

    /// Writes a collection of the class anew: on the way to their new owners two rows could have the same one.
    private func rewriteOwners(_ property: StoredProperty, of table: KeyedTable) throws(Realm.Error) {
        let place = PropertyPlace(table.className, property)
        let others = try stored.columns(of: place.tableName).map(\.name).filter { $0 != "$owner" }
            .map(StorageNames.quoted)
        let names = ([StorageNames.owner] + others).joined(separator: ", ")
        let values = (["k.\(table.key) AS \(StorageNames.owner)"] + others.map { "t.\($0)" }).joined(separator: ", ")
        try connection.execute(
            """
            CREATE TABLE \(moved) AS SELECT \(values) FROM \(place.table) t \
            JOIN \(table.name) k ON k.\(StorageNames.key) = t.\(StorageNames.owner);
            DELETE FROM \(place.table);
            INSERT INTO \(place.table) (\(names)) SELECT \(names) FROM \(moved) ORDER BY 1, 2;
            DROP TABLE \(moved)
            """
        )
    }

    private func rewriteNestedOwners(of table: KeyedTable) throws(Realm.Error) {
        guard try stored.hasColumn("$owner", of: "$nested") else { return }
        let owner = "\(StorageNames.nested).\(StorageNames.owner)"
        let update = try connection.prepare(
            """
            UPDATE \(StorageNames.nested) SET \(StorageNames.owner) = \(table.newKey(of: owner)) \
            WHERE \(StorageNames.ownerClass) = ?1 \
            AND \(StorageNames.owner) IN (SELECT \(StorageNames.key) FROM \(table.name))
            """
        )
        update.bind(1, table.className)
        try update.run()
    }

    // MARK: Rows

    /// Writes the rows of the class under their new keys into a table without the column.
    private func rewriteRows(of table: KeyedTable) throws(Realm.Error) {
        let columns = try stored.columns(of: table.className).filter { !["$key", table.keyName].contains($0.name) }
        let definitions = ["\(StorageNames.key) INTEGER PRIMARY KEY"] + columns.map(\.definition)
        let names = columns.map { StorageNames.quoted($0.name) }
        let keyIndexes = ["key", "index"].map { "\(table.className).\(table.keyName)$\($0)" }
        try withoutIndexes(ofTable: table.className, dropping: Set(keyIndexes)) { () throws(Realm.Error) in
            try connection.execute(
                """
                CREATE TABLE \(moved) (\(definitions.joined(separator: ", ")));
                INSERT INTO \(moved) (\(([StorageNames.key] + names).joined(separator: ", "))) \
                SELECT \(([table.key] + names).joined(separator: ", ")) FROM \(table.name) ORDER BY \(table.key);
                DROP TABLE \(table.name);
                ALTER TABLE \(moved) RENAME TO \(table.name)
                """
            )
        }
    }

    /// Changes a table while it has no index, which costs less and lets two values be the same meanwhile.
    private func withoutIndexes(
        ofTable name: String,
        dropping dropped: Set<String> = [],
        _ body: () throws(Realm.Error) -> Void
    ) throws(Realm.Error) {
        let select = try connection.prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?1 AND sql NOT NULL"
        )
        select.bind(1, name)
        var indexes: [(name: String, sql: String)] = []
        while try select.step() { indexes.append((select.text(0), select.text(1))) }
        for index in indexes { try connection.execute("DROP INDEX \(StorageNames.quoted(index.name))") }
        try body()
        for index in indexes where !dropped.contains(index.name) { try connection.execute(index.sql) }
    }

    private func exists(_ sql: String) throws(Realm.Error) -> Bool {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        return try statement.step()
    }
}

extension Realm.Error {
    static func sameKeys(_ place: String, _ fileURL: URL) -> Realm.Error {
        Realm.Error(
            .objectAlreadyExists,
            "After the migration several objects have the same primary key '\(place)'.",
            fileURL: fileURL
        )
    }
}
