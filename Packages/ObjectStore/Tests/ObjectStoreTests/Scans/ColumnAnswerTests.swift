import Dispatch
import EventModelTesting
import Foundation
import ObjectQueries
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Columns in memory answer as SQLite does")
struct ColumnAnswerTests {
    /// The instance that only asks SQLite: that of a queue, so that it lives beside the one of the thread.
    private let queue = DispatchQueue(label: "without columns")

    private func plainAnswer(_ plan: QueryPlan, _ file: TemporaryRealm) throws -> ScanAnswer {
        try queue.sync {
            var configuration = file.configuration
            configuration.maximumColumnCacheSize = 0
            let realm = try Realm(configuration: configuration, queue: queue)
            realm.refresh()
            return ScanAnswer(plan, realm)
        }
    }

    // In a process of its own, because it takes the columns of all files away, also those that another test wants to find.
    @Test("the columns of all files are forgotten when a program says so, and made again when they are wanted")
    func forgetting() async {
        await #expect(processExitsWith: .success) {
            let file = try TemporaryRealm([Person.self])
            let realm = try file.open()
            try realm.write { for number in 0..<1000 { realm.add(Person.numbered(number)) } }
            func ask() -> Int { realm.objects(Person.self).filter("score > 100").count }
            let answers = [ask(), ask(), ask()]
            let before = realm.core.file.columns.byteCount

            Realm.removeCachedColumns()

            let after = realm.core.file.columns.byteCount
            let again = [ask(), ask(), ask()]
            guard before > 0, after == 0, again == answers, realm.core.file.columns.byteCount > 0 else { exit(1) }
        }
    }

    @Test(
        "random conditions, orders, groups and sums over changing objects",
        arguments: zip(1...6 as ClosedRange<UInt64>, [64 << 20, 64 << 20, 64 << 20, 20_000, 60_000, 4 << 20])
    )
    func random(seed: UInt64, limit: Int) throws {
        let file = try TemporaryRealm([ScanItem.self]) { $0.maximumColumnCacheSize = limit }
        let realm = try file.open()
        var generator = SeededGenerator(seed: seed)
        var scanned = 0
        for round in 0..<8 {
            func change() {
                let items = Array(realm.objects(ScanItem.self))
                for _ in 0..<generator.one(of: [0, 1, 5, 60]) {
                    // In no order, and often the key of an object that was deleted.
                    let id = generator.below(40) == 0 ? generator.scanInt() : generator.below(900) - 450
                    guard realm.object(ofType: ScanItem.self, forPrimaryKey: id) == nil else { continue }
                    let item = realm.create(ScanItem.self, value: ["id": id])
                    generator.change(item, all: true)
                    item.friend = generator.below(3) == 0 ? item : nil
                }
                guard !items.isEmpty else { return }
                for _ in 0..<generator.one(of: [0, 1, 10, 100]) {
                    generator.change(items[generator.below(items.count)], all: generator.below(10) == 0)
                }
                guard generator.below(3) == 0 else { return }
                let doomed =
                    generator.below(10) == 0
                    ? items : (0..<generator.below(6)).map { _ in items[generator.below(items.count)] }
                for item in doomed where !item.isInvalidated {
                    let id = item.id
                    realm.delete(item)
                    guard generator.below(3) == 0 else { continue }
                    generator.change(realm.create(ScanItem.self, value: ["id": id]), all: true)
                }
            }
            if generator.below(6) == 0 {
                realm.beginWrite()
                change()
                // What is not committed is answered as well, and leaves nothing behind.
                _ = ScanAnswer(generator.scanPlan(), realm)
                realm.cancelWrite()
            } else {
                try realm.write { change() }
            }
            for _ in 0..<10 {
                if generator.below(8) == 0 { realm.core.file.columns.removeAll() }
                let plan = generator.scanPlan()
                let answer = ScanAnswer(plan, realm)
                let plain = try plainAnswer(plan, file)
                try #require(answer == plain, "seed \(seed), round \(round): \(plan)")
                if ObjectResultState(realm.core, realm.core.requireTable(ScanItem.self), plan).scan != nil {
                    scanned += 1
                }
            }
            #expect(realm.core.file.columns.byteCount <= limit)
        }
        #expect(scanned > 25, "Most plans must be ones that columns answer, or nothing was tested.")
    }
}
