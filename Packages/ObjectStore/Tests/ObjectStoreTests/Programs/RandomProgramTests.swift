import Dispatch
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Random programs agree with a plain model")
struct RandomProgramTests {
    /// The second instance: that of a queue, so that it lives beside the one of the thread.
    private let queue = DispatchQueue(label: "second instance")

    private func contentOfSecond(_ file: TemporaryRealm) throws -> PlainWorld {
        try queue.sync { PlainWorld(try Realm(configuration: file.configuration, queue: queue)) }
    }

    @Test(
        "after each transaction the realm, another instance and the file opened anew hold what the model holds",
        arguments: 1...2 as ClosedRange<UInt64>
    )
    func content(seed: UInt64) throws {
        let file = try TemporaryRealm(FuzzItem.types)
        var program = try RandomProgram(seed: seed, file.open())
        for round in 0..<40 {
            try program.transact()
            let differences = PlainWorld(program.realm).differences(from: program.world)
            try #require(differences.isEmpty, "seed \(seed), round \(round)")
            if round.isMultiple(of: 5) {
                let second = try contentOfSecond(file).differences(from: program.world)
                try #require(second.isEmpty, "seed \(seed), round \(round), second instance")
            }
            guard round % 20 == 19 else { continue }
            // Nothing may keep the instance, or the file would not be opened anew.
            program.realm.invalidate()
            program.realm = try file.open()
            let again = PlainWorld(program.realm).differences(from: program.world)
            try #require(again.isEmpty, "seed \(seed), round \(round), opened anew")
        }
        #expect(program.operationCount > 400)
    }

    @Test(
        "queries, orders, sums and links backwards agree with the model, with columns in memory and without",
        arguments: 11...12 as ClosedRange<UInt64>,
        [0, 64 << 20]
    )
    func queries(seed: UInt64, columnBytes: Int) throws {
        let file = try TemporaryRealm(FuzzItem.types) { $0.maximumColumnCacheSize = columnBytes }
        var program = try RandomProgram(seed: seed, file.open())
        for round in 0..<15 {
            try program.transact()
            if program.flip(3) { program.realm.core.file.columns.removeAll() }
            let (realm, world) = (program.realm, program.world)
            let all = realm.objects(FuzzItem.self)
            let limit = program.generator.below(50)
            func expected(_ isIncluded: (PlainItem) -> Bool) -> [Int] {
                world.ids.filter { world.items[$0].map(isIncluded) ?? false }
            }
            func found(_ items: Results<FuzzItem>) -> [Int] { items.sorted(byKeyPath: "id").map(\.id) }
            let place = "seed \(seed), round \(round)"
            #expect(found(all.where { $0.number < limit }) == expected { $0.number < limit }, "\(place)")
            #expect(found(all.where { $0.text == nil }) == expected { $0.text == nil }, "\(place)")
            #expect(found(all.where { $0.tags.contains("a") }) == expected { $0.tags.contains("a") }, "\(place)")
            #expect(found(all.where { $0.numbers.count > 2 }) == expected { $0.numbers.count > 2 }, "\(place)")
            #expect(found(all.where { $0.numbers == 5 }) == expected { $0.numbers.contains(5) }, "\(place)")
            #expect(
                found(all.where { $0.payload == .string("é") }) == expected { $0.payload == .string("é") },
                "\(place)"
            )
            #expect(
                found(all.where { $0.place.name == "updated" }) == expected { $0.place?.name == "updated" },
                "\(place)"
            )
            #expect(
                found(all.where { $0.places.rooms.number > 5 })
                    == expected { $0.places.contains { $0.rooms.contains { $0.number > 5 } } },
                "\(place)"
            )
            #expect(
                found(all.where { $0.friends.number > limit })
                    == expected { $0.friends.contains { (world.items[$0]?.number ?? 0) > limit } },
                "\(place)"
            )
            #expect(
                found(all.where { $0.friend.number <= limit })
                    == expected { $0.friend.map { (world.items[$0]?.number ?? 0) <= limit } ?? false },
                "\(place)"
            )
            #expect(
                found(all.where { $0.circle.count == 1 || $0.byName["a"] != nil })
                    == expected { $0.circle.count == 1 || ($0.byName["a"] ?? nil) != nil },
                "\(place)"
            )
            #expect(all.sum(of: \.number) == world.items.values.reduce(0) { $0 + $1.number }, "\(place)")
            #expect(all.max(of: \.amount) == world.items.values.compactMap(\.amount).max(), "\(place)")
            for item in all { #expect(item.followers.map(\.id).sorted() == world.followers(of: item.id), "\(place)") }
        }
    }

    @Test(
        "what an observer is told of each commit, applied to what it knew, is what the realm holds",
        arguments: 21...22 as ClosedRange<UInt64>
    )
    func commits(seed: UInt64) throws {
        let spy = ObserverSpy()
        spy.gate.open()
        let file = try TemporaryRealm(FuzzItem.types) { $0.attachment = spy }
        var program = try RandomProgram(seed: seed, file.open())
        var mirror = MirroredWorld()
        var told = 0
        for round in 0..<40 {
            let before = program.world
            try program.transact()
            let commits = spy.commits
            #expect(commits.count - told <= 1, "seed \(seed), round \(round): one call for a transaction")
            if before == program.world, commits.count == told { continue }
            for commit in commits[told...] { mirror.apply(commit) }
            told = commits.count
            let differences = try mirror.world.differences(from: program.world) + mirror.problems
            try #require(differences.isEmpty, "seed \(seed), round \(round)")
        }
        #expect(told > 20)
    }

    @Test("what an observer is told of reads is what was committed last, also inside of transactions")
    func reads() throws {
        let spy = ObserverSpy()
        spy.gate.open()
        let file = try TemporaryRealm(FuzzItem.types) { $0.attachment = spy }
        var program = try RandomProgram(seed: 31, file.open())
        for round in 0..<15 {
            let committed = program.world
            let count = spy.calls.count
            try program.transact()
            // What the transaction read is told as it was before it, and what is new is not told.
            for call in spy.calls[count...] {
                for snapshot in call.snapshots {
                    let item = try MirroredObject(snapshot).item
                    #expect(item == committed.items[MirroredObject(snapshot).id], "round \(round)")
                }
            }
            let later = spy.calls.count
            for item in program.realm.objects(FuzzItem.self) { _ = item.friends.first?.number }
            for call in spy.calls[later...] {
                for snapshot in call.snapshots {
                    let item = try MirroredObject(snapshot).item
                    #expect(item == program.world.items[MirroredObject(snapshot).id], "round \(round)")
                }
            }
        }
        #expect(spy.calls.count > 100)
    }

    @Test("an observer whose gate is closed is told nothing at all")
    func inactive() throws {
        let spy = ObserverSpy()
        let file = try TemporaryRealm(FuzzItem.types) { $0.attachment = spy }
        var program = try RandomProgram(seed: 41, file.open())

        for _ in 0..<10 { try program.transact() }
        #expect(PlainWorld(program.realm) == program.world)

        #expect(spy.calls.isEmpty)
        #expect(spy.commits.isEmpty)
    }
}

extension ObserverSpy.Call {
    /// The snapshots of items that were told.
    fileprivate var snapshots: [ObjectSnapshot] {
        let told: [ObjectSnapshot] =
            switch self {
            case .read(let snapshot): [snapshot]
            case .query(_, _, let matches): matches
            case .follow(_, _, let target, let all): all + [target]
            @unknown default: []
            }
        return told.filter { $0.shape.name == "FuzzItem" }
    }
}
