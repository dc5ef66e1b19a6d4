import EventModel
import EventProofs
import Foundation
import Testing

@Suite("Keys of a server that follow each other")
struct KeySuccessionTests {
    @Test("a statement is a signed note of these lines, and is read again")
    func bytes() throws {
        let succession = try SampleKeys.succession(1, 2)

        let lines = succession.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 8)
        #expect(lines[0] == "daybook key succession v1")
        #expect(lines[1].hasPrefix("from \(Hexadecimal.text(try SampleKeys(1).keys.receipts)) "))
        #expect(lines[2] == "to \(try SampleKeys(2).texts.joined(separator: " "))")
        #expect(lines[3] == "at 2023-11-14T22:13:22.000000Z")
        #expect(lines[5].hasPrefix("— daybook/receipts "))
        let again = try KeySuccession(Array(succession.text.utf8))
        #expect(again == succession)
        #expect(again.predecessor == (try SampleKeys(1).keys))
        #expect(again.successor == (try SampleKeys(2).keys))
    }

    @Test("no byte of a statement can be changed, and none left out")
    func everyByte() throws {
        let bytes = try SampleKeys.succession(1, 2).note.bytes
        let whole = try KeySuccession(bytes)
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                #expect(throws: ProofError.self, "byte \(place), bit \(bit)") { try KeySuccession(changed) }
            }
            var cut = bytes
            cut.remove(at: place)
            #expect((try? KeySuccession(cut)) == nil, "without byte \(place)")
            #expect(throws: ProofError.self, "cut at \(place)") { try KeySuccession(Array(bytes[..<place])) }
        }
        #expect(throws: ProofError.self) { try KeySuccession(bytes + [10]) }
        #expect(whole.note.bytes == bytes)
    }

    @Test(
        "who has the old key alone, or the new one, makes no statement",
        arguments: [[1, 1], [2, 2], [2], [1], [3, 2], [1, 3]]
    )
    func oneSigner(_ signers: [UInt8]) throws {
        let (one, two) = (try SampleKeys(1), try SampleKeys(2))
        let made = Result {
            try KeySuccession(
                from: one.keys,
                to: two.keys,
                at: SampleKeys.time(2),
                signedBy: signers.map { try SampleKeys($0).signer }
            )
        }
        #expect(throws: ProofError.self) { try made.get() }
    }

    @Test("a third signature is none of it")
    func thirdSignature() throws {
        let note = try SampleKeys.succession(1, 2).note
        let third = try SignedNote(text: note.text, signedBy: [SampleKeys(3).signer])
        let more = try note.adding(third.signatures)
        #expect(throws: ProofError.self) { try KeySuccession(more.bytes) }
    }

    @Test("a key that stays what it was is refused: what was stolen once is not to be believed again")
    func sameKey() throws {
        let (one, two) = (try SampleKeys(1), try SampleKeys(2))
        let mixed = try ServerKeys(receipts: two.keys.receipts, log: one.keys.log, trail: two.keys.trail)
        #expect(throws: ProofError.self) {
            try KeySuccession(from: one.keys, to: mixed, at: SampleKeys.time(2), signedBy: [one.signer, two.signer])
        }
        #expect(throws: ProofError.self) {
            try ServerKeys(receipts: one.keys.log, log: one.keys.log, trail: one.keys.trail)
        }
        #expect(throws: ProofError.self) { try ServerKeys(receipts: [1], log: one.keys.log, trail: one.keys.trail) }
    }

    @Test("statements that follow each other lead from any key of theirs to the present one")
    func history() throws {
        let history = try KeyHistory([SampleKeys.succession(1, 2), SampleKeys.succession(2, 3)])
        let keys = try (1...3).map { try SampleKeys($0).keys }

        #expect(history.present == keys[2])
        #expect(history.former == Array(keys[..<2]))
        #expect(history.successions(behind: keys[0].receipts).map(\.successor) == Array(keys[1...]))
        #expect(history.successions(behind: keys[1].receipts).map(\.successor) == [keys[2]])
        #expect(history.successions(behind: keys[2].receipts).isEmpty)
        #expect(history.successions(behind: try SampleKeys(4).keys.receipts).isEmpty)
        #expect(history.former(before: keys[2].receipts) == Array(keys[..<2]))
        #expect(history.former(before: keys[0].receipts).isEmpty)
        #expect(try KeyHistory(texts: history.texts) == history)
        #expect(KeyHistory().present == nil)
    }

    @Test("statements with a gap, in another order, with one twice, or that lead back are refused")
    func brokenHistory() throws {
        let broken: [[(UInt8, UInt8)]] = [
            [(1, 2), (3, 4)], [(2, 3), (1, 2)], [(1, 2), (1, 2)], [(1, 2), (1, 3)], [(1, 2), (2, 1)],
            [(1, 2), (2, 3), (3, 1)],
        ]
        for pairs in broken {
            let successions = try pairs.enumerated().map { try SampleKeys.succession($1.0, $1.1, at: UInt8($0)) }
            #expect(throws: ProofError.self, "\(pairs)") { try KeyHistory(successions) }
        }
        let back = try [SampleKeys.succession(1, 2, at: 9), SampleKeys.succession(2, 3, at: 8)]
        #expect(throws: ProofError.self) { try KeyHistory(back) }
        let many = try (1...65).map { try SampleKeys.succession($0, $0 + 1) }
        #expect(throws: ProofError.self) { try KeyHistory(many) }
        #expect(throws: ProofError.self) { try KeyHistory(texts: many.map(\.text)) }
        #expect(try KeyHistory(Array(many.dropLast())).former.count == 64)
    }
}

/// Keys of a server that are the same in every run.
private struct SampleKeys {
    let keys: ServerKeys
    let signer: EdwardsNoteSigner

    init(_ seed: UInt8) throws {
        let signers = try (0..<3)
            .map {
                try EdwardsNoteSigner(
                    name: KeySuccession.signerName,
                    algorithm: .ed25519,
                    rawRepresentation: [UInt8](repeating: seed, count: 31) + [$0]
                )
            }
        signer = signers[0]
        let halves = signers.map(\.verifierKey.publicKey)
        keys = try ServerKeys(receipts: halves[0], log: halves[1], trail: halves[2])
    }

    var texts: [String] { [keys.receipts, keys.log, keys.trail].map { Hexadecimal.text($0) } }

    static func time(_ second: UInt8) -> EventInstant {
        EventInstant(microseconds: 1_700_000_000_000_000 + Int64(second) * 1_000_000)
    }

    static func succession(_ old: UInt8, _ new: UInt8, at second: UInt8? = nil) throws -> KeySuccession {
        let (old, new, time) = (try SampleKeys(old), try SampleKeys(new), time(second ?? new))
        return try KeySuccession(from: old.keys, to: new.keys, at: time, signedBy: [old.signer, new.signer])
    }
}
