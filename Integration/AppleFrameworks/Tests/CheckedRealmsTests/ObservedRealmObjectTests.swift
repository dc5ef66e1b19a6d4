import Combine
import Foundation
import ObjectStore
import SwiftUI
import Testing

@testable import CheckedRealms

@MainActor
@Suite("Objects of views")
struct ObservedRealmObjectTests {
    private let place: ViewPlace

    init() throws {
        place = try ViewPlace()
        try place.addPets("Rex")
    }

    /// Views as an app writes them.
    @MainActor
    struct PetView {
        @ObservedRealmObject var pet: Pet
        var storage: ObservedValue<Pet> { _pet.storage }
    }

    @MainActor
    struct NewPetView {
        @StateRealmObject var pet = Pet()
        var storage: ObservedValue<Pet> { _pet.storage }
    }

    @MainActor
    struct ToysView {
        @ObservedRealmObject var toys: ObjectStore.List<Toy>
    }

    @MainActor
    struct CardView {
        @ObservedRealmObject var card: PetCard
    }

    private func rex() throws -> Pet { try #require(place.pet("Rex")) }

    @Test("a view reads a frozen object and writes through bindings, also when it was given a frozen one")
    func bindings() throws {
        for pet in [try rex(), try rex().freeze()] {
            let view = PetView(pet: pet)
            #expect(view.pet.isFrozen)

            view.$pet.age.wrappedValue += 5
            view.$pet.toys[0].name.wrappedValue += "!"

            #expect(view.$pet.age.wrappedValue == view.pet.age)
        }
        #expect(try rex().age == 10)
        #expect(try rex().toys[0].name == "Ball!!")
    }

    @Test("a value that is there already is not written again")
    func equalValues() async throws {
        let view = PetView(pet: try rex())
        var versions = 0
        let token = place.realm.observe { _, _ in versions += 1 }

        view.$pet.name.wrappedValue = "Rex"
        #expect(versions == 0)
        view.$pet.name.wrappedValue = "Max"
        #expect(versions == 1)
        token.invalidate()
    }

    @Test("a binding writes in the transaction that is open")
    func openTransaction() throws {
        let view = PetView(pet: try rex())

        try place.realm.write {
            view.$pet.age.wrappedValue = 7
            #expect(place.realm.isInWriteTransaction)
        }

        #expect(try rex().age == 7)
    }

    @Test("lists, sets and maps are changed through bindings")
    func collections() throws {
        let view = PetView(pet: try rex())

        view.$pet.toys.append(Toy(value: ["name": "Rope"]))
        view.$pet.toys.move(fromOffsets: [2], toOffset: 0)
        view.$pet.toys.insert(Toy(value: ["name": "Stick"]), at: 1)
        #expect(Array(view.pet.toys.map(\.name)) == ["Rope", "Stick", "Ball", "Bone"])
        view.$pet.toys.remove(atOffsets: [0, 3])
        view.$pet.toys.remove(at: 0)
        #expect(Array(view.pet.toys.map(\.name)) == ["Ball"])
        view.$pet.tricks.insert("roll")
        view.$pet.tricks.insert("sit")
        view.$pet.tricks.remove("roll")
        #expect(Array(view.pet.tricks) == ["sit"])
        view.$pet.weights.set(object: 3.5, for: "May")
        view.$pet.weights.set(object: 4, for: "June")
        view.$pet.weights.remove("May")
        #expect(view.pet.weights.keys == ["June"])
    }

    @Test("a frozen object can be linked to: its live one is")
    func links() throws {
        let view = PetView(pet: try rex())
        let toy = try #require(view.pet.toys.last)
        #expect(toy.isFrozen)

        view.$pet.favourite.wrappedValue = toy
        view.$pet.toys.append(toy)
        view.$pet.chip.wrappedValue = Chip(value: ["number": 3])

        #expect(view.pet.favourite?.name == "Bone")
        #expect(Array(view.pet.toys.map(\.name)) == ["Ball", "Bone", "Bone"])
        #expect(view.pet.chip?.number == 3)
        view.$pet.favourite.wrappedValue = nil
        #expect(view.pet.favourite == nil)
    }

    @Test("a view of a list, and one of a projection")
    func kinds() async throws {
        let list = ToysView(toys: try rex().toys)
        list.$toys.append(Toy(value: ["name": "Rope"]))
        list.$toys.remove(at: 0)
        #expect(Array(list.toys.map(\.name)) == ["Bone", "Rope"])

        let card = CardView(card: PetCard(projecting: try rex()))
        card.$card.title.wrappedValue = "Max"
        #expect(card.card.title == "Max")
        #expect(card.card.id == place.pet("Max")?.id)
    }

    @Test("an unmanaged object is changed at once, and its view is told")
    func unmanaged() throws {
        let view = NewPetView()
        var changes = 0
        let subscription = view.storage.objectWillChange.sink { changes += 1 }

        view.$pet.name.wrappedValue = "Max"
        view.$pet.toys.append(Toy())

        #expect(view.pet.name == "Max")
        #expect(view.pet.toys.count == 1)
        #expect(view.pet === view.pet, "it is made once")
        let observed = ObservedRealmObject(wrappedValue: Pet())
        let second = observed.storage.objectWillChange.sink { changes += 10 }
        observed.projectedValue.name.wrappedValue = "Bob"
        #expect(changes == 10)
        #expect(observed.wrappedValue.name == "Bob")
        subscription.cancel()
        second.cancel()
    }

    @Test("a view is told of changes of its object, and of its end, and shows it as it was last")
    func changes() async throws {
        let view = PetView(pet: try rex())
        var changes = 0
        let subscription = view.storage.objectWillChange.sink { changes += 1 }

        try place.realm.write { try rex().age = 8 }
        await place.settle()
        #expect(changes == 1)
        #expect(view.pet.age == 8)
        view.$pet.delete()
        await place.settle()
        #expect(changes == 2)
        #expect(place.pet("Rex") == nil)
        #expect(view.pet.age == 8)
        view.$pet.age.wrappedValue = 9
        #expect(view.pet.age == 8, "what is gone is not changed")
        subscription.cancel()
    }

    @Test("another object can take the place of the first")
    func replacing() async throws {
        try place.addPets("Max")
        let view = PetView(pet: try rex())
        var changes = 0
        let subscription = view.storage.objectWillChange.sink { changes += 1 }

        view.pet = try #require(place.pet("Max"))
        #expect(changes == 1)
        #expect(view.pet.name == "Max")
        try place.realm.write { place.pet("Max")?.age = 4 }
        await place.settle()
        #expect(changes == 2)
        try place.realm.write { try rex().age = 4 }
        await place.settle()
        #expect(changes == 2)
        subscription.cancel()
    }

    @Test("a binding to an object deletes it and writes its properties")
    func objectBindings() throws {
        let rex = try rex()
        let pet = StateRealmObject(wrappedValue: rex)

        pet.projectedValue.name.wrappedValue = "Max"
        #expect(pet.wrappedValue.name == "Max")
        pet.projectedValue.wrappedValue = rex
        pet.projectedValue.delete()
        #expect(place.realm.objects(Pet.self).isEmpty)
    }
}
