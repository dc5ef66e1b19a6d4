import EventModel
import ObjectQueries

// What the file says about its classes.
extension StoredSchema {
    /// The classes of the file, by name.
    func classes() throws(Realm.Error) -> [String: StoredClass] {
        var classes: [String: StoredClass] = [:]
        let names = try connection.prepare("SELECT name, embedded FROM \(Self.classTable)")
        while try names.step() {
            let name = names.text(0)
            classes[name] = StoredClass(name: name, isEmbedded: names.int(1) != 0, properties: [])
        }
        let properties = try connection.prepare(
            """
            SELECT class, name, kind, collection, optional, target, key FROM \(Self.propertyTable) ORDER BY rowid
            """
        )
        while try properties.step() {
            let property = try property(properties)
            classes[properties.text(0)]?.properties.append(property)
        }
        return classes
    }

    private func property(_ row: Statement) throws(Realm.Error) -> StoredProperty {
        guard let kind = PropertyShape.Kind(rawValue: UInt8(truncatingIfNeeded: row.int(2))),
            let collection = PropertyShape.Collection(rawValue: UInt8(truncatingIfNeeded: row.int(3)))
        else {
            throw Realm.Error(
                .invalidDatabase,
                "The realm file describes a property of a type that this library does not know.",
                fileURL: connection.fileURL
            )
        }
        return StoredProperty(
            name: row.text(1),
            kind: kind,
            collection: collection,
            isOptional: row.int(4) != 0,
            target: row.isNull(5) ? nil : row.text(5),
            isPrimaryKey: row.int(6) != 0
        )
    }

    /// Writes down what the properties of a class are, instead of what was known before.
    func describe(_ described: StoredClass) throws(Realm.Error) {
        let forget = try connection.prepare("DELETE FROM \(Self.propertyTable) WHERE class = ?1")
        forget.bind(1, described.name)
        try forget.run()
        let insert = try connection.prepare("INSERT INTO \(Self.propertyTable) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        for property in described.properties {
            insert.bind(1, described.name)
            insert.bind(2, property.name)
            insert.bind(3, Int64(property.kind.rawValue))
            insert.bind(4, Int64(property.collection.rawValue))
            insert.bind(5, property.isOptional ? 1 : 0)
            if let target = property.target { insert.bind(6, target) } else { insert.bindNull(6) }
            insert.bind(7, property.isPrimaryKey ? 1 : 0)
            try insert.run()
        }
    }

    /// A column of a table.
    struct Column {
        let name: String
        /// The name with type and default, as SQL defines it.
        let definition: String
    }

    /// The columns of a table in their order; none when there is no such table.
    func columns(of table: String) throws(Realm.Error) -> [Column] {
        let select = try connection.prepare("SELECT name, type, dflt_value FROM pragma_table_info(?1)")
        select.bind(1, table)
        var columns: [Column] = []
        while try select.step() {
            let (name, type) = (select.text(0), select.text(1))
            let standard = select.isNull(2) ? "" : " DEFAULT \(select.text(2))"
            columns.append(Column(name: name, definition: "\(StorageNames.quoted(name)) \(type)\(standard)"))
        }
        return columns
    }

    /// Whether a table has a column.
    func hasColumn(_ name: String, of table: String) throws(Realm.Error) -> Bool {
        try columns(of: table).contains { $0.name == name }
    }

    /// The names `Class.property` of the indexes that declarations asked for.
    func indexedProperties() throws(Realm.Error) -> Set<String> {
        let suffix = "$index"
        let indexes = try connection.prepare(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE '%$index'"
        )
        var names: Set<String> = []
        while try indexes.step() { names.insert(String(indexes.text(0).dropLast(suffix.count))) }
        return names
    }
}
