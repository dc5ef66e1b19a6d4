import Combine
import Dispatch
import ObjectStore
import ObjectStoreTesting

/// Models and a realm for views, on the main actor as these are.
@MainActor
final class ViewPlace {
    let file: TemporaryRealm
    let realm: Realm

    init() throws {
        file = try TemporaryRealm([Pet.self, Toy.self, Chip.self])
        realm = try file.open()
    }

    var configuration: Realm.Configuration { file.configuration }

    /// Adds pets whose ages are their places.
    func addPets(_ names: String...) throws {
        try realm.write {
            for (age, name) in names.enumerated() {
                realm.add(Pet(value: ["name": name, "age": age, "toys": [["name": "Ball"], ["name": "Bone"]]]))
            }
        }
    }

    func pet(_ name: String) -> Pet? { realm.objects(Pet.self).where { $0.name == name }.first }

    /// Lets the main queue do what is waiting there.
    func settle() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}

/// An object that views list.
class Pet: Object, ObjectKeyIdentifiable {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var toys: List<Toy>
    @Persisted var favourite: Toy?
    @Persisted var chip: Chip?
    @Persisted var tricks: MutableSet<String>
    @Persisted var weights: Map<String, Double>
}

/// An object that a pet links to.
class Toy: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
}

/// An object inside of a pet.
class Chip: EmbeddedObject, ObjectKeyIdentifiable {
    @Persisted var number: Int
}

/// What a view shows of a pet.
class PetCard: Projection<Pet>, ObjectKeyIdentifiable {
    @Projected(\Pet.name) var title
    @Projected(\Pet.age) var age
}
