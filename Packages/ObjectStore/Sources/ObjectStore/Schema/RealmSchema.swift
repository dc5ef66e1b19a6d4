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
        // A class that could not be read would be missed again by every class that refers to it.
        if problems.isEmpty { problems = SchemaRules.problems(of: classes) }
        guard problems.isEmpty else { throw SchemaRules.error(problems) }
        self.init(checked: classes)
    }

    /// Collects classes that belong together.
    init(checked classes: [ClassSchema]) {
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
