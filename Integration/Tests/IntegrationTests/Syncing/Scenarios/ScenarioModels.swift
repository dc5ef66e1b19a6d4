import Daybook

/// The object of the scenarios, with a property of each kind.
final class ScenarioPerson: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var name: String?
    @Persisted var nickname = "none"
    @Persisted var age = 0
    @Persisted var score: Int?
    @Persisted var friend: ScenarioPerson?
    @Persisted var friends: List<ScenarioPerson>
    @Persisted var circle: MutableSet<ScenarioPerson>
    @Persisted var contacts: Map<String, ScenarioPerson?>
    @Persisted var words: List<String>
    @Persisted var tags: MutableSet<String>
    @Persisted var marks: Map<String, Int>
    @Persisted var address: ScenarioAddress?
    @Persisted var addresses: List<ScenarioAddress>
    @Persisted var value: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(_ id: Int, name: String? = nil) {
        self.init()
        _id = id
        self.name = name
    }
}

/// What lives in a person.
final class ScenarioAddress: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = ""

    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(_ street: String, _ city: String) {
        self.init()
        self.street = street
        self.city = city
    }

    /// Both properties.
    var text: String { "\(street), \(city)" }
}

extension Realm {
    /// The person with a key, who has to be there.
    func person(_ id: Int = 1) throws -> ScenarioPerson {
        guard let person = object(ofType: ScenarioPerson.self, forPrimaryKey: id) else {
            throw MissingPerson(id: id)
        }
        return person
    }

    /// The keys of all persons, in order.
    var ids: [Int] { objects(ScenarioPerson.self).sorted(by: \._id).map(\._id) }
}

/// A person who should be there is not.
struct MissingPerson: Error {
    let id: Int
}
