import ObjectStore
import ObjectStoreTesting

/// An object with everything that a projection may reach.
class Juggler: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var firstName: String
    @Persisted var lastName: String
    @Persisted var age: Int
    @Persisted var wagon: JugglerWagon?
    @Persisted var partner: Juggler?
    @Persisted var friends: List<Juggler>
    @Persisted var teachers: MutableSet<Juggler>
    @Persisted var understudies: Map<String, Juggler?>
    @Persisted var props: List<String>
    @Persisted(originProperty: "friends") var admirers: LinkingObjects<Juggler>

    static let types: [ObjectBase.Type] = [Juggler.self, JugglerWagon.self]

    /// Five jugglers: Ada knows Bo and Cy.
    static func fill(_ realm: Realm) {
        let names = ["Ada": "Xu", "Bo": "Yang", "Cy": "Zorn", "Di": "Xu", "Ed": "Yang"]
        var jugglers: [String: Juggler] = [:]
        for (index, name) in names.keys.sorted().enumerated() {
            let juggler = Juggler()
            juggler.id = index + 1
            juggler.firstName = name
            juggler.lastName = names[name] ?? ""
            juggler.age = 20 + index
            realm.add(juggler)
            jugglers[name] = juggler
        }
        guard let ada = jugglers["Ada"], let bo = jugglers["Bo"], let cy = jugglers["Cy"] else { return }
        ada.friends.append(objectsIn: [bo, cy])
        ada.teachers.insert(cy)
        ada.understudies["left"] = .some(bo)
        ada.understudies["right"] = .some(nil)
        ada.props.append(objectsIn: ["balls", "clubs"])
        ada.partner = bo
        ada.wagon = JugglerWagon()
        ada.wagon?.city = "Linz"
    }

    static func file() throws -> TemporaryRealm { try TemporaryRealm(types) }
}

class JugglerWagon: EmbeddedObject {
    @Persisted var city: String
    @Persisted var wheels = 4
}

extension Realm {
    /// A juggler by the number.
    func juggler(_ id: Int) -> Juggler? { object(ofType: Juggler.self, forPrimaryKey: id) }

    /// A juggler as a projection.
    func act(_ id: Int) -> Act? { juggler(id).map(Act.init) }
}

/// A juggler as the programme of a show names one.
class Act: Projection<Juggler> {
    @Projected(\Juggler.firstName) var firstName
    @Projected(\Juggler.lastName.capitals) var capitals
    @Projected(\Juggler.age) var years
    @Projected(\Juggler.wagon?.city) var home
    @Projected(\Juggler.partner) var partner
    @Projected(\Juggler.partner?.firstName) var partnerName
    @Projected(\Juggler.props) var props
    @Projected(\Juggler.friends.projectTo.firstName) var friendNames: ProjectedCollection<String>
    @Projected(\Juggler.teachers.projectTo.firstName) var teacherNames: ProjectedCollection<String>
    @Projected(\Juggler.understudies.projectTo.firstName) var understudyNames: ProjectedCollection<String>
    @Projected(\Juggler.admirers.projectTo.firstName) var admirerNames: ProjectedCollection<String>
}

/// A projection with what another one has, and more.
class LongAct: Act {
    @Projected(\Juggler.lastName) var surname
}

class WagonView: Projection<JugglerWagon> {
    @Projected(\JugglerWagon.city) var town
}

extension String {
    /// A computed property for key paths that lead beyond a stored one.
    fileprivate var capitals: String { uppercased() }
}
