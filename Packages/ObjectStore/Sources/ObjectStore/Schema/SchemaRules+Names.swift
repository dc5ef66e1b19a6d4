import EventModel

// The rules for what a class says of its properties by name, instead of at each declaration.
extension SchemaRules {
    /// Returns what is wrong with the names of a class's key, its indexes and what it does not store, as sentences.
    static func problems(named type: ObjectBase.Type, _ properties: [PersistedProperty]) -> [String] {
        let name = type.className()
        let known = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
        var problems: [String] = []
        if let key = type.primaryKey() {
            if let property = known[key] {
                if !mayBeKey(property.type) {
                    problems.append("The property '\(name).\(key)' is \(property.words) and cannot be a primary key.")
                }
            } else {
                problems.append(
                    "The primary key '\(key)' of the class '\(name)' is not one of its persisted properties."
                )
            }
        }
        for index in type.indexedProperties() {
            if let property = known[index] {
                if !mayHaveIndex(property.type) {
                    problems.append("The property '\(name).\(index)' is \(property.words) and cannot have an index.")
                }
            } else {
                problems.append("The class '\(name)' has no persisted property '\(index)', which is to have an index.")
            }
        }
        for ignored in type.ignoredProperties() where known[ignored] != nil {
            problems.append(
                "The property '\(name).\(ignored)' is persisted and ignored: take '@Persisted' or the name away."
            )
        }
        return problems
    }

    /// Whether `@Persisted(primaryKey: true)` would compile; that truth values are refused is said for both ways.
    private static func mayBeKey(_ type: _PropertyType) -> Bool {
        type.collection == .none && [.int, .bool, .string, .objectId, .uuid].contains(type.kind)
    }

    /// Whether `@Persisted(indexed: true)` would compile.
    private static func mayHaveIndex(_ type: _PropertyType) -> Bool {
        type.collection == .none && [.int, .bool, .string, .date, .objectId, .uuid, .any].contains(type.kind)
    }
}

extension PersistedProperty {
    /// The type in words, for messages.
    fileprivate var words: String {
        switch type.collection {
        case .none: "a value of type \(PropertyType(type.kind))"
        case .list, .set, .dictionary: "a \(type.collection)"
        }
    }
}
