import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Testing

@Suite("Bytes that are no changes")
struct ChangeFuzzTests {
    @Test("a batch that is cut at any byte is an error of this module")
    func cut() throws {
        let bytes = try sampleBatch(seed: 1)

        for count in bytes.indices {
            #expect(throws: ChangeModelError.self) { try SignedBatch(bytes: Array(bytes.prefix(count))) }
        }
    }

    @Test("a batch with bytes that were changed, left out or doubled is an error, or another batch that is read again")
    func mutatedBatches() throws {
        var random = SeededGenerator(seed: 5)
        let samples = try (1...20).map { try sampleBatch(seed: $0) }
        var read = 0
        for _ in 0..<RandomRuns.mutants {
            let bytes = mutated(samples[random.below(samples.count)], &random)
            guard let batch = try parsed({ () throws(ChangeModelError) in try SignedBatch(bytes: bytes).batch }) else {
                continue
            }
            read += 1
            let written = try SignedBatch(batch, after: newChain, signing: signing)
            #expect(try SignedBatch(bytes: written.bytes).batch == batch)
        }
        // Values, keys and the signature may be anything; so some are read.
        #expect(read > 0)
        #expect(read < RandomRuns.mutants)
    }

    @Test("an entry with bytes that were changed, left out or doubled is an error, or another entry that is read again")
    func mutatedEntries() throws {
        var random = SeededGenerator(seed: 6)
        let samples = try (1...20).map { try sampleEntry(seed: $0) }
        var read = 0
        for _ in 0..<RandomRuns.mutants {
            let bytes = mutated(samples[random.below(samples.count)], &random)
            guard let entry = try parsed({ () throws(ChangeModelError) in try Entry(bytes: bytes) }) else { continue }
            read += 1
            #expect(try Entry(bytes: entry.encoded) == entry)
        }
        #expect(read > 0)
        #expect(read < RandomRuns.mutants)
    }

    @Test(
        "a count that the bytes cannot hold is an error before memory is taken",
        arguments: [[0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]]
            as [[UInt8]]
    )
    func counts(count: [UInt8]) {
        #expect(
            throws: ChangeModelError.malformed(offset: 10 + count.count, reason: "There are fewer bytes than things.")
        ) {
            try SignedBatch(bytes: Array("DAYCHNG1".utf8) + [1, 1] + count + [UInt8](repeating: 0, count: 96))
        }
    }

    @Test("a number that is longer than it must be is an error, so that a batch has one form")
    func longNumber() {
        #expect(throws: ChangeModelError.malformed(offset: 10, reason: "A number is longer than it must be.")) {
            try SignedBatch(bytes: Array("DAYCHNG1".utf8) + [0x81, 0x00, 1, 0] + [UInt8](repeating: 0, count: 96))
        }
    }

    @Test("the sentence of an error names where and what, and is what an app shows")
    func words() {
        let error: any Error = ChangeModelError.tooLarge(bytes: 2000, limit: 1024)

        #expect("\(error)" == "Something of 2000 bytes is larger than its limit of 1024.")
        #expect(
            ChangeModelError.malformed(offset: 3, reason: "A text is not UTF-8.").errorDescription
                == "These bytes are wrong at 3. A text is not UTF-8."
        )
    }

    private func sampleBatch(seed: UInt64) throws -> [UInt8] {
        let operations = OfflineWork(seed: seed).rounds.joined().flatMap(\.operations)
        let changes = operations.enumerated()
            .map { index, operation in
                Change.sample(
                    number: index + 1,
                    base: index,
                    milliseconds: Int64(1000 + index),
                    isAtomic: index.isMultiple(of: 3),
                    operations: [operation]
                )
            }
        return try SignedBatch(ChangeBatch(file: 7, changes: changes), after: newChain, signing: signing).bytes
    }

    private func sampleEntry(seed: UInt64) throws -> [UInt8] {
        let operations = OfflineWork(seed: seed).rounds.joined().flatMap(\.operations)
        return Entry(
            number: 1000,
            change: ChangeReference(file: 2, number: 3),
            user: 4,
            clock: HybridClock(milliseconds: 5),
            received: .sample,
            results: operations.map { _ in .refused(.field(rule: 300)) } + [.asSent, .superseded],
            literals: operations,
            corrections: operations.reversed(),
            digest: .sample
        )
        .encoded
    }

    /// Changes up to four places: a bit, a byte, a stretch that is left out or doubled.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<1 + random.below(4) where !bytes.isEmpty {
            let index = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[index] ^= 1 << UInt8(random.below(8))
            case 1: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case 2: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random.below(8)))
            default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 1 + random.below(8))], at: index)
            }
        }
        return bytes
    }

    /// What is read; nil where it is the module's error, which the type of the throw promises.
    private func parsed<Value>(_ read: () throws(ChangeModelError) -> Value) throws -> Value? {
        do {
            return try read()
        } catch {
            #expect(!error.description.isEmpty)
            return nil
        }
    }
}
