import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Testing

@Suite("Messages of the protocol as bytes")
struct SyncMessageTests {
    private static let binding = FileBinding(history: .sample(7), file: 300, salt: [9, 8])
    private static let hash = Digest([UInt8](repeating: 0xAA, count: 32))
    private static let requests: [BindRequest] = {
        guard let hash else { return [] }
        let key = [UInt8](repeating: 0xBB, count: 32)
        return [
            BindRequest(schemaHash: hash, deviceKey: key),
            BindRequest(
                binding: binding,
                position: 5,
                acknowledged: 200,
                made: 201,
                schemaHash: hash,
                schema: [1, 2, 3],
                deviceKey: key
            ),
            BindRequest(binding: binding, made: 3, schemaHash: hash, deviceKey: [3] + key),
        ]
    }()
    private static let answers = [
        BindAnswer(binding: binding, head: 9, floor: 2, acknowledged: 4, serverMilliseconds: 1_000),
        BindAnswer(
            binding: binding,
            head: 0,
            acknowledged: 0,
            serverMilliseconds: -1,
            mayWrite: false,
            needsSchema: true
        ),
    ]
    private static let sent = [
        SendAnswer(acknowledged: 3, head: 12),
        SendAnswer(
            acknowledged: 3,
            head: 12,
            clocks: [2: HybridClock(bits: 77), 1: HybridClock(bits: 76)],
            entries: EntriesAnswer(head: 12, encoded: [[1], [], [2, 3]])
        ),
    ]
    private static let entries = [EntriesAnswer(head: 0), EntriesAnswer(head: 3, encoded: [[5, 6], [7]])]

    @Test("the bytes of a request to bind are these")
    func goldenRequest() throws {
        let request = Self.requests[1]
        let history = Self.binding.history.bytes

        #expect(
            request.encoded == Array("DAYBIND1".utf8) + [3] + history + [
                0xAC, 0x02, 2, 9, 8, 5, 0xC8, 0x01, 0xC9, 0x01,
            ]
                + [UInt8](repeating: 0xAA, count: 32) + [3, 1, 2, 3] + [UInt8](repeating: 0xBB, count: 32)
        )
    }

    @Test("the bytes of answers are these")
    func goldenAnswers() throws {
        let history = Self.binding.history.bytes

        #expect(
            Self.answers[0].encoded == Array("DAYBOUN1".utf8) + [1] + history + [0xAC, 0x02, 2, 9, 8, 9, 2, 4]
                + [0xE8, 3, 0, 0, 0, 0, 0, 0]
        )
        #expect(
            Self.sent[1].encoded == Array("DAYSENT1".utf8) + [3, 12, 2]
                + [1, 76, 0, 0, 0, 0, 0, 0, 0, 2, 77, 0, 0, 0, 0, 0, 0, 0, 1]
                + Array("DAYENTS1".utf8) + [12, 3, 1, 1, 0, 2, 2, 3]
        )
        #expect(Self.entries[1].encodedAnswer == Array("DAYENTS1".utf8) + [3, 2, 2, 5, 6, 1, 7])
    }

    @Test("a request with a key of P-256 says so in its flags, and no other bytes are one")
    func curveKey() throws {
        let request = try #require(Self.requests.last)
        let bytes = request.encoded
        let key = [UInt8](repeating: 0xBB, count: 32)

        #expect(bytes[8] == 5)
        #expect(bytes.suffix(33) == [3] + key)
        #expect(Self.requests[0].encoded[8] == 0)
        for first in [0, 1, 4, 255] as [UInt8] {
            let wrong = Array(bytes[..<(bytes.count - 33)]) + [first] + key
            #expect(throws: ChangeModelError.self) { try BindRequest(bytes: wrong) }
        }
        // The same key without the flag, and a key of Ed25519 with it, have a byte too much and one too few.
        for (flags, count) in [(1, 0), (5, 1), (8, 0), (13, 0)] as [(UInt8, Int)] {
            let wrong = Array(bytes[..<8]) + [flags] + Array(bytes[9..<(bytes.count - count)])
            #expect(throws: ChangeModelError.self) { try BindRequest(bytes: wrong) }
        }
    }

    @Test("every message is read again as it was written")
    func roundTrip() throws {
        for message in Self.requests { #expect(try BindRequest(bytes: message.encoded) == message) }
        for message in Self.answers { #expect(try BindAnswer(bytes: message.encoded) == message) }
        for message in Self.sent { #expect(try SendAnswer(bytes: message.encoded) == message) }
        for message in Self.entries { #expect(try EntriesAnswer(bytes: message.encodedAnswer) == message) }
    }

    @Test("a message that is cut at any byte, or goes on, is an error")
    func cut() {
        for bytes in Self.messages {
            for count in bytes.indices {
                let cut = Array(bytes.prefix(count))
                #expect(throws: ChangeModelError.self) { try Self.read(cut, as: bytes) }
            }
            #expect(throws: ChangeModelError.self) { try Self.read(bytes + [0], as: bytes) }
        }
    }

    @Test("a message with other bytes is an error of this module, or another message that is read again")
    func mutated() throws {
        var random = SeededGenerator(seed: 11)
        var read = 0
        for _ in 0..<RandomRuns.mutants {
            let original = Self.messages[random.below(Self.messages.count)]
            var bytes = original
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            do {
                #expect(try Self.read(bytes, as: original) == bytes)
                read += 1
            } catch is ChangeModelError {
                continue
            }
        }
        #expect(read > 0)
        #expect(read < RandomRuns.mutants)
    }

    @Test("what is larger than its limit is refused before it is read")
    func limits() {
        #expect(throws: ChangeModelError.tooLarge(bytes: 65, limit: ChangeLimits.saltBytes)) {
            try BindRequest(
                bytes: Array("DAYBIND1".utf8) + [1] + [UInt8](repeating: 0, count: 16) + [1, 65]
                    + [UInt8](repeating: 0, count: 200)
            )
        }
        #expect(throws: ChangeModelError.tooLarge(bytes: ChangeLimits.bindBytes + 1, limit: ChangeLimits.bindBytes)) {
            try BindRequest(bytes: [UInt8](repeating: 0, count: ChangeLimits.bindBytes + 1))
        }
    }

    @Test("a cursor is read again from an address", arguments: 0...20)
    func cursors(count: Int) throws {
        let cursor = SnapshotCursor(bytes: (0..<count).map { UInt8(255 - $0 * 5) })

        #expect(SnapshotCursor(text: cursor.text) == cursor)
        #expect(cursor.text.utf8.allSatisfy { !"+/=".utf8.contains($0) })
    }

    @Test("what is no cursor is none", arguments: ["a", "ab=", "a b", "é", "????"])
    func noCursors(text: String) {
        #expect(SnapshotCursor(text: text) == nil)
    }

    private static let messages =
        requests.map(\.encoded) + answers.map(\.encoded) + sent.map(\.encoded) + entries.map(\.encodedAnswer)

    /// Reads bytes as what the original is, and writes it again.
    private static func read(_ bytes: [UInt8], as original: [UInt8]) throws -> [UInt8] {
        switch original.prefix(8) {
        case Array("DAYBIND1".utf8)[...]: try BindRequest(bytes: bytes).encoded
        case Array("DAYBOUN1".utf8)[...]: try BindAnswer(bytes: bytes).encoded
        case Array("DAYSENT1".utf8)[...]: try SendAnswer(bytes: bytes).encoded
        default: try EntriesAnswer(bytes: bytes).encodedAnswer
        }
    }
}
