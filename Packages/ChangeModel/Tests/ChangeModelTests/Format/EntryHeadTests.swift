import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("The head of an entry")
struct EntryHeadTests {
    private static func entry(_ number: Int, file: UInt32, change: Int, user: UInt32) -> Entry {
        Entry(
            number: number,
            change: ChangeReference(file: file, number: change),
            user: user,
            clock: HybridClock(milliseconds: 1_700_000_000_000),
            received: EventInstant(microseconds: .max),
            results: [.asSent],
            literals: [ObjectAddress.sample().create(["name": "Ada"])],
            corrections: [],
            digest: .sample
        )
    }

    @Test(
        "it says what the entry says, read from the beginning alone",
        arguments: [entry(1, file: 1, change: 1, user: 1), entry(.max, file: .max, change: .max, user: .max)]
    )
    func beginning(entry: Entry) throws {
        let head = try EntryHead(of: Array(entry.encoded.prefix(EntryHead.longestBytes)))

        #expect(head.number == entry.number)
        #expect(head.change == entry.change)
        #expect(head.user == entry.user)
        #expect(head.clock == entry.clock)
        #expect(head.received == entry.received)
    }

    @Test("bytes that end in it are the beginning of no entry")
    func cut() {
        let bytes = Self.entry(.max, file: .max, change: .max, user: .max).encoded

        for count in 0..<44 {
            #expect(throws: ChangeModelError.self) { try EntryHead(of: Array(bytes.prefix(count))) }
        }
    }
}
