import EventModel
import EventModelTesting
import EventProofs
import Testing

@Suite("Notes that were tampered with")
struct NoteMutationTests {
    @Test("no signed checkpoint verifies after any change of any of its bytes")
    func everyByte() throws {
        let sample = try NoteSample()
        let policy = try sample.policy(quorum: 2)
        let bytes = try sample.signed(by: 0..<2).note.bytes
        _ = try policy.verify(SignedCheckpoint(bytes))
        for place in bytes.indices {
            for change in [UInt8(1), 2, 4, 8, 16, 32, 64, 128] {
                var changed = bytes
                changed[place] ^= change
                #expect(throws: ProofError.self, "bit \(change) of byte \(place)") {
                    try policy.verify(SignedCheckpoint(changed))
                }
            }
        }
        for place in bytes.indices {
            var (shorter, longer) = (bytes, bytes)
            shorter.remove(at: place)
            longer.insert(bytes[place], at: place)
            #expect(throws: ProofError.self, "without byte \(place)") { try policy.verify(SignedCheckpoint(shorter)) }
            #expect(throws: ProofError.self, "with byte \(place) twice") { try policy.verify(SignedCheckpoint(longer)) }
        }
    }

    @Test("nothing traps, whatever is read: noise, and notes with noise in them")
    func noise() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let sample = try NoteSample()
        let policy = try sample.policy(quorum: 2)
        let note = try sample.signed(by: 0..<2)
        let request = try WitnessRequest(oldSize: 7, proof: [MerkleHash.empty], signed: note)
        let originals = [note.note.bytes, request.bytes, Array(sample.log.verifierKey.description.utf8)]
        var believed = 0
        for _ in 0..<2_000 {
            var bytes = originals[Int(random.next() % 3)]
            for _ in 0...(random.next() % 4) where !bytes.isEmpty {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 40)))
                case 2: bytes.insert(contentsOf: Array("\n\n— 0".utf8), at: place)
                default: bytes = (0..<(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                }
            }
            if (try? policy.verify(SignedCheckpoint(bytes))) != nil, bytes != originals[0] { believed += 1 }
            _ = try? WitnessRequest(bytes)
            _ = try? WitnessAnswer(parsing: bytes)
            _ = try? LogProof(bytes)
            _ = try? LogProof(Array("c2sp.org/tlog-proof@v1\nindex 7\n\n".utf8) + bytes)
            _ = try? NoteVerifierKey(parsing: String(decoding: bytes, as: UTF8.self))
            _ = try? Checkpoint(parsing: ExactText(String(decoding: bytes, as: UTF8.self)))
            _ = try? NoteSignature(parsing: String(decoding: bytes, as: UTF8.self))
            _ = Tile(path: String(decoding: bytes, as: UTF8.self))
            _ = try? EntryBundle.entries(of: bytes, in: .entries(index: 0, width: 5))
        }
        #expect(believed == 0, "seed \(seed)")
    }
}
