import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@Suite("Batches as bytes")
struct SignedBatchTests {
    @Test("the bytes of a batch are these")
    func golden() throws {
        let changes = [
            Change(
                number: 5,
                base: 3,
                clock: HybridClock(bits: 0x1_0000),
                operations: [person.set("name", "Tony")]
            ),
            Change(
                number: 6,
                base: 4,
                clock: HybridClock(bits: 0x1_0001),
                isAtomic: true,
                event: ObjectId(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C),
                operations: [person.delete()]
            ),
        ]

        let batch = try SignedBatch(ChangeBatch(file: 300, changes: changes), after: newChain, signing: signing)

        let expected: [[UInt8]] = [
            Array("DAYCHNG1".utf8), [0xAC, 0x02, 5, 2],
            // The first change: 44 bytes, clock 0x10000, base 3, no flags, two names, one operation.
            [44, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 2, 6], Array("Person".utf8), [4], Array("name".utf8),
            // Set; the class 0 and the key 1; one step to the property 1; a text.
            [1, 3, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 6, 4], Array("Tony".utf8),
            // The second one: one tick later, base 4, atomic, with an event, its own name, a deletion.
            [42, 1, 0, 1, 0, 0, 0, 0, 0, 4, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 6], Array("Person".utf8),
            [1, 2, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0],
        ]
        let body = expected.flatMap(\.self)
        #expect(Array(batch.bytes.prefix(body.count)) == body)
        #expect(batch.bytes.count == body.count + 32 + 64)
        #expect(Array(batch.bytes.suffix(96)) == batch.chain.bytes + signing(batch.chain))
    }

    @Test("what is written is read again", arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func roundTrip(seed: UInt64) throws {
        for changes in OfflineWork(seed: seed).changes where !changes.isEmpty {
            let batch = ChangeBatch(file: 7, changes: changes)

            let written = try SignedBatch(batch, after: newChain, signing: signing)
            let read = try SignedBatch(bytes: written.bytes)

            #expect(read == written)
            #expect(try read.batch == batch)
        }
    }

    @Test("a value of every type is read again with its bits")
    func values() throws {
        let values: [CellValue] = [
            .null, true, false, .int(.min), .float(.nan), .float(-0.0), .double(.infinity), .double(.nan), "", "\u{e9}",
            .string("e\u{301}"), .data([0, 255]), .date(-1.5), .objectId(ObjectId(high: 1, low: 2)),
            .uuid(.init(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            .decimal128(Decimal128(high: 1, low: 2)), .link(ObjectAddress("Pet", .null)),
            .link(ObjectAddress("Pet", .string("k"))), .life(Life(.sample(1), .embedded)),
            .life(Life(.sample(2), .list)), .life(Life(.sample(3), .dictionary)),
        ]
        let change = Change.sample(operations: values.map { person.put($0) })

        let written = try SignedBatch(ChangeBatch(file: 1, changes: [change]), after: newChain, signing: signing)

        #expect(try SignedBatch(bytes: written.bytes).batch.changes == [change])
    }

    @Test("the chain over a batch is the one that it says, and another one where a change is left out")
    func chain() throws {
        let changes = [Change.sample(number: 1), .sample(number: 2, milliseconds: 1001)]
        let batch = try SignedBatch(ChangeBatch(file: 1, changes: changes), after: newChain, signing: signing)
        let shorter = try SignedBatch(ChangeBatch(file: 1, changes: [changes[0]]), after: newChain, signing: signing)

        #expect(newChain.appending(batch).head == batch.chain)
        #expect(newChain.appending(shorter).head != batch.chain)
    }

    @Test("a batch of bodies that were kept is the one of their changes, and the bodies are read out of it again")
    func bodies() throws {
        let changes = [Change.sample(number: 4), .sample(number: 5, milliseconds: 1001)]
        let batch = ChangeBatch(file: 9, changes: changes)

        let written = try SignedBatch(
            file: 9,
            first: 4,
            bodies: changes.map(\.body),
            after: newChain,
            signing: signing
        )

        #expect(written == (try SignedBatch(batch, after: newChain, signing: signing)))
        #expect(try SignedBatch(bytes: written.bytes).bodies.map(Array.init) == changes.map(\.body))
    }

    @Test("more changes than a batch may have are neither written nor read")
    func tooMany() {
        let count = ChangeLimits.batchChanges + 1
        let error = ChangeModelError.tooMany(count: count, limit: ChangeLimits.batchChanges)

        #expect(throws: error) {
            try SignedBatch(
                file: 1,
                first: 1,
                bodies: Array(repeating: [], count: count),
                after: newChain,
                signing: signing
            )
        }
        #expect(throws: error) {
            try SignedBatch(
                bytes: Array("DAYCHNG1".utf8) + [1, 1, 0x91, 0x4E] + [UInt8](repeating: 0, count: count + 96)
            )
        }
    }

    @Test("an update of an integer takes less than sixty bytes in a batch, its names included")
    func size() throws {
        let key = ObjectAddress("Person", .objectId(ObjectId(high: 1, low: 2)))
        let changes = (1...1000)
            .map { number in
                Change.sample(number: number, milliseconds: Int64(number), operations: [key.set("age", .int(7))])
            }

        let batch = try SignedBatch(ChangeBatch(file: 1, changes: changes), after: newChain, signing: signing)

        #expect(batch.bytes.count / 1000 <= 57)
    }

    @Test("changes whose numbers do not follow one another are not written")
    func gap() {
        let batch = ChangeBatch(file: 1, changes: [.sample(number: 1), .sample(number: 3, milliseconds: 1001)])

        #expect(throws: ChangeModelError.self) { try SignedBatch(batch, after: newChain, signing: signing) }
    }

    @Test("a signature of another length is not written")
    func signature() {
        let batch = ChangeBatch(file: 1, changes: [.sample()])

        #expect(throws: ChangeModelError.self) { try SignedBatch(batch, after: newChain, signing: { _ in [1] }) }
    }

    @Test("several changes of more than a mebibyte are too large, one alone is not")
    func large() throws {
        let large = Change.sample(
            operations: [person.set("data", .data([UInt8](repeating: 1, count: ChangeLimits.batchBytes)))]
        )
        let two = ChangeBatch(file: 1, changes: [large, .sample(number: 2, milliseconds: 1001)])

        let one = try SignedBatch(ChangeBatch(file: 1, changes: [large]), after: newChain, signing: signing)

        #expect(try SignedBatch(bytes: one.bytes) == one)
        #expect(throws: ChangeModelError.self) { try SignedBatch(two, after: newChain, signing: signing) }
    }
}

extension OfflineWork {
    /// The changes of each file in each round.
    fileprivate var changes: [[Change]] {
        rounds.flatMap { commits in
            Dictionary(grouping: commits, by: \.file).values
                .map { commits in
                    commits.enumerated()
                        .map { index, commit in
                            Change(number: index + 1, base: index, clock: commit.clock, operations: commit.operations)
                        }
                }
        }
    }
}
