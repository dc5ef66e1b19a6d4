import EventModel
import EventModelTesting
import Foundation
import ObjectQueries
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Objects of a loop have what it reads")
struct ReadPropertyTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private static let count = 1500
    private static let names = [
        "id", "int", "optionalInt", "small", "indexed", "flag", "optionalFlag", "double", "optionalDouble", "float",
        "optionalFloat", "date", "optionalDate", "word", "optionalText", "decimal",
    ]

    init() throws {
        file = try TemporaryRealm([ScanItem.self])
        realm = try file.open()
        try realm.write {
            var generator = SeededGenerator(seed: 1)
            for id in 0..<Self.count {
                let item = realm.create(ScanItem.self, value: ["id": id])
                generator.change(item, all: true)
                item.friend = id % 3 == 0 ? nil : item
            }
        }
    }

    private var table: ClassTable { realm.core.requireTable(ScanItem.self) }

    /// What a property of an object shows that was looked up alone.
    private func expected(_ id: Int, _ name: String) throws -> String {
        let item = try #require(realm.object(ofType: ScanItem.self, forPrimaryKey: id))
        return shown(item, name)
    }

    /// A value as text; an instant as a number, because Foundation cannot describe one that is none.
    private func shown(_ item: ScanItem?, _ name: String) -> String {
        let value = item?.value(forKey: name)
        if let date = value as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
        return value.map { "\($0)" } ?? "nil"
    }

    @Test("only the properties that a loop reads are fetched, and others when they are asked for")
    func fetched() throws {
        var last: ScanItem?
        var sum = 0
        for item in realm.objects(ScanItem.self) {
            sum &+= item.int
            last = item
        }

        let item = try #require(last)
        let core = try #require(item._core)
        #expect(!core.isComplete)
        #expect(shown(item, "word") == (try expected(Self.count - 1, "word")))
        #expect(core.isComplete)
    }

    @Test("a loop that reads nothing of its objects fetches whole rows, which are read later")
    func collected() {
        let items = Array(realm.objects(ScanItem.self))

        #expect(items.allSatisfy { $0._core?.isComplete ?? false || $0._core?.isProbe ?? false })
    }

    @Test("a property that was missing in one loop is fetched in the next one")
    func missing() {
        var second = 0
        for round in 0..<2 {
            for item in realm.objects(ScanItem.self) {
                _ = item.int
                guard item.id > 600 else { continue }
                _ = item.double
                if round == 1, item._core?.isComplete == false { second += 1 }
            }
        }

        // All but those of the first batch, which is whole.
        #expect(second > 800)
        #expect(table.readProperties.slots & 1 << 7 != 0)
    }

    @Test("a property that an ordered loop reads late is fetched from then on", arguments: ["double", "decimal"])
    func late(name: String) {
        var partly = 0
        var number = 0
        for item in realm.objects(ScanItem.self).sorted(by: \.word) {
            _ = item.int
            number += 1
            guard number > 700 else { continue }
            _ = item.value(forKey: name)
            if item._core?.isComplete == false { partly += 1 }
        }

        // All but those of the batch in which it was read first.
        #expect(partly > 400)
    }

    @Test("an object that a loop let go of leaves nothing in the next one")
    func reused() throws {
        var kept: [ScanItem] = []
        var friends = 0
        for item in realm.objects(ScanItem.self).sorted(by: \.id) {
            if item.id % 7 == 0 { kept.append(item) }
            if item.friend?.id == item.id { friends += 1 }
        }

        #expect(friends == Self.count - Self.count / 3)
        #expect(kept.map(\.id) == Array(stride(from: 0, to: Self.count, by: 7)))
    }

    @Test("an object of a loop that is deleted or changed shows that, as any other")
    func changed() throws {
        var kept: [ScanItem] = []
        for item in realm.objects(ScanItem.self) where item.int >= .min { kept.append(item) }
        let (doomed, altered) = (kept[700], kept[900])

        try realm.write {
            realm.delete(doomed)
            altered.word = "other"
        }

        #expect(doomed.isInvalidated)
        #expect(altered.word == "other")
        #expect(shown(altered, "decimal") == (try expected(900, "decimal")))
    }

    @Test(
        "a query for few objects that is asked again and again brings what it reads into memory, and answers the same"
    )
    func askedAgain() throws {
        try realm.write {
            for id in Self.count..<Self.count * 4 {
                realm.create(ScanItem.self, value: ["id": id, "int": id * 7919 % 6000, "word": "word \(id)"])
            }
        }
        let generated = realm.objects(ScanItem.self).map { (key: $0.id, int: $0.int) }
        let wanted = generated.map(\.int).sorted()[generated.count * 6 / 7]
        let expected = generated.filter { $0.int >= wanted }.map(\.key)
        var areKnown: [Bool] = []

        for _ in 0..<4 {
            var found: [(key: Int, word: String)] = []
            for item in realm.objects(ScanItem.self).where({ $0.int >= wanted }) { found.append((item.id, item.word)) }
            #expect(found.map(\.key) == expected)
            #expect(found.allSatisfy { realm.object(ofType: ScanItem.self, forPrimaryKey: $0.key)?.word == $0.word })
            let partial = try #require(table.partialColumns())
            areKnown.append(realm.core.file.columns.known(table, realm.core.store, partial.slots) != nil)
        }

        #expect(areKnown.first == false)
        #expect(areKnown.last == true)
    }

    @Test("a row that is read in parts is written in whole where it is exported")
    func described() throws {
        var last: ScanItem?
        for item in realm.objects(ScanItem.self) where item.int >= .min { last = item }

        let text = try #require(last).description

        #expect(
            text == (try #require(realm.object(ofType: ScanItem.self, forPrimaryKey: Self.count - 1))).description
        )
    }

    @Test(
        "random loops read what look-ups read, with columns in memory and without",
        arguments: zip(1...6 as ClosedRange<UInt64>, [64 << 20, 0, 64 << 20, 20_000, 64 << 20, 0])
    )
    func random(seed: UInt64, limit: Int) throws {
        let file = try TemporaryRealm([ScanItem.self]) { $0.maximumColumnCacheSize = limit }
        let realm = try file.open()
        var generator = SeededGenerator(seed: seed)
        var next = 0
        func write(_ count: Int) throws {
            try realm.write {
                for _ in 0..<count {
                    let item = realm.create(ScanItem.self, value: ["id": next])
                    generator.change(item, all: true)
                    next += 1
                }
                let items = Array(realm.objects(ScanItem.self))
                for _ in 0..<20 { generator.change(items[generator.below(items.count)]) }
                for _ in 0..<5 {
                    let item = items[generator.below(items.count)]
                    if !item.isInvalidated { realm.delete(item) }
                }
            }
        }
        try write(1200)
        for _ in 0..<12 {
            var plan = generator.scanPlan()
            // Mostly long results, in the order of keys or in another one.
            if generator.below(3) > 0 { plan.predicate = .always }
            if generator.below(2) == 0 { plan.distinct = [] }
            let all = Results<ScanItem>(ObjectResultState(realm.core, realm.core.requireTable(ScanItem.self), plan))
            var names = [generator.one(of: Self.names)]
            var kept: [(id: Int, item: ScanItem)] = []
            var ids: [Int] = []
            for item in all {
                if generator.below(300) == 0 { names.append(generator.one(of: Self.names)) }
                let id = item.id
                ids.append(id)
                for name in names.suffix(3) where generator.below(40) == 0 {
                    let looked = realm.object(ofType: ScanItem.self, forPrimaryKey: id)
                    try #require(shown(item, name) == shown(looked, name), "seed \(seed): \(plan)")
                }
                if generator.below(100) == 0 { kept.append((id, item)) }
            }
            #expect(ids == all.map(\.id), "seed \(seed): \(plan)")
            if generator.below(2) == 0 { try write(generator.below(20)) }
            if generator.below(4) == 0 { realm.core.file.columns.removeAll() }
            for (id, item) in kept where !item.isInvalidated {
                let name = generator.one(of: Self.names)
                let looked = realm.object(ofType: ScanItem.self, forPrimaryKey: id)
                try #require(shown(item, name) == shown(looked, name), "seed \(seed): \(plan)")
            }
        }
    }
}
