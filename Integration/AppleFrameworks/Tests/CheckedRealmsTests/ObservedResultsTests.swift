import Combine
import Foundation
import ObjectStore
import ObjectStoreTesting
import SwiftUI
import Testing

@testable import CheckedRealms

@MainActor
@Suite("Queries of views")
struct ObservedResultsTests {
    private let place: ViewPlace

    init() throws {
        place = try ViewPlace()
        try place.addPets("Rex", "Max", "Bob")
    }

    /// A view as an app writes it.
    struct PetsView: View {
        @ObservedResults(Pet.self, where: { $0.age > 0 }, sortDescriptor: SortDescriptor(keyPath: \Pet.name)) var pets
        @ObservedResults(Pet.self, filter: "age < 2") var young
        @ObservedResults(PetCard.self) var cards
        @State var text = ""

        var body: some View {
            List { Text(pets.map(\.name).joined(separator: ",")) }
                .searchable(text: $text, collection: $pets, keyPath: \.name)
        }
    }

    private func observed(_ filter: FilterCondition<Pet>? = nil) -> ObservedResults<Pet> {
        ObservedResults(Pet.self, configuration: place.configuration, filter: filter, sortDescriptor: "name")
    }

    @Test("a view finds frozen objects in the realm of the environment")
    func environment() throws {
        var values = EnvironmentValues()
        values.realmConfiguration = place.configuration
        EnvironmentValues.current = values
        let view = PetsView()

        #expect(Array(view.pets.map(\.name)) == ["Bob", "Max"])
        #expect(Set(view.young.map(\.name)) == ["Rex", "Max"])
        #expect(Set(view.cards.map(\.title)) == ["Rex", "Max", "Bob"])
        #expect(view.pets.isFrozen)
        #expect(values.realm == place.realm)
        values.realm = place.realm
        #expect(values.realmConfiguration == place.configuration)
    }

    @Test("a view searches while it is typed")
    func searching() async throws {
        let pets = observed()
        var changes = 0
        #expect(pets.wrappedValue.count == 3)
        let subscription = pets.storage.objectWillChange.sink { changes += 1 }

        _ = Text("")
            .searchable(
                text: Binding(get: { "A" }, set: { _ in }),
                collection: pets.projectedValue,
                keyPath: \.name
            )
        await place.settle()

        #expect(changes == 1)
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Max"])
        #expect(pets.searchText == "A")
        pets.search(for: "", in: \.name)
        #expect(pets.wrappedValue.count == 3)
        subscription.cancel()
    }

    @Test("a condition can be set for another one, and for none")
    func conditions() throws {
        let pets = observed("age > 0")
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Bob", "Max"])

        pets.projectedValue.filter = FilterCondition("name BEGINSWITH %@", "R")
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Rex"])
        #expect(pets.where == nil)
        pets.projectedValue.where = { $0.name == "Max" }
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Max"])
        #expect(pets.where != nil)
        pets.projectedValue.filter = nil
        #expect(pets.wrappedValue.count == 3)
    }

    @Test("objects are added and deleted, each time in a transaction")
    func writing() throws {
        let pets = observed()

        pets.projectedValue.append(Pet(value: ["name": "Ada"]))
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Ada", "Bob", "Max", "Rex"])
        pets.projectedValue.remove(atOffsets: [1, 3])
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Ada", "Max"])
        let last = try #require(pets.wrappedValue.last)
        pets.projectedValue.remove(last)
        pets.projectedValue.remove(last)
        #expect(Array(pets.wrappedValue.map(\.name)) == ["Ada"], "what is gone is not deleted again")
    }

    @Test("objects are added and deleted through their projections")
    func projections() throws {
        let cards = ObservedResults(PetCard.self, configuration: place.configuration, sortDescriptor: "name")

        cards.projectedValue.append(PetCard(projecting: Pet(value: ["name": "Ada"])))
        #expect(Array(cards.wrappedValue.map(\.title)) == ["Ada", "Bob", "Max", "Rex"])
        cards.projectedValue.remove(atOffsets: [0, 2])
        let first = try #require(cards.wrappedValue.first)
        cards.projectedValue.remove(first)
        #expect(Array(cards.wrappedValue.map(\.title)) == ["Rex"])
    }

    @Test("places of what is shown are deleted, also when the realm has changed meanwhile")
    func shownPlaces() async throws {
        let pets = observed()
        let shown = pets.wrappedValue
        try place.realm.write { place.realm.add(Pet(value: ["name": "Ada"])) }

        BoundWrite.delete([0].map { shown[$0] })

        #expect(Array(pets.wrappedValue.map(\.name)) == ["Ada", "Max", "Rex"])
    }

    @Test("a view is told of changes from when it is shown until it goes")
    func changes() async throws {
        let pets = observed()
        var changes = 0
        _ = pets.wrappedValue
        let subscription = pets.storage.objectWillChange.sink { changes += 1 }
        await place.settle()
        #expect(changes == 0)

        try place.addPets("Ada")
        await place.settle()
        #expect(changes == 1)
        #expect(pets.wrappedValue.count == 4)
        pets.filter = "age > 100"
        #expect(pets.wrappedValue.isEmpty)
        subscription.cancel()
        try place.addPets("Eve")
        await place.settle()
        #expect(changes == 1)
    }

    @Test("a view that names properties is told of those")
    func keyPaths() async throws {
        let pets = ObservedResults(Pet.self, configuration: place.configuration, keyPaths: ["age"])
        var changes = 0
        _ = pets.wrappedValue
        let subscription = pets.storage.objectWillChange.sink { changes += 1 }
        await place.settle()

        try place.realm.write { place.pet("Rex")?.name = "Rexy" }
        await place.settle()
        #expect(changes == 0)
        try place.realm.write { place.pet("Rexy")?.age = 9 }
        await place.settle()
        #expect(changes == 1)
        subscription.cancel()
    }

    @Test("a query is observed anew when other properties count")
    func otherKeyPaths() async throws {
        let query = ObservedQuery<Pet, Results<Pet>> { $0 }
        var changes = 0
        _ = query.shown(in: place.configuration, nil, [], ["age"])
        let subscription = query.objectWillChange.sink { changes += 1 }
        _ = query.shown(in: place.configuration, nil, [], ["name"])
        await place.settle()

        try place.realm.write { place.pet("Rex")?.name = "Rexy" }
        await place.settle()
        #expect(changes == 1)
        subscription.cancel()
    }

    @Test("a view of a realm that is only read shows it, and observes nothing")
    func readOnly() async throws {
        let file = try TemporaryRealm([Pet.self, Toy.self, Chip.self])
        try await file.inSecondInstance { realm in try realm.write { realm.add(Pet()) } }
        var configuration = file.configuration
        configuration.readOnly = true
        let pets = ObservedResults(Pet.self, configuration: configuration)

        #expect(pets.wrappedValue.count == 1)
        let subscription = pets.storage.objectWillChange.sink {}
        #expect(pets.wrappedValue.count == 1)
        subscription.cancel()
    }

    @Test("sections are found, filtered and shortened")
    func sections() throws {
        let pets = ObservedSectionedResults(
            Pet.self,
            sectionKeyPath: \.age,
            sortDescriptors: ["age", "name"],
            configuration: place.configuration
        )
        try place.addPets("Ada")
        #expect(pets.wrappedValue.allKeys == [0, 1, 2])
        #expect(pets.wrappedValue.isFrozen)
        let section = try #require(pets.wrappedValue.first)
        #expect(Array(section.map(\.name)) == ["Ada", "Rex"])

        pets.projectedValue.remove(atOffsets: [0], section: section)
        #expect(place.pet("Ada") == nil)
        pets.projectedValue.where = { $0.age > 0 }
        #expect(pets.wrappedValue.allKeys == [1, 2])
        let initials = ObservedSectionedResults(
            Pet.self,
            sectionBlock: { String($0.name.prefix(1)) },
            sortDescriptors: ["name"],
            where: { $0.age < 2 },
            configuration: place.configuration
        )
        #expect(initials.wrappedValue.allKeys == ["M", "R"])
    }

    @Test("a change that cannot be stored ends the process with a sentence")
    func misuse() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run {
                let place = try ViewPlace()
                let toys = ObservedResults(Toy.self, configuration: place.configuration)
                let toy = Toy()
                toys.append(toy)
                toys.append(Toy(value: ["id": toy.id]))
            }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("What a view changed cannot be stored"))
    }
}
