import Foundation
import ObjectStoreTesting

@testable import ObjectStore

/// An object with every kind of collection.
class Cattery: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var colours: MutableSet<String>
    @Persisted var residents: MutableSet<Dog>
    @Persisted var prices: Map<String, Double>
    @Persisted var guests: Map<String, Dog?>
    @Persisted var branches: Map<String, Address?>
}

/// Objects of a realm, one of each kind that can be changed.
struct MutatorFixture {
    static let types: [ObjectBase.Type] = Sample.types + [Cattery.self]

    let realm: Realm
    let person: Person
    let home: Home
    let address: Address
    let cattery: Cattery
    let everything: Everything

    /// Adds the objects to an empty realm.
    static func fill(_ realm: Realm) throws {
        try realm.write {
            realm.add((1...3).map(Person.numbered))
            let home = realm.create(
                Home.self,
                value: [
                    "name": "x", "dogs": [["name": "a"], ["name": "b"]], "tags": ["a", "b", "c"], "ratings": [1, nil],
                    "address": ["street": "s"], "formerAddresses": [["street": "t"]],
                ]
            )
            home.people.append(objectsIn: realm.objects(Person.self))
            home.owner = home.people.first
            realm.create(
                Cattery.self,
                value: [
                    "name": "x", "colours": ["red", "blue"], "residents": [["name": "r"]], "prices": ["a": 1.5],
                    "guests": ["g": ["name": "g"]], "branches": ["b": ["street": "u"]],
                ]
            )
            realm.add(Everything())
        }
    }

    /// Finds the objects.
    init?(_ realm: Realm) {
        guard let person = realm.objects(Person.self).first, let home = realm.objects(Home.self).first,
            let address = home.address, let cattery = realm.objects(Cattery.self).first,
            let everything = realm.objects(Everything.self).first
        else { return nil }
        self.realm = realm
        self.person = person
        self.home = home
        self.address = address
        self.cattery = cattery
        self.everything = everything
    }
}

/// One way to change a realm.
struct Mutator: Sendable {
    /// What the sentence of a trap says that was attempted.
    let action: String
    /// Which call it is.
    let name: String
    /// Makes the change.
    let change: @Sendable (MutatorFixture) -> Void

    init(_ action: String, _ name: String, _ change: @escaping @Sendable (MutatorFixture) -> Void) {
        self.action = action
        self.name = name
        self.change = change
    }
}
