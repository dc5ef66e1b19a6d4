/// Compares the classes of a file with those of the program.
struct SchemaComparison {
    /// Every difference: class by class in the order of their names, properties in the order of their names.
    private(set) var changes: [SchemaChange] = []

    /// Finds the differences.
    ///
    /// - Parameters:
    ///   - stored: The classes of the file, by name.
    ///   - indexed: The names `Class.property` of the file's indexes.
    ///   - schema: The classes of the program.
    init(_ stored: [String: StoredClass], indexed: Set<String>, _ schema: RealmSchema) {
        for schema in schema.classes {
            guard let old = stored[schema.name] else {
                add(.classAdded, schema.name, nil, "The class '\(schema.name)' was added.")
                continue
            }
            compare(old, StoredClass(schema))
            compareIndexes(old, indexed, schema)
        }
        let known = Set(schema.classes.map(\.name))
        for name in stored.keys.sorted() where !known.contains(name) {
            add(.classRemoved, name, nil, "The class '\(name)' was removed; its objects are kept.")
        }
    }

    /// The differences that need a higher schema version.
    var migrations: [SchemaChange] { changes.filter(\.needsMigration) }

    private mutating func compare(_ old: StoredClass, _ new: StoredClass) {
        if old.isEmbedded != new.isEmbedded {
            let now = new.isEmbedded ? "embedded and was not" : "not embedded and was"
            add(.embeddingChanged, new.name, nil, "The class '\(new.name)' is \(now).")
        }
        for property in new.properties.sorted(by: { $0.name < $1.name }) {
            let place = "The property '\(new.name).\(property.name)'"
            guard let before = old.property(named: property.name) else {
                add(.propertyAdded, new.name, property.name, "\(place) was added.")
                continue
            }
            // Whether the target is embedded is a difference of its class.
            guard before.text != property.text || !before.hasSameType(as: property) else { continue }
            add(.propertyChanged, new.name, property.name, "\(place) is \(property.text) and was \(before.text).")
        }
        for property in old.properties.sorted(by: { $0.name < $1.name }) where new.property(named: property.name) == nil
        {
            add(
                .propertyRemoved,
                new.name,
                property.name,
                "The property '\(new.name).\(property.name)' was removed."
            )
        }
    }

    private mutating func compareIndexes(_ old: StoredClass, _ indexed: Set<String>, _ schema: ClassSchema) {
        for property in schema.properties where property.isColumn && !property.isPrimaryKey {
            guard old.property(named: property.columnName) != nil else { continue }
            let place = "\(schema.name).\(property.columnName)"
            let wanted = property.options.contains(.indexed)
            guard wanted != indexed.contains(place) else { continue }
            add(
                wanted ? .indexAdded : .indexRemoved,
                schema.name,
                property.columnName,
                "The property '\(place)' is \(wanted ? "indexed and was not" : "not indexed and was")."
            )
        }
    }

    private mutating func add(
        _ kind: SchemaChange.Kind,
        _ className: String,
        _ propertyName: String?,
        _ description: String
    ) {
        changes.append(
            SchemaChange(kind: kind, className: className, propertyName: propertyName, description: description)
        )
    }
}
