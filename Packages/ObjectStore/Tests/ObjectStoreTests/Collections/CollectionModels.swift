import Foundation
import ObjectStore
import ObjectStoreTesting

/// One collection of each kind, for any type of element.
final class Box<Element: RealmCollectionValue>: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var list: List<Element>
    @Persisted var set: MutableSet<Element>
    @Persisted var map: Map<String, Element>
}

final class Shelter: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var dogs: List<Dog>
    @Persisted var dogSet: MutableSet<Dog>
    @Persisted var dogMap: Map<String, Dog?>
    @Persisted var people: List<Person>
    @Persisted var personSet: MutableSet<Person>
    @Persisted var personMap: Map<String, Person?>
    @Persisted var addresses: List<Address>
    @Persisted var addressMap: Map<String, Address?>
    @Persisted var tags: List<String>
    @Persisted var cities: MutableSet<String>
    @Persisted var parks: Map<String, String>
    @Persisted var scores: Map<String, Int?>

    static let types: [ObjectBase.Type] = [Shelter.self, Dog.self, Person.self, Address.self]
}

/// A realm with one shelter, managed or not.
struct ShelterRealm {
    let file: TemporaryRealm
    let realm: Realm
    let shelter: Shelter

    init(isManaged: Bool = true) throws {
        file = try TemporaryRealm(Shelter.types)
        realm = try file.open()
        let shelter = Shelter()
        shelter.name = "North"
        if isManaged { try realm.write { realm in realm.add(shelter) } }
        self.shelter = shelter
    }

    /// Runs changes, in a transaction if the shelter is managed.
    func change(_ body: (Shelter) throws -> Void) throws {
        guard shelter.realm != nil else { return try body(shelter) }
        try realm.write { _ in try body(shelter) }
    }

    /// The shelter as a new accessor of its row, or the unmanaged one.
    func again() throws -> Shelter {
        guard shelter.realm != nil else { return shelter }
        return realm.object(ofType: Shelter.self, forPrimaryKey: "North") ?? shelter
    }

    /// The error that ends a transaction.
    func error(_ body: (Realm) throws -> Void) -> Realm.Error? {
        do {
            try realm.write(body)
            return nil
        } catch {
            return error as? Realm.Error
        }
    }
}
