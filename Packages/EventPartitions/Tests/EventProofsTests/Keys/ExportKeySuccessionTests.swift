import EventModel
import EventProofs
import Testing

@Suite("A key of exports among the keys of a server")
struct ExportKeySuccessionTests {
    /// The keys of a server that are the same in every run.
    private struct Keys {
        let receipts, log, trail, exports: EdwardsNoteSigner

        init(_ seed: UInt8) throws {
            func signer(_ number: UInt8) throws -> EdwardsNoteSigner {
                try EdwardsNoteSigner(
                    name: KeySuccession.signerName,
                    algorithm: .ed25519,
                    rawRepresentation: [UInt8](repeating: seed, count: 31) + [number]
                )
            }
            (receipts, log, trail, exports) = (try signer(0), try signer(1), try signer(2), try signer(3))
        }

        func keys(exports other: [UInt8]?) throws -> ServerKeys {
            try ServerKeys(
                receipts: receipts.verifierKey.publicKey,
                log: log.verifierKey.publicKey,
                trail: trail.verifierKey.publicKey,
                exports: other
            )
        }

        /// With the key of exports, as servers of now have one.
        var new: ServerKeys { get throws { try keys(exports: exports.verifierKey.publicKey) } }
        /// Without, as those before had none.
        var old: ServerKeys { get throws { try keys(exports: nil) } }
    }

    private let all: [Keys]

    init() throws { all = try (0..<6).map { try Keys($0) } }

    private func succession(_ from: ServerKeys, _ to: ServerKeys, _ signers: (Int, Int)) throws -> KeySuccession {
        try KeySuccession(
            from: from,
            to: to,
            at: EventInstant(microseconds: 1_700_000_000_000_000),
            signedBy: [all[signers.0].receipts, all[signers.1].receipts]
        )
    }

    @Test(
        "a statement names it in the second version, and one without it is of the first, with the same bytes as before"
    )
    func versions() throws {
        let new = try succession(all[1].new, all[2].new, (1, 2))
        let lines = new.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "daybook key succession v2")
        let digits = [all[2].receipts, all[2].log, all[2].trail, all[2].exports]
            .map { Hexadecimal.text($0.verifierKey.publicKey) }
        #expect(lines[2] == "to \(digits.joined(separator: " "))")
        let again = try KeySuccession(Array(new.text.utf8))
        #expect(again == new)
        #expect(again.predecessor == (try all[1].new))
        #expect(again.successor == (try all[2].new))

        let old = try succession(all[1].old, all[2].old, (1, 2))
        #expect(old.text.hasPrefix("daybook key succession v1\n"))
        #expect(try KeySuccession(Array(old.text.utf8)).successor == (try all[2].old))
        #expect(old.text.utf8.count == new.text.utf8.count - 2 * 65)
    }

    @Test("no byte of a statement of the second version can be changed, and none left out")
    func everyByte() throws {
        let bytes = try succession(all[1].new, all[2].new, (1, 2)).note.bytes
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: ProofError.self, "byte \(place)") { try KeySuccession(changed) }
            var cut = bytes
            cut.remove(at: place)
            #expect((try? KeySuccession(cut)) == nil, "without byte \(place)")
        }
    }

    @Test("who signs a statement that names keys in one line alone, or others than its version has, is not believed")
    func otherLines() throws {
        let (from, to) = (try all[1].new, try all[2].new)
        func line(_ keys: ServerKeys, _ count: Int) -> String {
            [keys.receipts, keys.log, keys.trail, keys.exports ?? []].prefix(count).map { Hexadecimal.text($0) }
                .joined(separator: " ")
        }
        for (version, first, second) in [(1, 3, 4), (1, 4, 3), (1, 4, 4), (2, 3, 3), (2, 3, 4), (2, 4, 3), (3, 4, 4)] {
            let text = """
                daybook key succession v\(version)
                from \(line(from, first))
                to \(line(to, second))
                at 2023-11-14T22:13:20.000000Z

                """
            let note = try SignedNote(text: ExactText(text), signedBy: [all[1].receipts, all[2].receipts])
            #expect(throws: ProofError.self, "\(version) \(first) \(second)") { try KeySuccession(note.bytes) }
        }
        let mixed = [(try all[1].old, to), (from, try all[2].old)]
        for (from, to) in mixed {
            #expect(throws: ProofError.self) { try succession(from, to, (1, 2)) }
        }
    }

    @Test("a key of exports that stays, or is another key of the server's, is refused")
    func sameKey() throws {
        let kept = try all[2].keys(exports: all[1].exports.verifierKey.publicKey)
        #expect(throws: ProofError.self) { try succession(all[1].new, kept, (1, 2)) }
        for other in [all[2].receipts, all[2].log, all[2].trail] {
            #expect(throws: ProofError.self) { try all[2].keys(exports: other.verifierKey.publicKey) }
        }
    }

    @Test("a server of before names one with its next statement, and from then on the same one without a gap")
    func history() throws {
        let first = try succession(all[1].old, all[2].old, (1, 2))
        let second = try succession(all[2].new, all[3].new, (2, 3))
        let third = try succession(all[3].new, all[4].new, (3, 4))
        let history = try KeyHistory([first, second, third])
        #expect(history.present == (try all[4].new))
        #expect(try KeyHistory(texts: history.texts) == history)

        // Left out again, exchanged, and one that was followed and comes back.
        let left = try succession(all[3].old, all[4].old, (3, 4))
        let exchanged = try succession(all[3].keys(exports: all[5].exports.verifierKey.publicKey), all[4].new, (3, 4))
        let back = try succession(
            all[3].new,
            all[4].keys(exports: all[2].exports.verifierKey.publicKey),
            (3, 4)
        )
        for lie in [left, exchanged, back] {
            #expect(throws: ProofError.self) { try KeyHistory([first, second, lie]) }
        }
    }

    @Test("no key of a server comes back as a key of the same kind or another one")
    func comesBack() throws {
        let first = try succession(all[1].new, all[2].new, (1, 2))
        let second = try succession(all[2].new, all[3].new, (2, 3))
        for stolen in [all[1].receipts, all[1].log, all[1].trail, all[1].exports] {
            let successor = try all[4].keys(exports: stolen.verifierKey.publicKey)
            let lie = try succession(all[3].new, successor, (3, 4))
            #expect(throws: ProofError.self) { try KeyHistory([first, second, lie]) }
        }
    }
}
