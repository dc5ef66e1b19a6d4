import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private final class Parcel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var anyMap: Map<String, AnyRealmValue>
}

@Suite("Queries on values of any type")
struct AnyValueQueryTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private var parcels: Results<Parcel> { realm.objects(Parcel.self) }

    init() throws {
        file = try TemporaryRealm([Parcel.self])
        realm = try file.open()
        let parcels = Self.unmanaged
        try realm.write { realm in realm.add(parcels) }
    }

    private static var unmanaged: [Parcel] {
        let values: [AnyRealmValue] = [
            .none, .int(3), .double(3.5), .string("abc"), .bool(true), .decimal128("3"),
            .fromArray([.int(1), .string("b"), .fromArray([.bool(true)])]),
            .fromDictionary(["k": .int(1), "l": .fromArray([.string("x"), .none])]), .fromArray([]),
            .fromDictionary([:]),
            .fromArray([.int(1), .string("b")]),
        ]
        return values.enumerated()
            .map { id, value in
                let parcel = Parcel()
                parcel.id = id
                parcel.any = value
                parcel.anys.append(objectsIn: values.prefix(id))
                parcel.anyMap["first"] = value
                return parcel
            }
    }

    /// Expects that all forms of a condition find the same objects, managed or not.
    private func expect(
        _ ids: [Int],
        _ format: String,
        _ arguments: [Any] = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isIncluded: (Query<Parcel>) -> Query<Bool>
    ) throws {
        let loose = List<Parcel>()
        loose.append(objectsIn: Self.unmanaged)
        let typed = parcels.where(isIncluded)
        let text = try parcels.filter(parsing: format, arguments)
        let looseTyped = loose.where(isIncluded)
        let looseText = try loose.filter("TRUEPREDICATE").filter(parsing: format, arguments)
        #expect(typed.map(\.id) == ids, sourceLocation: sourceLocation)
        #expect(text.map(\.id) == ids, sourceLocation: sourceLocation)
        #expect(looseTyped.map(\.id) == ids, "unmanaged", sourceLocation: sourceLocation)
        #expect(looseText.map(\.id) == ids, "unmanaged", sourceLocation: sourceLocation)
    }

    @Test("brackets lead into lists and dictionaries")
    func brackets() throws {
        try expect([6, 10], "any[0] == 1") { $0.any[0] == .int(1) }
        try expect([6], "any[2][0] == true") { $0.any[2][0] == .bool(true) }
        try expect([7], "any['k'] == 1") { $0.any["k"] == .int(1) }
        try expect([7], "any['l'][0] == 'x'") { $0.any["l"][0] == .string("x") }
        try expect([6, 10], "ANY any[#any] == 'b'") { $0.any.any == .string("b") }
        try expect([7], "ANY any['l'][#any] == 'x'") { $0.any["l"][.any] == .string("x") }
        try expect([6, 10], "any[1] BEGINSWITH 'b'") { $0.any[1].starts(with: "b") }
        try expect([7], "anyMap['first']['k'] == 1") { $0.anyMap["first"]["k"] == .int(1) }
        try expect([3], "any CONTAINS 'b'") { $0.any.contains("b") }
    }

    @Test("lists and dictionaries are compared with whole ones")
    func whole() throws {
        let list: AnyRealmValue = .fromArray([.int(1), .string("b")])
        let map: AnyRealmValue = .fromDictionary(["k": .double(1), "l": .fromArray([.string("x"), .none])])
        let inner: AnyRealmValue = .fromArray([.string("x"), .none])
        let empty: AnyRealmValue = .fromArray([])

        try expect([10], "any == %@", [list]) { $0.any == list }
        try expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "any != %@", [list]) { $0.any != list }
        try expect([7], "any == %@", [map]) { $0.any == map }
        try expect([7], "any['l'] == %@", [inner]) { $0.any["l"] == inner }
        try expect([8], "any == %@", [empty]) { $0.any == empty }
        try expect([9], "any == %@", [AnyRealmValue.fromDictionary([:])]) { $0.any == .fromDictionary([:]) }
    }

    @Test("nil has no order, and is part of no text")
    func nils() throws {
        try expect([], "any < nil") { $0.any < .none }
        try expect([], "any >= nil") { $0.any >= .none }
        try expect(Array(0...10), "NOT any > nil") { !($0.any > .none) }
        try expect([0], "any == nil") { $0.any == .none }
    }

    @Test("the numbers in a collection are added up and compared, whatever their types")
    func aggregates() throws {
        try expect([2], "anys.@sum == 3") { $0.anys.sum == .int(3) }
        try expect([6, 7, 8, 9, 10], "anys.@sum == 9.5") { $0.anys.sum == .double(9.5) }
        try expect([3, 4, 5, 6, 7, 8, 9, 10], "anys.@max > 3") { $0.anys.max > .int(3) }
        try expect([2, 3, 4, 5, 6, 7, 8, 9, 10], "anys.@min == 3") { $0.anys.min == .int(3) }
        try expect([3, 4, 5], "anys.@avg == 3.25") { $0.anys.avg == .double(3.25) }
    }

    @Test("collections compute with the numbers among their values, managed or not")
    func computing() throws {
        let managed = try #require(realm.object(ofType: Parcel.self, forPrimaryKey: 5))
        let loose = Self.unmanaged[5]
        for parcel in [managed, loose] {
            #expect(parcel.anys.min() == .int(3))
            #expect(parcel.anys.max() == .double(3.5))
            #expect(parcel.anys.sum() == .double(6.5))
            let mean: Double? = parcel.anys.average()
            #expect(mean == 3.25)
            #expect(parcel.anyMap.sum() == .decimal128("3"))
        }
        let empty = try #require(realm.object(ofType: Parcel.self, forPrimaryKey: 0))
        #expect(empty.anys.min() == nil)
        #expect(empty.anys.sum() == .int(0))
        #expect(parcels.max(of: \.any) == .double(3.5))
        #expect(parcels.sum(of: \.any) == .decimal128("9.5"))
        let loosest = List<Parcel>()
        loosest.append(objectsIn: Self.unmanaged)
        #expect(loosest.sum(of: \.any) == .decimal128("9.5"))
    }

    @Test("an index on a property of any type finds its values")
    func index() {
        #expect(parcels.where { $0.any == .string("abc") }.map(\.id) == [3])
        #expect(parcels.where { $0.any == .double(3) }.map(\.id) == [1, 5])
    }
}
