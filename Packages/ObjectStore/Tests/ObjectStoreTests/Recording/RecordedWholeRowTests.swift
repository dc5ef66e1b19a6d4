import EventModel
import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Whole rows of single reads")
struct RecordedWholeRowTests {
    private let villa: ObservedVilla

    private var realm: Realm { villa.realm }

    init() throws {
        villa = try ObservedVilla(
            people: [2, 3],
            [
                "address": ["street": "Elm Street", "city": "Linz"],
                "formerAddresses": [["street": "Oak Street"]],
                "dogs": [["name": "Rex"]],
                "tags": ["old"],
                "ratings": [1, nil] as [Any?],
            ]
        )
    }

    /// What a single read of the home is recorded as.
    private func recorded() throws -> ObjectSnapshot {
        let calls = villa.spy.record { #expect(realm.object(ofType: Home.self, forPrimaryKey: "Villa") != nil) }
        #expect(calls.count == 1)
        return try #require(calls.first?.read)
    }

    /// The home as a connection sees it that has captured nothing.
    private func fresh() throws -> ObjectSnapshot {
        let connection = try Connection(fileURL: realm.core.store.connection.fileURL, isReadOnly: true, isDurable: true)
        let store = try StoreConnection(connection, realm.core.schema, isReadOnly: true)
        try store.beginReading()
        let table = try store.required(realm.core.table(Home.self))
        let row = try #require(try table.row(primaryKeySlot: 0) { bindText("Villa", $0, $1) })
        return try #require(try WholeCapture(store: store).whole([row], table).first)
    }

    @Test("an object that is read again is recorded as the same row, which costs no memory")
    func again() throws {
        let first = try recorded()
        let second = try recorded()

        #expect(second.chunk === first.chunk)
        #expect(second.place == first.place)
    }

    @Test("rows that are recorded one by one share memory")
    func sharedMemory() throws {
        try realm.write { realm in
            for number in 0..<20 { realm.create(Home.self, value: ["name": "Home \(number)", "tags": ["a"]]) }
        }

        let calls = villa.spy.record {
            for number in 0..<20 { _ = realm.object(ofType: Home.self, forPrimaryKey: "Home \(number)") }
        }

        let chunks = Set(calls.compactMap { $0.read.map { ObjectIdentifier($0.chunk) } })
        #expect(calls.count == 20)
        #expect(chunks.count == 1)
    }

    @Test("what another instance changed is in the next record")
    func otherInstance() throws {
        let file = villa.file
        let before = try recorded()

        try onThread {
            let other = try file.open()
            try other.write { realm in
                let home = realm.object(ofType: Home.self, forPrimaryKey: "Villa")
                home?.address?.city = "Graz"
                home?.tags.append("new")
            }
        }
        realm.refresh()

        let after = try recorded()
        #expect(!after.hasSameValues(as: before))
        #expect(after.hasSameValues(as: try fresh()))
    }

    @Test(
        "whatever changes in an object, its embedded objects, its collections and links is in its next record",
        arguments: 1...4
    )
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for step in 0..<60 {
            let change = generator.below(12)
            let isCancelled = generator.once(in: 5)
            let readsBefore = generator.once(in: 2)
            let before = try recorded()
            realm.beginWrite()
            if readsBefore { #expect(try recorded() == before) }
            self.change(change, step)
            // Inside of the transaction the state before it is recorded.
            if let inside = villa.spy.record({ _ = realm.object(ofType: Home.self, forPrimaryKey: "Villa") }).first?
                .read
            {
                #expect(inside.hasSameValues(as: before), "seed \(seed), step \(step)")
            }
            if isCancelled { realm.cancelWrite() } else { try realm.commitWrite() }

            let after = try recorded()
            #expect(after.hasSameValues(as: try fresh()), "seed \(seed), step \(step), change \(change)")
            #expect(after.version == realm.core.store.version)
            if isCancelled { #expect(after.hasSameValues(as: before)) }
        }
    }

    private func change(_ change: Int, _ step: Int) {
        guard let home = realm.object(ofType: Home.self, forPrimaryKey: "Villa") else { return }
        let person = { realm.objects(Person.self)[step % realm.objects(Person.self).count] }
        switch change {
        case 0: home.address?.street = "Street \(step)"
        case 1: home.address = step.isMultiple(of: 2) ? nil : Address(value: ["street": "New \(step)"])
        case 2: home.tags.append("tag \(step)")
        case 3: if !home.tags.isEmpty { home.tags.remove(at: step % home.tags.count) }
        case 4: home.people.append(person())
        case 5: if !home.people.isEmpty { home.people.removeLast() }
        case 6: home.owner = step.isMultiple(of: 3) ? nil : person()
        case 7: home.formerAddresses.first?.city = "City \(step)"
        case 8: home.formerAddresses.append(Address(value: ["street": "Former \(step)"]))
        case 9: home.ratings.append(step.isMultiple(of: 2) ? step : nil)
        case 10:
            let new = Person.numbered(100 + step)
            realm.add(new)
            home.owner = new
        default: if realm.objects(Person.self).count > 2, let owner = home.owner { realm.delete(owner) }
        }
    }
}
