import EventModel
import ObjectQueries

/// The classes that one realm manages, checked together.
struct RealmSchema: Sendable {
    /// The classes that have tables.
    let classes: [ClassSchema]
    /// The classes whose objects go to the outbox.
    let asymmetric: [ClassSchema]
    let queries: QuerySchema
    /// Whether a class has values of any type.
    let hasAny: Bool
    /// The classes of the process that a realm of all classes is without, and why, as a sentence.
    let ambiguous: [ObjectIdentifier: String]

    /// Collects the classes.
    ///
    /// - Parameter types: The classes; nil for every model class of the process.
    /// - Throws: ``Realm/Error`` with the problems of all classes in its details.
    init(_ types: [ObjectBase.Type]?) throws(Realm.Error) {
        var problems: [String] = []
        var classes: [ClassSchema] = []
        var seen: Set<ObjectIdentifier> = []
        for type in types ?? ModelClasses.all() where seen.insert(ObjectIdentifier(type)).inserted {
            guard type is Object.Type || type is EmbeddedObject.Type || type is AsymmetricObject.Type else {
                problems.append(
                    "The class '\(type.className())' derives from none of Object, EmbeddedObject and AsymmetricObject."
                )
                continue
            }
            do throws(Realm.Error) {
                classes.append(try ClassSchema.of(type))
            } catch {
                problems += error.details.isEmpty ? [error.message] : error.details
            }
        }
        var ambiguous: [ObjectIdentifier: String] = [:]
        if types == nil { ambiguous = Self.takeAmbiguous(from: &classes) }
        // A class that could not be read would be missed again by every class that refers to it.
        if problems.isEmpty { problems = SchemaRules.problems(of: classes) }
        guard problems.isEmpty else { throw SchemaRules.error(problems) }
        self.init(checked: classes, ambiguous: ambiguous)
    }

    /// Collects classes that belong together.
    init(checked classes: [ClassSchema], ambiguous: [ObjectIdentifier: String] = [:]) {
        self.ambiguous = ambiguous
        let sorted = classes.sorted { $0.name < $1.name }
        self.classes = sorted.filter { !$0.isAsymmetric }
        asymmetric = sorted.filter(\.isAsymmetric)
        queries = QuerySchema(
            self.classes.map(\.shape),
            backlinks: self.classes.flatMap(\.backlinks),
            indexes: Dictionary(self.classes.map { ($0.name, $0.indexed) }) { first, _ in first }
        )
        hasAny = self.classes.contains(where: \.hasAny)
    }
}

extension RealmSchema {
    /// Takes out the classes of which two have one stored name, and those that refer to them.
    ///
    /// A program that names no classes has those of all its libraries: two that never meet in a realm must not keep it from opening one. Who
    /// uses such a class is told.
    static func takeAmbiguous(from classes: inout [ClassSchema]) -> [ObjectIdentifier: String] {
        var reasons: [ObjectIdentifier: String] = [:]
        for (_, same) in Dictionary(grouping: classes, by: { $0.name.lowercased() }) where same.count > 1 {
            let reason = """
                Two classes of the program are stored as '\(same[0].name)': return another name from \
                '_realmObjectName()' in one of them, or name the classes of the realm in 'objectTypes'.
                """
            for schema in same { reasons[ObjectIdentifier(schema.type)] = reason }
        }
        while !reasons.isEmpty {
            let left = classes.filter { reasons[ObjectIdentifier($0.type)] == nil }
            let count = reasons.count
            for schema in left {
                for target in schema.properties.compactMap(\.type.target) + schema.origins.map(\.target) {
                    guard let reason = reasons[ObjectIdentifier(target)] else { continue }
                    reasons[ObjectIdentifier(schema.type)] = reason
                }
            }
            guard reasons.count > count else {
                classes = left
                break
            }
        }
        return reasons
    }
}

extension ClassSchema {
    /// The names of the properties with an index, besides the primary key.
    fileprivate var indexed: Set<String> {
        Set(properties.filter { $0.options.contains(.indexed) }.map(\.name))
    }

    /// The names that queries use for the links to objects of the class.
    fileprivate var backlinks: [QuerySchema.Backlink] {
        origins.compactMap { property in
            property.origin.map {
                QuerySchema.Backlink(
                    className: name,
                    name: property.name,
                    origin: property.target.className(),
                    property: $0
                )
            }
        }
    }
}
