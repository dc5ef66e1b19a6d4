import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("A transaction that fails leaves the file as it was")
struct RollbackTests {
    private struct Interruption: Error {}

    @Test("many mixed changes are all discarded when the block throws at any point, 200 times", arguments: 0..<20)
    func throwing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let file = try TemporaryRealm()
        let realm = try file.open()
        var changes = RandomChanges(seed: seed &+ 1000, realm)
        let dump = try FileDump(realm)
        for round in 0..<10 {
            try realm.write { changes.apply(5) }
            let before = try dump.lines()

            // Mostly few changes, sometimes a thousand.
            let count = generator.below(round == 9 ? (seed.isMultiple(of: 10) ? 1000 : 100) : 30)
            #expect(throws: Interruption.self) {
                try realm.write {
                    changes.apply(count)
                    throw Interruption()
                }
            }

            #expect(try dump.lines() == before, "seed \(seed), round \(round)")
        }
        let before = try dump.lines()
        try realm.write { realm.add(Person.numbered(-1)) }
        #expect(try dump.lines() != before, "seed \(seed): the realm must be usable afterwards")
    }

    @Test("the same changes are discarded after a data error, whatever comes after it", arguments: 0..<5)
    func doomed(seed: UInt64) throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        var changes = RandomChanges(seed: seed, realm)
        try realm.write {
            changes.apply(30)
            realm.add(Person.numbered(-1))
        }
        let dump = try FileDump(realm)
        let before = try dump.lines()

        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write {
                changes.apply(30)
                realm.add(Person.numbered(-1))
                changes.apply(30)
            }
        }

        #expect(try dump.lines() == before, "seed \(seed)")
    }

    @Test("equal seeds make equal files, so that a failure can be repeated")
    func repeatable() throws {
        let lines = try (0..<2)
            .map { _ in
                let file = try TemporaryRealm()
                let realm = try file.open()
                var changes = RandomChanges(seed: 7, realm)
                for _ in 0..<5 { try realm.write { changes.apply(40) } }
                return try FileDump(realm).lines()
            }

        #expect(lines[0] == lines[1])
        #expect(lines[0].count > 100)
    }
}
