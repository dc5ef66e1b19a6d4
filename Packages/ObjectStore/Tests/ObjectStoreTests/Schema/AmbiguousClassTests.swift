import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Two classes of a program under one stored name")
struct AmbiguousClassTests {
    @Test("a realm of all classes is without them and without those that refer to them")
    func takenOut() throws {
        var classes = try [
            Left.Ambiguous.self, Right.Ambiguous.self, RefersToAmbiguous.self, RefersFurther.self, Person.self,
            Dog.self,
        ]
        .map { type in try ClassSchema.of(type) }

        let reasons = RealmSchema.takeAmbiguous(from: &classes)

        #expect(Set(classes.map(\.name)).isDisjoint(with: ["Ambiguous", "RefersToAmbiguous", "RefersFurther"]))
        #expect(classes.map(\.name).contains("Person"))
        #expect(reasons.count == 4)
        #expect(Set(reasons.values).count == 1)
        #expect(reasons.values.first?.hasPrefix("Two classes of the program are stored as 'Ambiguous'") == true)
    }

    @Test("nothing is taken out where each has its name")
    func none() throws {
        var classes = try [Person.self, Dog.self].map { type in try ClassSchema.of(type) }
        #expect(RealmSchema.takeAmbiguous(from: &classes).isEmpty)
        #expect(classes.map(\.name) == ["Person", "Dog"])
    }

    @Test("who uses one of them in a realm of all classes is told why it is not there")
    func used() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm { $0.objectTypes = nil }
            let realm = try file.open()
            _ = realm.objects(Left.Ambiguous.self)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Two classes of the program are stored as 'Ambiguous': return another name"), "\(text)")
    }
}

private enum Left {
    class Ambiguous: Object { @Persisted var number: Int }
}

private enum Right {
    class Ambiguous: Object { @Persisted var number: Int }
}

private class RefersToAmbiguous: Object { @Persisted var list: List<Left.Ambiguous> }
private class RefersFurther: Object { @Persisted var other: RefersToAmbiguous? }
