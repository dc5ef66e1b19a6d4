import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private final class Shop: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted(indexed: true) var rank: Int
    @Persisted(indexed: true) var opened: Date?
    @Persisted(indexed: true) var code: UUID
    @Persisted var note: String
    @Persisted var chief: Clerk?
    @Persisted var clerks: List<Clerk>
}

private final class Clerk: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
}

@Suite("Query plans")
struct QueryPlanTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private var shops: Results<Shop> { realm.objects(Shop.self) }

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open { $0.objectTypes = [Shop.self, Clerk.self] }
        try realm.write { realm in
            let clerks = (0..<20).map { realm.create(Clerk.self, value: ["number": $0, "name": "C\($0)", "age": $0]) }
            for id in 0..<200 {
                realm.create(
                    Shop.self,
                    value: [
                        "id": id, "name": "S\(id)", "rank": id % 10, "chief": clerks[id % 20],
                        "clerks": [clerks[id % 20], clerks[(id + 1) % 20]],
                    ]
                )
            }
        }
    }

    /// Expects that an index leads to the rows, and that no table is read from end to end.
    private func expectIndex(
        _ index: String,
        _ results: Results<Shop>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let plan = results.explain()
        #expect(plan.contains(index), "\(plan)", sourceLocation: sourceLocation)
        #expect(!plan.contains("SCAN o"), "\(plan)", sourceLocation: sourceLocation)
    }

    @Test("a declared index answers equality, order, ranges, lists of values and prefixes")
    func indexes() {
        expectIndex("Shop.name$index (name=?)", shops.where { $0.name == "S5" })
        expectIndex("Shop.rank$index (rank>?)", shops.where { $0.rank >= 9 })
        expectIndex("Shop.rank$index (rank<?)", shops.where { $0.rank < 1 })
        expectIndex("Shop.rank$index (rank>? AND rank<?)", shops.where { $0.rank.contains(2...3) })
        expectIndex("Shop.rank$index (rank>? AND rank<?)", shops.where { $0.rank.contains(2..<3) })
        expectIndex("Shop.rank$index (rank=?)", shops.where { $0.rank.in([1, 2]) })
        expectIndex("Shop.rank$index (rank=?)", shops.filter("rank IN %@", Array(0..<1000)))
        expectIndex("Shop.rank$index (rank=?)", shops.filter("rank == %@", Decimal128("3.0")))
        expectIndex("Shop.name$index (name>? AND name<?)", shops.where { $0.name.starts(with: "S1") })
        expectIndex(
            "Shop.opened$index (opened>? AND opened<?)",
            shops.where { $0.opened > Date(timeIntervalSince1970: 0) }
        )
        expectIndex("Shop.opened$index (opened=?)", shops.where { $0.opened == nil })
        expectIndex("Shop.code$index (code=?)", shops.where { $0.code == UUID() })
        expectIndex("Shop.name$index (name=?)", shops.where { $0.name == "S5" && $0.note != "x" })
    }

    @Test("the primary key answers equality and membership")
    func primaryKey() {
        expectIndex("INTEGER PRIMARY KEY (rowid=?)", shops.where { $0.id == 5 })
        expectIndex("INTEGER PRIMARY KEY (rowid=?)", shops.where { $0.id.in([5, 6]) })
    }

    @Test("links lead back to the objects that have them")
    func links() throws {
        let clerk = try #require(realm.object(ofType: Clerk.self, forPrimaryKey: 3))

        expectIndex("Shop.chief$link (chief=?)", shops.where { $0.chief == clerk })
        expectIndex("Shop.chief$link (chief=?)", shops.where { $0.chief.name == "C3" })
        expectIndex("Shop.clerks$link ($value=?)", shops.where { $0.clerks.contains(clerk) })
        expectIndex("Clerk.name$index (name=?)", shops.where { $0.clerks.name == "C3" })
        expectIndex("INTEGER PRIMARY KEY (rowid=?)", shops.where { $0.clerks.number.in([3, 4]) })
        #expect(shops.where { $0.clerks.contains(clerk) }.count == 20)
        #expect(shops.where { $0.clerks.name == "C3" }.map(\.id) == shops.where { $0.clerks.age == 3 }.map(\.id))
        #expect(shops.where { !($0.clerks.number == 3) }.count == 180)
    }

    @Test("an index gives the order")
    func sorting() {
        #expect(!shops.sorted(by: \.rank).explain().contains("TEMP B-TREE"))
        #expect(shops.sorted(by: \.note).explain().contains("TEMP B-TREE"))
        #expect(!shops.where { $0.rank > 3 }.sorted(by: \.rank).explain().contains("TEMP B-TREE"))
    }

    @Test("what no index can answer reads the table once")
    func scans() {
        #expect(shops.where { $0.note == "x" }.explain().contains("SCAN o"))
        #expect(shops.where { $0.name.contains("x") }.explain().contains("SCAN o"))
    }

    @Test("the elements of an unmanaged list are in no plan")
    func unmanaged() {
        #expect(Shop().clerks.sorted(by: \.age).explain().isEmpty)
    }
}
