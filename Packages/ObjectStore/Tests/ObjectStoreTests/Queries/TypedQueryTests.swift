import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private final class Kennel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var motto: String?
    @Persisted var label: Data
    @Persisted var count: Int
    @Persisted var limit: Int?
    @Persisted var ward: Ward
    @Persisted var triage: Triage?
    @Persisted var best: Hound?
    @Persisted var hounds: List<Hound>
    @Persisted var fees: List<Double>
    @Persisted var nicknames: List<String>
    @Persisted var wards: List<Ward>
    @Persisted var place: Place?
    @Persisted var isOpen: Bool
    @Persisted var colors: MutableSet<String>
    @Persisted var winners: MutableSet<Hound>
    @Persisted var prices: Map<String, Int>
    @Persisted var notes: Map<String, String?>
    @Persisted var rooms: Map<String, Hound?>
}

private final class Hound: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var weight: Double?
    @Persisted var puppies: List<Hound>
    @Persisted var mother: Hound?
    @Persisted var isGood: Bool
}

private final class Place: EmbeddedObject {
    @Persisted var city: String?
}

@Suite("Typed queries")
struct TypedQueryTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private var kennels: Results<Kennel> { realm.objects(Kennel.self) }

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open { $0.objectTypes = [Kennel.self, Hound.self, Place.self] }
        try realm.write { realm in
            let rex: [String: Any] = ["name": "Rex", "age": 3, "weight": 20.5, "isGood": true]
            let ada: [String: Any] = ["name": "Ada", "age": 9, "puppies": [rex]]
            realm.create(
                Kennel.self,
                value: [
                    "id": 1, "name": "North", "motto": "north", "label": Data([1, 2]), "count": 2, "limit": 2,
                    "triage": 3, "best": rex, "hounds": [rex, ada], "fees": [1.5, 2.5], "nicknames": ["n", "No"],
                    "wards": ["surgery"], "place": ["city": "Bern"], "isOpen": true,
                    "colors": ["red", "green"], "prices": ["food": 5, "walk": 8], "notes": ["a": "x", "b": NSNull()],
                    "rooms": ["1": ["name": "Bo", "age": 1], "2": NSNull()],
                ]
            )
            realm.create(
                Kennel.self,
                value: ["id": 2, "name": "South", "count": 5, "limit": 9, "ward": "intensiveCare", "hounds": [ada]]
            )
            realm.create(Kennel.self, value: ["id": 3, "name": "East", "fees": [0.5]])
        }
    }

    /// Expects that both front ends make one and the same query, and that it finds these kennels.
    private func expect(
        _ format: String,
        _ arguments: Any...,
        finds ids: [Int],
        _ isIncluded: (Query<Kennel>) -> Query<Bool>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let typed = kennels.where(isIncluded)
        let parsed = try kennels.filter(parsing: format, arguments)
        #expect(typed == parsed, "The front ends differ on \(format).", sourceLocation: sourceLocation)
        #expect(typed.map(\.id) == ids, sourceLocation: sourceLocation)
    }

    @Test("values and properties are compared")
    func comparing() throws {
        try expect("count == 5", finds: [2]) { $0.count == 5 }
        try expect("count != 5", finds: [1, 3]) { $0.count != 5 }
        try expect("count > 2", finds: [2]) { $0.count > 2 }
        try expect("limit >= 2", finds: [1, 2]) { $0.limit >= 2 }
        try expect("limit == nil", finds: [3]) { $0.limit == nil }
        try expect("limit != nil", finds: [1, 2]) { $0.limit != nil }
        try expect("count == limit", finds: [1]) { $0.count == $0.limit }
        try expect("limit > count", finds: [2]) { $0.limit > $0.count }
        try expect("isOpen == TRUE", finds: [1]) { $0.isOpen }
        try expect("NOT isOpen == TRUE", finds: [2, 3]) { !$0.isOpen }
        try expect("count IN {2, 5}", finds: [1, 2]) { $0.count.in([2, 5]) }
        try expect("limit IN {2, NULL}", finds: [1, 3]) { $0.limit.in([2, nil]) }
        let limits = [2, 9]
        try expect("limit IN %@", limits, finds: [1, 2]) { $0.limit.in(limits) }
        try expect("count BETWEEN {2, 5}", finds: [1, 2]) { $0.count.contains(2...5) }
        try expect("limit BETWEEN {2, 9}", finds: [1, 2]) { $0.limit.contains(2...9) }
        try expect("count >= 2 AND count < 5", finds: [1]) { $0.count.contains(2..<5) }
        try expect("limit >= 2 AND limit < 9", finds: [1]) { $0.limit.contains(2..<9) }
    }

    @Test("text and data are searched")
    func text() throws {
        try expect("name CONTAINS 'ort'", finds: [1]) { $0.name.contains("ort") }
        try expect("name BEGINSWITH[c] 's'", finds: [2]) { $0.name.starts(with: "s", options: .caseInsensitive) }
        try expect("motto ENDSWITH 'h'", finds: [1]) { $0.motto.ends(with: "h") }
        try expect("name LIKE[c] '?o*'", finds: [1, 2]) { $0.name.like("?o*", caseInsensitive: true) }
        try expect("name ==[cd] 'ÉAST'", finds: [3]) {
            $0.name.equals("ÉAST", options: [.caseInsensitive, .diacriticInsensitive])
        }
        try expect("name !=[c] 'EAST'", finds: [1, 2]) { $0.name.notEquals("EAST", options: .caseInsensitive) }
        try expect("name ==[c] motto", finds: [1]) { $0.name.equals($0.motto, options: .caseInsensitive) }
        try expect("name CONTAINS[c] motto", finds: [1]) { $0.name.contains($0.motto, options: .caseInsensitive) }
        try expect("label CONTAINS %@", Data([2]), finds: [1]) { $0.label.contains(Data([2])) }
        try expect("label BEGINSWITH %@", Data([1]), finds: [1]) { $0.label.starts(with: Data([1])) }
        try expect("label ENDSWITH %@", Data([1]), finds: []) { $0.label.ends(with: Data([1])) }
    }

    @Test("enumerations are compared by case and by raw value")
    func enumerations() throws {
        try expect("ward == 'surgery'", finds: [1, 3]) { $0.ward == .surgery }
        try expect("ward == %@", Ward.intensiveCare, finds: [2]) { $0.ward == .intensiveCare }
        try expect("ward IN %@", [Ward.surgery], finds: [1, 3]) { $0.ward.in([.surgery]) }
        try expect("ward CONTAINS 'Care'", finds: [2]) { $0.ward.rawValue.contains("Care") }
        try expect("triage > 1", finds: [1]) { $0.triage.rawValue > 1 }
        try expect("triage == nil", finds: [2, 3]) { $0.triage == nil }
        try expect("ANY wards == 'surgery'", finds: [1]) { $0.wards.contains(.surgery) }
        try expect("ANY wards BEGINSWITH 's'", finds: [1]) { $0.wards.rawValue.starts(with: "s") }
    }

    @Test("links are followed and compared")
    func links() throws {
        let rex = try #require(kennels.first?.best)
        try expect("best == %@", rex, finds: [1]) { $0.best == rex }
        try expect("best == nil", finds: [2, 3]) { $0.best == nil }
        try expect("best IN %@", [rex], finds: [1]) { $0.best.in([rex]) }
        try expect("best.age == 3", finds: [1]) { $0.best.age == 3 }
        try expect("best.mother == nil", finds: [1, 2, 3]) { $0.best.mother == nil }
        try expect("place.city == 'Bern'", finds: [1]) { $0.place.city == "Bern" }
        try expect("place == nil", finds: [2, 3]) { $0.place == nil }
    }

    @Test("any element of a collection may fulfil a comparison")
    func collections() throws {
        let ada = try #require(realm.objects(Hound.self).where { $0.puppies.count == 1 }.last)
        try expect("ANY hounds.age > 8", finds: [1, 2]) { $0.hounds.age > 8 }
        try expect("ANY hounds.puppies.name == 'Rex'", finds: [1, 2]) { $0.hounds.puppies.name == "Rex" }
        try expect("NOT ANY hounds.age > 8", finds: [3]) { !($0.hounds.age > 8) }
        try expect("ANY hounds == %@", ada, finds: [2]) { $0.hounds.contains(ada) }
        try expect("%@ IN hounds", ada, finds: [2]) { $0.hounds.contains(ada) }
        try expect("ANY hounds IN %@", [ada], finds: [2]) { $0.hounds.containsAny(in: [ada]) }
        try expect("ANY hounds.weight == nil", finds: [1, 2]) { $0.hounds.weight == nil }
        try expect("ANY fees > 2.0", finds: [1]) { $0.fees > 2 }
        try expect("2.5 IN fees", finds: [1]) { $0.fees.contains(2.5) }
        try expect("ANY fees IN {0.5, 9.0}", finds: [3]) { $0.fees.containsAny(in: [0.5, 9]) }
        try expect("fees.@min >= 1.0 AND fees.@max <= 3.0", finds: [1]) { $0.fees.contains(1...3) }
        try expect("ANY nicknames ==[c] 'NO'", finds: [1]) { $0.nicknames.equals("NO", options: .caseInsensitive) }
        try expect("ANY hounds.isGood == TRUE", finds: [1]) { $0.hounds.isGood }
    }

    @Test("numbers are computed from collections")
    func aggregates() throws {
        try expect("hounds.@count == 2", finds: [1]) { $0.hounds.count == 2 }
        try expect("fees.@count == count", finds: [1]) { $0.fees.count == $0.count }
        try expect("fees.@sum == 4.0", finds: [1]) { $0.fees.sum == 4 }
        try expect("fees.@min == 0.5", finds: [3]) { $0.fees.min == 0.5 }
        try expect("fees.@max > 2.0", finds: [1]) { $0.fees.max > 2 }
        try expect("fees.@avg == 2.0", finds: [1]) { $0.fees.avg == 2 }
        try expect("hounds.@max.age == 9", finds: [1, 2]) { $0.hounds.age.max == 9 }
        try expect("hounds.@min.age < 9", finds: [1]) { $0.hounds.age.min < 9 }
        try expect("hounds.@sum.age == 12", finds: [1]) { $0.hounds.age.sum == 12 }
        try expect("hounds.@avg.weight == 20.5", finds: [1]) { $0.hounds.weight.avg == 20.5 }
    }

    @Test("the elements that fulfil a condition are counted")
    func subqueries() throws {
        try expect("SUBQUERY(hounds, $h, $h.age > 2 AND $h.name == 'Rex').@count >= 1", finds: [1]) {
            ($0.hounds.age > 2 && $0.hounds.name == "Rex").count >= 1
        }
        try expect("SUBQUERY(hounds, $h, NOT $h.age > 3 OR $h.isGood == TRUE).@count == 0", finds: [2, 3]) {
            (!($0.hounds.age > 3) || $0.hounds.isGood).count == 0
        }
        try expect("SUBQUERY(hounds, $h, ANY $h.puppies.name == 'Rex').@count == 1", finds: [1, 2]) {
            ($0.hounds.puppies.name == "Rex").count == 1
        }
        try expect("SUBQUERY(hounds, $h, $h.puppies.@count > 0).@count == 1", finds: [1, 2]) {
            ($0.hounds.puppies.count > 0).count == 1
        }
        try expect("SUBQUERY(hounds, $h, $h.age IN {3, 4}).@count == 1", finds: [1]) {
            $0.hounds.age.in([3, 4]).count == 1
        }
    }

    @Test("sets are queried by their elements")
    func sets() throws {
        try realm.write { realm in
            let kennel = try #require(kennels.first)
            kennel.winners.insert(objectsIn: kennel.hounds)
        }
        let rex = try #require(kennels.first?.hounds.first)
        try expect("ANY colors == 'red'", finds: [1]) { $0.colors.contains("red") }
        try expect("ANY colors BEGINSWITH 'gr'", finds: [1]) { $0.colors.starts(with: "gr") }
        try expect("colors.@count == 0", finds: [2, 3]) { $0.colors.count == 0 }
        try expect("ANY winners == %@", rex, finds: [1]) { $0.winners.contains(rex) }
        try expect("ANY winners.age == 9", finds: [1]) { $0.winners.age == 9 }
        try expect("SUBQUERY(winners, $w, $w.age > 1).@count == 2", finds: [1]) { ($0.winners.age > 1).count == 2 }
    }

    @Test("maps are queried by their entries, keys and values")
    func maps() throws {
        try expect("prices['food'] == 5", finds: [1]) { $0.prices["food"] == 5 }
        try expect("ANY prices.@allKeys == 'walk'", finds: [1]) { $0.prices.keys == "walk" }
        try expect("ANY prices.@allKeys CONTAINS 'oo'", finds: [1]) { $0.prices.keys.contains("oo") }
        try expect("prices.@allKeys IN {'walk'}", finds: [1]) { $0.prices.keys.in(["walk"]) }
        try expect("ANY prices.@allValues > 7", finds: [1]) { $0.prices.values > 7 }
        try expect("prices.@allValues > 7", finds: [1]) { $0.prices > 7 }
        try expect("8 IN prices", finds: [1]) { $0.prices.contains(8) }
        try expect("prices.@count == 2", finds: [1]) { $0.prices.count == 2 }
        try expect("prices.@max == 8", finds: [1]) { $0.prices.max == 8 }
        try expect("notes['a'] BEGINSWITH 'x'", finds: [1]) { $0.notes["a"].starts(with: "x") }
        try expect("notes['b'] == nil", finds: [1, 2, 3]) { $0.notes["b"] == nil }
        try expect("ANY notes == nil", finds: [1]) { $0.notes == nil }
        try expect("rooms['1'].age == 1", finds: [1]) { $0.rooms["1"].age == 1 }
        try expect("rooms['2'] == nil", finds: [1, 2, 3]) { $0.rooms["2"] == nil }
        try expect("ANY rooms.name == 'Bo'", finds: [1]) { $0.rooms.values.name == "Bo" }
    }

    @Test("a count of a condition on several collections traps and says what it needs")
    func mixedSubquery() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open { $0.objectTypes = [Kennel.self, Hound.self, Place.self] }
            _ = realm.objects(Kennel.self).where { ($0.hounds.age > 2 && $0.count == 1).count > 0 }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("needs conditions on the elements of one collection of objects"))
    }

    @Test("a list of objects is queried like a class")
    func listSource() throws {
        let hounds = try #require(kennels.first).hounds

        #expect(hounds.where { $0.age > 3 }.map(\.name) == ["Ada"])
        #expect(hounds.where { $0.puppies.age == 3 } == hounds.filter("ANY puppies.age == 3"))
    }
}
