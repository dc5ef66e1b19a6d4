import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Evidence of entries")
struct SyncEvidenceTests {
    private static let entry = Entry(
        number: 300,
        change: ChangeReference(file: 2, number: 5),
        user: 3,
        clock: HybridClock(bits: 1),
        received: EventInstant(microseconds: 258),
        results: [.asSent, .refused(.noWrite(rule: 300))],
        literals: [],
        corrections: [],
        digest: .sample
    )

    private func leaf(_ entry: Entry, realm: ExactText = "app/x", user: ExactText = "u", token: ExactText = "t")
        -> Digest
    {
        SyncLeaf(entry, realm: realm, user: user, token: token, hash: Digest.mixing).hash(Digest.mixing)
    }

    @Test("the bytes of a leaf are these")
    func golden() {
        let leaf = SyncLeaf(Self.entry, realm: "app/x", user: "u", token: "to", hash: Digest.mixing)

        let expected: [[UInt8]] = [
            [0], Array("DAYSYNC1".utf8), [5, 0, 0, 0], Array("app/x".utf8),
            [0x2C, 1, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0], Array("u".utf8), [2, 0, 0, 0], Array("to".utf8), [2, 1, 0, 0, 0, 0, 0, 0],
            [UInt8](repeating: 0, count: 32), Digest.mixing([2, 0, 2, 3, 0xAC, 0x02]).bytes,
        ]
        #expect(leaf.bytes == expected.flatMap(\.self))
        #expect(leaf.hash(Digest.mixing) == Digest.mixing(leaf.bytes))
    }

    @Test("another result, user, token or realm is another leaf")
    func bound() {
        let other = Entry(
            number: 300,
            change: Self.entry.change,
            user: 3,
            clock: Self.entry.clock,
            received: Self.entry.received,
            results: [.asSent, .asSent],
            literals: [],
            corrections: [],
            digest: .sample
        )

        let leaves = [
            leaf(Self.entry), leaf(other), leaf(Self.entry, realm: "app/y"), leaf(Self.entry, user: "v"),
            leaf(Self.entry, token: "s"), leaf(Self.entry, user: "ut", token: ""),
        ]
        #expect(Set(leaves).count == leaves.count)
    }

    @Test("the signed bytes of a head are these, and are read again")
    func head() throws {
        let head = SyncHead(realm: "app/x", history: .sample(7), number: 300, root: .sample)

        let expected: [[UInt8]] = [
            Array("DAYHEAD1".utf8), [5, 0, 0, 0], Array("app/x".utf8), [UInt8](repeating: 7, count: 16),
            [0x2C, 1, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0, count: 32),
        ]
        #expect(head.signedBytes == expected.flatMap(\.self))
        #expect(try SyncHead(signedBytes: head.signedBytes) == head)
    }

    @Test("a head that is cut at any byte, or goes on, is an error")
    func cut() {
        let bytes = SyncHead(realm: "app/x", history: .sample(7), number: 300, root: .sample).signedBytes

        for count in bytes.indices {
            #expect(throws: ChangeModelError.self) { try SyncHead(signedBytes: Array(bytes.prefix(count))) }
        }
        #expect(throws: ChangeModelError.self) { try SyncHead(signedBytes: bytes + [0]) }
    }
}
