import EventModel
import ObjectQueries

/// Lets the schema of a file that keeps its changes grow by what a program declares.
///
/// Devices with other versions of a program share what the file holds, and what waits for the server names what it was made of. So classes,
/// properties and indexes come; nothing is changed or removed, and no migration block is run. What the file has and the program does not
/// declare stays as it is.
struct SchemaGrowth {
    let stored: StoredSchema
    let schema: RealmSchema
    private let classes: [String: StoredClass]
    private let changes: [SchemaChange]

    init(_ stored: StoredSchema, _ schema: RealmSchema) throws(Realm.Error) {
        self.stored = stored
        self.schema = schema
        classes = try stored.classes()
        changes = SchemaComparison(classes, indexed: try stored.indexedProperties(), schema).changes
    }

    /// Whether the file has all that the program declares.
    var isDone: Bool { changes.allSatisfy { $0.kind == .classRemoved || $0.kind == .propertyRemoved } }

    /// Checks that the program declares what the file has as the file has it.
    func requirePossible() throws(Realm.Error) {
        let differences = changes.compactMap(refusal)
        guard differences.isEmpty else {
            throw Realm.Error(
                .schemaMismatch,
                """
                The realm file keeps its changes, so that it takes new classes and new properties and is not migrated; declare what differs \
                as it was, or as a new property of another name:
                \(differences.joined(separator: "\n"))
                """,
                fileURL: stored.connection.fileURL,
                details: differences
            )
        }
    }

    /// Checks that the file has all that the program declares, for an instance that cannot create it.
    func requireDone() throws(Realm.Error) {
        let missing = changes.filter { $0.kind == .propertyAdded }.map(\.description)
        guard missing.isEmpty else {
            throw Realm.Error(
                .schemaMismatch,
                """
                The realm file does not have all properties of the program and is opened read-only; open it for writing once:
                \(missing.joined(separator: "\n"))
                """,
                fileURL: stored.connection.fileURL,
                details: missing
            )
        }
        try stored.requireTables(schema)
    }

    private func refusal(_ change: SchemaChange) -> String? {
        switch change.kind {
        case .embeddingChanged, .propertyChanged: return change.description
        case .propertyAdded:
            guard isPrimaryKey(change) else { return nil }
            return """
                The property '\(change.className).\(change.propertyName ?? "")' became the primary key, by which other devices know the \
                objects.
                """
        case .classAdded, .classRemoved, .propertyRemoved, .indexAdded, .indexRemoved: return nil
        }
    }

    private func isPrimaryKey(_ change: SchemaChange) -> Bool {
        schema.classes.first { $0.name == change.className }?
            .properties.contains { $0.columnName == change.propertyName && $0.isPrimaryKey } ?? false
    }

    // MARK: Growing

    /// Adds the properties that classes of the file do not have yet; their values in objects that are there are nobody's change.
    ///
    /// - Parameter version: The version of the program's schema; a greater one of the file stays.
    /// - Throws: A `Realm.Error` when the file cannot be changed. The caller rolls back.
    /// - Complexity: O(*n*) in the objects of classes that get a property with a default, else in the classes.
    func run(version: UInt64) throws(Realm.Error) {
        for schema in schema.classes {
            guard var grown = classes[schema.name] else { continue }
            let added = schema.properties.filter { grown.property(named: $0.columnName) == nil }
            guard !added.isEmpty else { continue }
            for property in added { try add(property, to: schema) }
            let defaults = PropertyDefaults(connection: stored.connection, schema: schema)
            try defaults.fill(added: added.filter(\.isAlikeUnsaid))
            grown.properties += added.map { StoredProperty($0, schema.shape.properties[$0.slot]) }
            try stored.describe(grown)
            try stored.createLinkIndexes(schema)
        }
        try stored.setSchemaVersion(max(version, try stored.schemaVersion()))
    }

    private func add(_ property: PersistedProperty, to schema: ClassSchema) throws(Realm.Error) {
        guard property.isColumn else { return try stored.createCollection(schema, property) }
        for definition in stored.columns(of: property, hasDefault: true) {
            try stored.connection.execute("ALTER TABLE \(StorageNames.table(schema.name)) ADD COLUMN \(definition)")
        }
    }
}
