import EventModel

// Classes that are known from a file only, such as those before a migration.
extension ClassSchema {
    /// Makes schemas of the classes of a file, whose objects can be read as ``DynamicObject``.
    ///
    /// Properties have their stored names. One whose target class the file does not have is left out. Single values are read as the types
    /// that the program declares for them, where it does; `indexed` has the names `Class.property` of the indexes of the file.
    static func dynamic(
        _ classes: [StoredClass],
        declared: [ClassSchema] = [],
        indexed: Set<String> = []
    ) throws(Realm.Error) -> [ClassSchema] {
        let types = zip(classes.map(\.name), FirstFileClass.types(classes.count))
        let described = FileDescription(
            stored: Dictionary(uniqueKeysWithValues: classes.map { ($0.name, $0) }),
            types: Dictionary(uniqueKeysWithValues: types),
            declared: Dictionary(declared.map { ($0.name, $0) }) { first, _ in first },
            indexed: indexed
        )
        var made: [String: ClassSchema] = [:]
        for item in classes { _ = try dynamic(item, described, inside: [], &made) }
        return classes.compactMap { made[$0.name] }
    }

    /// What is known of the classes of a file.
    private struct FileDescription {
        let stored: [String: StoredClass]
        /// The types that stand in for the classes.
        let types: [String: ObjectBase.Type]
        /// The classes of the program of the same names.
        let declared: [String: ClassSchema]
        /// The names `Class.property` of what has an index.
        let indexed: Set<String>
    }

    private static func dynamic(
        _ item: StoredClass,
        _ file: FileDescription,
        inside outer: Set<String>,
        _ made: inout [String: ClassSchema]
    ) throws(Realm.Error) -> ClassSchema {
        if let known = made[item.name] { return known }
        guard let type = file.types[item.name], !outer.contains(item.name) else {
            throw Realm.Error(.invalidDatabase, "The realm file has the embedded class '\(item.name)' inside itself.")
        }
        var shapes: [ObjectIdentifier: ClassShape] = [:]
        var names: [ObjectIdentifier: String] = [:]
        var properties: [PersistedProperty] = []
        for property in item.properties {
            let target = property.target.flatMap { file.types[$0] }
            let known = file.declared[item.name]?.properties.first { $0.columnName == property.name }
            guard let operations = DynamicOperations.of(property, known), (property.target == nil) == (target == nil)
            else {
                continue
            }
            if let target, let name = property.target {
                names[ObjectIdentifier(target)] = name
                if property.kind == .embedded, let embedded = file.stored[name] {
                    shapes[ObjectIdentifier(target)] =
                        try dynamic(embedded, file, inside: outer.union([item.name]), &made).shape
                }
            }
            properties.append(
                PersistedProperty(
                    slot: properties.count,
                    name: property.name,
                    columnName: property.name,
                    type: _PropertyType(
                        kind: property.kind,
                        collection: property.collection,
                        isOptional: property.isOptional,
                        target: target
                    ),
                    // No object has the wrapper: each offset only has to be another one.
                    offset: properties.count,
                    options: (property.isPrimaryKey ? .primaryKey : PersistedOptions())
                        .union(file.indexed.contains("\(item.name).\(property.name)") ? .indexed : []),
                    operations: operations
                )
            )
        }
        let schema = ClassSchema(
            type: type,
            name: item.name,
            properties: properties,
            isEmbedded: item.isEmbedded,
            targetName: { names[ObjectIdentifier($0)] ?? "" },
            embeddedShapes: shapes
        )
        made[item.name] = schema
        return schema
    }
}
