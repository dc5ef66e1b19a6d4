import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Testing

@Suite("Pages of snapshots as bytes")
struct SnapshotPageTests {
    @Test("the bytes of a page are these")
    func golden() {
        let object = SnapshotObject(
            person,
            changed: 200,
            actions: [.create(given: [:], defaults: [:]), .set("name", "Tony")]
        )
        let page = SnapshotPage(head: 300, objects: [object], next: SnapshotCursor(bytes: [7, 8]))

        let expected: [[UInt8]] = [
            Array("DAYPAGE1".utf8), [0xAC, 0x02, 2, 6], Array("Person".utf8), [4], Array("name".utf8),
            // One object: its class and key, when it changed, two operations.
            [1, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0xC8, 0x01, 2],
            [1, 0, 0, 3, 1, 1, 1, 6, 4], Array("Tony".utf8), [1, 2, 7, 8],
        ]
        #expect(page.encoded == expected.flatMap(\.self))
        #expect(object.operations == [person.create(), person.set("name", "Tony")])
    }

    @Test("the pages of random realms are read again", arguments: 1...20 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let page = samplePage(seed: seed)

        #expect(try SnapshotPage(bytes: page.encoded) == page)
    }

    @Test("a page that was read has the bytes that it was read from, and is no other page for it")
    func source() throws {
        let page = samplePage(seed: 3)
        let read = try SnapshotPage(bytes: page.encoded)

        #expect(read.encoded == page.encoded)
        #expect(read == page && read.hashValue == page.hashValue)
    }

    @Test("a page that is cut at any byte is an error")
    func cut() {
        let bytes = samplePage(seed: 3).encoded

        for count in bytes.indices {
            #expect(throws: ChangeModelError.self) { try SnapshotPage(bytes: Array(bytes.prefix(count))) }
        }
    }

    @Test("a page with bytes that were changed is an error, or another page that is read again")
    func mutated() throws {
        var random = SeededGenerator(seed: 7)
        let samples = (1...20).map { samplePage(seed: $0).encoded }
        var read = 0
        for _ in 0..<RandomRuns.mutants {
            var bytes = samples[random.below(samples.count)]
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
            do {
                let page = try SnapshotPage(bytes: bytes)
                read += 1
                // Made anew: a page that was read has its bytes still.
                let made = SnapshotPage(head: page.head, objects: page.objects, next: page.next)
                #expect(try SnapshotPage(bytes: made.encoded) == page)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(read > 0)
        #expect(read < RandomRuns.mutants)
    }

    @Test("objects out of order, twice, or without their creation are errors")
    func order() {
        func page(_ objects: SnapshotObject...) -> [UInt8] {
            SnapshotPage(head: 1, objects: objects, next: nil).encoded
        }
        let create = ChangeOperation.Action.create(given: [:], defaults: [:])
        let first = SnapshotObject(person, changed: 1, actions: [create])
        let second = SnapshotObject(other, changed: 1, actions: [create])

        #expect(throws: Never.self) { try SnapshotPage(bytes: page(first, second)) }
        #expect(throws: ChangeModelError.self) { try SnapshotPage(bytes: page(second, first)) }
        #expect(throws: ChangeModelError.self) { try SnapshotPage(bytes: page(first, first)) }
        #expect(throws: ChangeModelError.self) {
            try SnapshotPage(bytes: page(SnapshotObject(person, changed: 1, actions: [.set("age", 1)])))
        }
    }

    @Test("what a snapshot makes an object of is what its literals make, with the plain values in the creation")
    func snapshot() {
        for seed in 1...100 {
            let state = sampleState(seed: UInt64(seed))
            let living = state.objects.filter { state.existence(of: $0).isAlive }
            var (fresh, others) = (RealmContents(), RealmContents())
            for object in living {
                for literal in state.literals(of: object) { others.apply(literal) }
                let operations = state.snapshot(of: object)
                for operation in operations { fresh.apply(operation) }
                #expect(operations.count <= state.literals(of: object).count)
                #expect(
                    !operations.contains {
                        if case .set(let path, let value) = $0.action {
                            path.steps.count == 1 && value.isPlain
                        } else {
                            false
                        }
                    }
                )
            }
            #expect(fresh == others, "seed \(seed)")
        }
        let state = sampleState(seed: 1)
        #expect(state.snapshot(of: ObjectAddress("Person", .int(-99))) == [])
    }

    private func samplePage(seed: UInt64) -> SnapshotPage {
        let state = sampleState(seed: seed)
        let objects = state.objects.filter { state.existence(of: $0).isAlive }
            .map { SnapshotObject($0, changed: 9, actions: state.snapshot(of: $0).map(\.action)) }
        return SnapshotPage(head: 99, objects: objects, next: SnapshotCursor(bytes: [1, 2, 3]))
    }

    private func sampleState(seed: UInt64) -> InMemoryRealmState {
        var state = InMemoryRealmState()
        for commits in OfflineWork(seed: seed).rounds {
            let base = state.head
            for commit in commits {
                let change = Change(
                    number: state.progress(of: commit.file).acknowledged + 1,
                    base: base,
                    clock: commit.clock,
                    operations: commit.operations
                )
                state.takeOwn(change, of: commit.file)
            }
        }
        return state
    }
}
