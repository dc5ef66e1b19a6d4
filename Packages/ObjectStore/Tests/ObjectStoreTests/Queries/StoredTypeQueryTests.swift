import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private enum Grade: Int, PersistableEnum {
    case low = 1
    case middle = 5
    case high = 9
}

private struct Grams: CustomPersistable {
    var value: Double
    init(persistedValue: Double) { value = persistedValue }
    var persistableValue: Double { value }
}

private final class Crate: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var grade: Grade
    @Persisted var grades: List<Grade>
    @Persisted var maybeGrades: List<Grade?>
    @Persisted var weight: Grams?
    @Persisted var weights: List<Grams>
    @Persisted var maybes: List<Int?>
    @Persisted var maybeSet: MutableSet<Double?>
    @Persisted var note: String?
    @Persisted var limit: Int?
    @Persisted var inner: List<Crate>
    @Persisted var parent: Crate?
    @Persisted var tag: CrateTag?
    @Persisted var named: Map<String, Crate?>
}

private final class CrateTag: EmbeddedObject {
    @Persisted var text: String
}

@Suite("Queries on what is stored as another type, and on nil")
struct StoredTypeQueryTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private var crates: Results<Crate> { realm.objects(Crate.self) }

    init() throws {
        file = try TemporaryRealm([Crate.self, CrateTag.self])
        realm = try file.open()
        try realm.write { realm in
            realm.create(
                Crate.self,
                value: [
                    "id": 1, "grade": 9, "grades": [1, 5], "weight": 2.5, "weights": [1.0, 2.0], "maybes": [1, nil, 3],
                ]
            )
            let tag: [String: Any] = ["text": "a"]
            realm.create(
                Crate.self,
                value: [
                    "id": 2, "grades": [9, 9], "maybeGrades": [9, NSNull()], "weights": [8.0], "maybes": [7, NSNull()],
                    "maybeSet": [1.5, NSNull()],
                    "note": "x", "limit": 4, "tag": tag,
                ]
            )
            let one = realm.object(ofType: Crate.self, forPrimaryKey: 1)
            let two = realm.object(ofType: Crate.self, forPrimaryKey: 2)
            let three = realm.create(Crate.self, value: ["id": 3])
            if let one, let two {
                three.inner.append(objectsIn: [one, two])
                two.parent = one
                three.parent = one
                three.named["a"] = one
                three.named["b"] = two
            }
        }
    }

    private func expect(
        _ ids: [Int],
        _ format: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isIncluded: (Query<Crate>) -> Query<Bool>
    ) throws {
        let typed = crates.where(isIncluded)
        let text = try crates.filter(parsing: format)
        #expect(typed.map(\.id) == ids, sourceLocation: sourceLocation)
        #expect(text.map(\.id) == ids, sourceLocation: sourceLocation)
    }

    @Test("enumerations and custom types are compared as themselves and as what is stored")
    func stored() throws {
        try expect([1], "grade > 5") { $0.grade.rawValue > 5 }
        try expect([1], "grade == 9") { $0.grade == .high }
        try expect([1], "weight > 2") { $0.weight.persistableValue > 2 }
        try expect([2], "ANY grades == 9") { $0.grades.rawValue == 9 }
        try expect([2], "ANY maybeGrades == 9") { $0.maybeGrades.rawValue == 9 }
        try expect([2], "ANY weights > 5") { $0.weights.persistableValue > 5 }
    }

    @Test("aggregates of enumerations and custom types, also through objects")
    func aggregates() throws {
        try expect([2], "grades.@max == 9") { $0.grades.max == .high }
        try expect([1], "grades.@sum == 6") { $0.grades.rawValue.sum == 6 }
        try expect([1], "weights.@avg == 1.5") { $0.weights.persistableValue.avg == 1.5 }
        try expect([3], "inner.@max.grade == 9") { $0.inner.grade.max == .high }
        try expect([3], "inner.@sum.grade == 10") { $0.inner.grade.sum == 10 }
        try expect([3], "inner.@min.grade == 1") { $0.inner.grade.rawValue.min == 1 }
    }

    @Test("collections of them compute, managed or not")
    func computing() throws {
        let managed = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 1))
        let loose = Crate(value: ["id": 9, "grades": [1, 5], "weights": [1.0, 2.0]])
        for crate in [managed, loose] {
            #expect(crate.grades.max() == .middle)
            #expect(crate.grades.sum() == 6)
            #expect(crate.weights.min() == Grams(persistedValue: 1))
            #expect(crate.weights.sum() == Grams(persistedValue: 3))
            let mean: Double? = crate.weights.average()
            #expect(mean == 1.5)
        }
    }

    @Test("a range is asked of collections whose elements may be nil")
    func ranges() throws {
        try expect([1], "maybes.@min >= 1 AND maybes.@max <= 3") { $0.maybes.contains(1...3) }
        try expect([2], "maybes.@min >= 4 AND maybes.@max < 8") { $0.maybes.contains(4..<8) }
        try expect([2], "maybeSet.@min >= 1 AND maybeSet.@max < 2") { $0.maybeSet.contains(1.0..<2.0) }
    }

    @Test("nil comes neither before nor behind a value, and is part of no text")
    func nils() throws {
        try expect([], "limit < nil") { $0.limit < nil }
        try expect([], "limit <= nil") { $0.limit <= nil }
        try expect([], "limit > nil") { $0.limit > nil }
        try expect([], "limit >= nil") { $0.limit >= nil }
        try expect([1, 2, 3], "NOT limit > nil") { !($0.limit > nil) }
        try expect([], "note CONTAINS nil") { $0.note.contains(nil) }
        try expect([], "note BEGINSWITH nil") { $0.note.starts(with: nil) }
        try expect([1, 3], "limit == nil") { $0.limit == nil }
    }

    @Test("an embedded object is equal to itself and not to its like")
    func embedded() throws {
        let two = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 2))
        let tag = try #require(two.tag)

        #expect(crates.where { $0.tag == tag }.map(\.id) == [2])
        #expect(crates.where { $0.tag != tag }.map(\.id) == [1, 3])
        #expect(crates.filter("tag == %@", tag).map(\.id) == [2])
        #expect(crates.where { $0.tag == nil }.map(\.id) == [1, 3])
    }

    @Test("subqueries count the objects that fulfil a condition")
    func subqueries() throws {
        try expect([3], "SUBQUERY(inner, $c, $c.grade == 9 AND $c.weight > 2).@count == 1") {
            ($0.inner.grade == .high && $0.inner.weight.persistableValue > 2).count == 1
        }
        try expect([1, 2], "SUBQUERY(inner, $c, $c.grade > 0).@count == 0") { ($0.inner.grade.rawValue > 0).count == 0 }
        try expect([3], "SUBQUERY(inner, $c, ANY $c.grades == 9).@count > 0") {
            ($0.inner.grades.rawValue == 9).count > 0
        }
        try expect([3], "2 == SUBQUERY(inner, $c, $c.id > 0).@count") { ($0.inner.id > 0).count == 2 }
    }

    @Test("what a path leads to through no object is left out when elements are made distinct")
    func distinct() {
        let loose = List<Crate>()
        let (one, two, three) = (Crate(value: ["id": 1]), Crate(value: ["id": 2]), Crate(value: ["id": 3]))
        (two.parent, three.parent) = (one, one)
        loose.append(objectsIn: [one, two, three])

        #expect(crates.distinct(by: ["parent.grade"]).map(\.id) == [2])
        #expect(loose.distinct(by: ["parent.grade"]).map(\.id) == [2])
        #expect(crates.distinct(by: ["parent"]).map(\.id) == [1, 2])
    }

    @Test("a map of objects is sorted and computed with by key paths, and read by paths")
    func maps() throws {
        let three = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 3))

        #expect(three.named.sorted(by: \.id, ascending: false).map { $0?.id } == [2, 1])
        #expect(three.named.max(of: \.id) == 2)
        #expect(three.named.sum(of: \.id) == 3)
        let mean: Double? = three.named.average(of: \.id)
        #expect(mean == 1.5)
        #expect(three.named.min(of: \.limit) == 4)
        #expect(three.named.value(forKeyPath: "a.grade") as? Grade == .high)
        #expect(three.named.value(forKeyPath: "@count") as? Int == 2)
        #expect(three.named.value(forKeyPath: "@allKeys") as? [String] == ["a", "b"])
        #expect(three.named.value(forKeyPath: "@max.id") as? Int == 2)
        #expect(three.named.value(forKeyPath: "c.id") == nil)
        #expect(three.named.value(forKeyPath: "c") == nil)
    }

    @Test("a sort descriptor says its path and direction")
    func descriptors() {
        let descriptor = SortDescriptor(keyPath: "name", ascending: false)

        #expect("\(descriptor)" == "SortDescriptor (keyPath: name, direction: descending)")
    }
}
