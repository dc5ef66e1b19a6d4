import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("The table of conversions")
struct ConversionTableTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([ConvertedThing.self, Dog.self, Address.self, Person.self])
        realm = try file.open()
    }

    // One test for all rows, since opening a realm for each would take longer than the rows themselves.
    @Test("C7, C19: every way in converts a value alike")
    func accepted() throws {
        for row in ConversionRow.all {
            realm.beginWrite()
            let existing = realm.create(ConvertedThing.self, value: ["id": -1])
            for (index, (property, expected)) in row.accepted.enumerated() {
                func expect(_ text: String, _ way: String) {
                    #expect(text == expected, "\(row.name), \(property), \(way)")
                }
                let made = ConvertedThing(value: [property: row.value()])
                expect(comparableText(made.value(forKey: property)), "init(value:)")

                let unmanaged = ConvertedThing()
                unmanaged[property] = row.value()
                expect(comparableText(unmanaged[property]), "unmanaged")

                // A person has a primary key, and so can be added only once.
                realm.delete(realm.objects(Person.self))
                let created = realm.create(ConvertedThing.self, value: ["id": index, property: row.value()])
                expect(comparableText(created[property]), "create")

                realm.delete(realm.objects(Person.self))
                existing[property] = row.value()
                expect(comparableText(existing[property]), "managed")

                for policy in [Realm.UpdatePolicy.modified, .all] {
                    let value: [String: Any] = ["id": index, property: row.value()]
                    let updated = realm.create(ConvertedThing.self, value: value, update: policy)
                    expect(comparableText(updated[property]), "\(policy)")
                }
            }
            #expect(realm.objects(ConvertedThing.self).count == row.accepted.count + 1, "\(row.name)")
            realm.cancelWrite()
        }
    }

    @Test("what a property does not accept is an error that names it")
    func refused() throws {
        for row in ConversionRow.all {
            let refusing = ConvertedThing.all.filter { row.accepted[$0] == nil }
            // A transaction for each would take long; the writers throw what dooms it.
            realm.beginWrite()
            let existing = realm.create(ConvertedThing.self, value: ["id": -1])
            let core = try #require(existing._core)
            let writer = ObjectWriter(realm.core, policy: .modified, copies: true)
            for property in refusing {
                expectRefusal(property, row) { value throws(Realm.Error) in
                    try UnmanagedWriter().fill(ConvertedThing(), from: value, depth: 0)
                }
                expectRefusal(property, row) { value throws(Realm.Error) in
                    _ = try writer.create(core.table, from: value)
                }
                expectRefusal(property, row) { value throws(Realm.Error) in try writer.update(core, from: value) }
            }
            realm.cancelWrite()

            guard let property = refusing.first else { continue }
            #expect(throws: Realm.Error(.invalidInput, "")) {
                try realm.write { realm in realm.create(ConvertedThing.self, value: [property: row.value()]) }
            }
            #expect(realm.isEmpty)
        }
    }

    private func expectRefusal(
        _ property: String,
        _ row: ConversionRow,
        _ body: ([String: Any]) throws(Realm.Error) -> Void
    ) {
        do throws(Realm.Error) {
            try body(["id": 1, property: row.value()])
            Issue.record("\(property) accepts \(row.name)")
        } catch {
            #expect(error.code == .invalidInput)
            // A value inside is named by its own property.
            let places = ["ConvertedThing.\(property)", "Dog", "Address", "Person"]
            #expect(places.contains { error.message.contains("'\($0)") }, "\(error.message)")
        }
    }

    @Test("C8: an array by declaration converts each value like a dictionary does")
    func arrays() throws {
        let values: [Any] = [7, NSNumber(value: 3), Int8(2), 1, 1, Float(0.5), "text", Data([1])]
        let created = try realm.write { realm in realm.create(ConvertedThing.self, value: values) }
        #expect((created.id, created.int, created.int8, created.bool) == (7, 3, 2, true))
        #expect((created.float, created.double, created.string, created.data) == (1, 0.5, "text", Data([1])))
        #expect(created.optionalInt == nil)
    }

    @Test("no value has a property of its own that unmanaged objects refuse: setting traps with its name")
    func trap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ConvertedThing(value: ["int": 1.5])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("ConvertedThing.int"))
    }
}
