import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Entries as bytes")
struct EntryFormatTests {
    @Test("the bytes of an entry are these")
    func golden() {
        let entry = Entry(
            number: 300,
            change: ChangeReference(file: 2, number: 5),
            user: 3,
            clock: HybridClock(bits: 0x1_0002),
            received: EventInstant(microseconds: 258),
            results: [.asSent, .superseded, .refused(.noWrite(rule: 9))],
            literals: [person.delete()],
            corrections: [],
            digest: .sample
        )

        let expected: [[UInt8]] = [
            [0xAC, 0x02, 2, 5, 3, 2, 0, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0],
            [1, 6], Array("Person".utf8), [3, 0, 1, 2, 3, 9],
            [1, 2, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0, count: 32),
        ]
        #expect(entry.encoded == expected.flatMap(\.self))
    }

    @Test("the entries of random work are read again")
    func roundTrip() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
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
                    let entry = try #require(
                        try state.accept(change, of: commit.file, user: 1, received: .sample, digest: .sample)
                    )

                    #expect(try Entry(bytes: entry.encoded) == entry)
                }
            }
        }
    }

    @Test(
        "every reason is read again with its rule",
        arguments: [
            .deleted, .missing, .noWrite(rule: 0), .noWrite(rule: .max), .field(rule: 7), .outsidePartition, .schema,
            .tooLarge, .atomic, .outsideView,
        ] as [OperationRefusal]
    )
    func reasons(reason: OperationRefusal) {
        #expect(OperationRefusal(code: reason.code, rule: reason.rule) == reason)
    }

    @Test("a reason without a rule has none, and no reason has the number 0 or 10")
    func noReason() {
        #expect(OperationRefusal(code: 1, rule: 1) == nil)
        #expect(OperationRefusal(code: 0, rule: 0) == nil)
        #expect(OperationRefusal(code: 10, rule: 0) == nil)
    }
}
