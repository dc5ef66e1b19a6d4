import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// Takes the changes that a file keeps, as a server would, and compares what comes of them with what the file holds.
struct KeptChanges {
    private(set) var state = InMemoryRealmState()
    private(set) var changes: [Change] = []
    private(set) var entries: [Entry] = []

    /// Takes the changes that are new.
    mutating func take(from realm: Realm) throws {
        let store = realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).all() }
        for pending in pending.dropFirst(changes.count) {
            let change = try Change(number: pending.number, body: pending.body)
            changes.append(change)
            let entry = try state.accept(
                change,
                of: 1,
                user: 1,
                received: pending.reading.wall,
                digest: try #require(Digest([UInt8](repeating: 0, count: 32)))
            )
            entries.append(try #require(entry))
        }
    }

    var contents: RealmContents { RealmContents(state).condensed }
}

@Suite("A file that keeps its changes")
struct KeptChangeTests {
    @Test(
        "after each transaction a server that takes the changes holds what the file holds",
        arguments: 1...2 as ClosedRange<UInt64>
    )
    func agreement(seed: UInt64) throws {
        let file = try TemporaryRealm(FuzzItem.types) { $0.keepsChanges = true }
        var program = try RandomProgram(seed: seed, file.open())
        var kept = KeptChanges()
        for round in 0..<40 {
            try program.transact()
            #expect(PlainWorld(program.realm).differences(from: program.world).isEmpty, "seed \(seed), round \(round)")
            try kept.take(from: program.realm)
            let (mine, theirs) = (try RealmContents(program.realm).condensed, kept.contents)
            try #require(mine.differences(from: theirs) == [], "seed \(seed), round \(round)")
            for entry in kept.entries { #expect(entry.refusals.isEmpty) }
        }
    }
}

extension RealmContents {
    /// A line for each cell and list that differs.
    func differences(from other: RealmContents) -> [String] {
        Set(objects.keys).union(other.objects.keys).sorted()
            .flatMap { address -> [String] in
                guard let mine = objects[address], let theirs = other.objects[address] else {
                    return ["\(address) is only in \(objects[address] == nil ? "the other" : "this") one"]
                }
                let cells = Set(mine.cells.keys).union(theirs.cells.keys).sorted()
                    .filter { mine.cells[$0] != theirs.cells[$0] }
                    .map {
                        "\(address) \($0): \(mine.cells[$0].map { "\($0)" } ?? "-") / \(theirs.cells[$0].map { "\($0)" } ?? "-")"
                    }
                let lists = Set(mine.lists.keys).union(theirs.lists.keys).sorted()
                    .filter { mine.lists[$0] != theirs.lists[$0] }
                    .map { "\(address) list \($0): \(mine.lists[$0] ?? []) / \(theirs.lists[$0] ?? [])" }
                return cells + lists
            }
    }
}
