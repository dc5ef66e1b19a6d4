import EventModel

/// The rules that declarations must keep; every broken one is reported at once.
enum SchemaRules {
    /// Returns what is wrong with the declarations of one class, as sentences.
    static func problems(
        of type: ObjectBase.Type,
        _ properties: [PersistedProperty],
        _ origins: [OriginProperty] = []
    ) -> [String] {
        let name = type.className()
        var problems: [String] = []
        if properties.isEmpty, origins.isEmpty {
            problems.append("The class '\(name)' has no persisted property.")
        }
        let keys = properties.filter(\.isPrimaryKey)
        if keys.count > 1 {
            problems.append("The class '\(name)' has \(keys.count) primary keys: only one is possible.")
        }
        if !keys.isEmpty, type is EmbeddedObject.Type {
            problems.append("The embedded class '\(name)' has a primary key: embedded objects have none.")
        }
        if type is AsymmetricObject.Type {
            if keys.isEmpty { problems.append("The asymmetric class '\(name)' has no primary key: it needs one.") }
            for property in properties where property.type.kind == .link || property.type.kind == .any {
                problems.append(
                    """
                    The property '\(name).\(property.name)' can link to objects; asymmetric objects contain only values \
                    and embedded objects.
                    """
                )
            }
        }
        for key in keys where key.type.kind == .bool {
            problems.append("The property '\(name).\(key.name)' is a truth value and cannot be a primary key.")
        }
        problems += duplicates(properties.map(\.name) + origins.map(\.name))
            .map { "The class '\(name)' has two properties '\($0)'." }
        // SQLite compares the names of columns without regard to case.
        problems += duplicates(properties.map { $0.columnName.lowercased() })
            .filter { lower in !duplicates(properties.map(\.name)).contains { $0.lowercased() == lower } }
            .map {
                "The class '\(name)' stores two properties under names that differ at most in case, such as '\($0)'."
            }
        for property in properties {
            if let rule = brokenRule(property.type) {
                problems.append("The property '\(name).\(property.name)' \(rule).")
            }
        }
        for property in properties where property.columnName.contains("$") || property.columnName.isEmpty {
            problems.append(
                "The property '\(name).\(property.name)' is stored under a name that is empty or has a '$'."
            )
        }
        return problems
    }

    /// Returns what is wrong with a collection of objects; nil when nothing is.
    private static func brokenRule(_ type: _PropertyType) -> String? {
        guard type.target != nil else { return nil }
        switch type.collection {
        case .none: return nil
        case .set where type.kind == .embedded:
            return "is a set of embedded objects, which can be in lists and maps only"
        case .list, .set:
            return type.isOptional ? "is a \(type.collection) of objects, which cannot be optional" : nil
        case .dictionary:
            return type.isOptional ? nil : "is a map of objects, which must be optional: deleting one leaves null"
        }
    }

    /// Returns what is wrong with classes that are used together, as sentences.
    static func problems(of classes: [ClassSchema]) -> [String] {
        var problems = duplicates(classes.map { $0.name.lowercased() })
            .map { lower in
                let names = classes.map(\.name).filter { $0.lowercased() == lower }.sorted().joined(separator: "', '")
                return """
                    Classes are stored under the same name, '\(names)': return another one from '_realmObjectName()' \
                    in one of them.
                    """
            }
        let types = Set(classes.map { ObjectIdentifier($0.type) })
        for schema in classes {
            for property in schema.properties {
                guard let target = property.type.target, !types.contains(ObjectIdentifier(target)) else { continue }
                problems.append(
                    """
                    The property '\(schema.name).\(property.name)' refers to the class '\(target.className())', which \
                    is not in 'objectTypes'.
                    """
                )
            }
            problems += schema.origins.flatMap { $0.problems(in: schema, classes) }
        }
        return problems
    }

    static func error(_ found: [String]) -> Realm.Error {
        // A class may be found broken on several ways to it.
        var problems: [String] = []
        for problem in found where !problems.contains(problem) { problems.append(problem) }
        return Realm.Error(.invalidInput, problems.joined(separator: "\n"), details: problems)
    }

    private static func duplicates(_ names: [String]) -> [String] {
        Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }
}
