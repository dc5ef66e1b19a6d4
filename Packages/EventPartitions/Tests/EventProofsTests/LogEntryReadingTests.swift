import EventModel
import EventModelTesting
import EventProofs
import Testing

@Suite("Reading the bytes of the log's entries")
struct LogEntryReadingTests {
    private let seed = UInt64.random(in: 0...UInt64.max)

    private func instant(_ random: inout SeededGenerator) -> EventInstant {
        EventInstant(microseconds: Int64(truncatingIfNeeded: random.next()) >> 8)
    }

    private func text(_ random: inout SeededGenerator) -> String {
        String((0..<random.below(9)).map { _ in ["a", "é", "\u{0}", "🩺", "\"", "Z"][random.below(6)] as Character })
    }

    private func loss(_ random: inout SeededGenerator) -> LossEntry {
        let reasons: [LossEntry.Reason] = [.quota, .tooLarge, .damaged, .retention, .missing, .indexLost]
        let first = random.next() >> 1
        return LossEntry(
            reason: reasons[random.below(reasons.count)],
            count: random.next(),
            noticed: instant(&random),
            first: random.below(2) == 0 ? instant(&random) : nil,
            last: random.below(2) == 0 ? instant(&random) : nil,
            partition: random.below(2) == 0 ? partition(&random) : nil,
            sequences: random.below(2) == 0 ? first...(first + UInt64(random.below(9))) : nil,
            root: random.below(2) == 0 ? MerkleHash.leaf([UInt8(random.below(256))]) : nil
        )
    }

    private func partition(_ random: inout SeededGenerator) -> PartitionID {
        PartitionID(
            prefix: "p\(random.below(99))",
            id: ObjectId(high: random.next(), low: UInt32(random.below(1 << 30)))
        )
    }

    /// An entry of any form that there is; its signature is none, which reading does not ask.
    private func entry(_ random: inout SeededGenerator) -> PartitionLogEntry {
        let owner = random.below(4) > 0 ? EventOwner(app: text(&random), user: text(&random)) : nil
        let seal = PartitionSeal(
            partition: partition(&random),
            owner: owner,
            number: owner != nil && random.below(2) == 0 ? random.next() : nil,
            count: random.next(),
            root: MerkleHash.leaf([UInt8(random.below(256))]),
            first: random.below(2) == 0 ? instant(&random) : nil,
            last: random.below(2) == 0 ? instant(&random) : nil,
            previousRoot: random.below(2) == 0 ? MerkleHash.empty : nil,
            losses: (0..<random.below(4)).map { _ in loss(&random) },
            ledgerPart: owner == nil ? 0 : UInt32(random.below(3)),
            isLedgerContinued: owner != nil && random.below(2) == 0,
            publicKey: (0..<32).map { _ in UInt8(random.below(256)) },
            signature: (0..<64).map { _ in UInt8(random.below(256)) }
        )
        return PartitionLogEntry(
            index: random.next(),
            app: text(&random),
            user: text(&random),
            received: instant(&random),
            seal: seal
        )
    }

    @Test("what was written is read, of whatever an entry has")
    func everyForm() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let entry = entry(&random)
            let read = try PartitionLogEntry(index: entry.index, canonicalBytes: entry.canonicalBytes)
            #expect(read == entry, "seed \(seed)")
        }
    }

    @Test("bytes that were cut, grown or changed are another entry or none, and never the same one")
    func altered() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let entry = entry(&random)
            let bytes = entry.canonicalBytes
            for count in bytes.indices {
                #expect(throws: ProofError.self, "seed \(seed)") {
                    try PartitionLogEntry(index: 0, canonicalBytes: Array(bytes[..<count]))
                }
            }
            #expect(throws: ProofError.self) { try PartitionLogEntry(index: 0, canonicalBytes: bytes + [0]) }
            for place in bytes.indices {
                var changed = bytes
                changed[place] ^= UInt8(1 + random.below(255))
                let read = try? PartitionLogEntry(index: entry.index, canonicalBytes: changed)
                #expect(read != entry, "seed \(seed)")
                #expect(
                    read == nil || read?.canonicalBytes == changed,
                    "there is one way to write an entry; seed \(seed)"
                )
            }
        }
    }

    @Test("noise, and a number of losses that nobody could have written, are sentences")
    func noise() {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let bytes = Array("DAYLOGE1".utf8) + (0..<random.below(200)).map { _ in UInt8(random.below(4)) }
            #expect(throws: ProofError.self, "seed \(seed)") { try PartitionLogEntry(index: 0, canonicalBytes: bytes) }
        }
    }
}
