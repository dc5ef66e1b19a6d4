import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("Blocks of captures")
struct CaptureCodecTests {
    /// Packs captures into one block, and reads the classes that belong to it from their own blocks.
    private func pack(_ captures: [Capture], from position: Int = 0) throws -> (block: [UInt8], shapes: ShapeTable) {
        var writer = CaptureBlockWriter()
        var written = ShapeTable()
        for (index, capture) in captures.enumerated() {
            writer.append(capture, at: position + index, shapes: &written)
        }
        var read = ShapeTable()
        for number in written.unwritten {
            let (readNumber, shape) = try written.block(number)
                .withUnsafeBytes { buffer in
                    var reader = ByteReader(buffer)
                    #expect(try reader.byte() == JournalBlockKind.shape.rawValue)
                    return try ShapeTable.read(&reader)
                }
            #expect(readNumber == number)
            #expect(try #require(written[number]).isEqual(to: shape))
            read.insert(shape, number: readNumber)
        }
        return (writer.take(), read)
    }

    private func texts(_ block: [UInt8], _ shapes: ShapeTable) throws -> [String] {
        var texts: [String] = []
        try CaptureBlockReader(shapes: shapes).visit(block) { capture, _ in texts.append(capture.text) }
        return texts
    }

    @Test("random captures come back equal", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomCaptures(seed: seed)
        let captures = random.captures(60)

        let (block, shapes) = try pack(captures, from: 1000)

        #expect(try texts(block, shapes) == captures.map(\.text))
        let summary = try CaptureBlockReader(shapes: shapes).summary(block)
        #expect(summary.positions == 1000..<1060)
        #expect(summary.hasFollows == captures.contains { if case .follow = $0.content { true } else { false } })
    }

    @Test("a block that was cut anywhere gives the captures in front of the cut, and an error or nothing more")
    func truncated() throws {
        var random = RandomCaptures(seed: 7)
        let captures = random.captures(6)
        let (block, shapes) = try pack(captures)
        let expected = captures.map(\.text)

        for count in 0..<block.count {
            var seen: [String] = []
            do throws(RecordingError) {
                try CaptureBlockReader(shapes: shapes)
                    .visit(Array(block[..<count])) { capture, _ in
                        seen.append(capture.text)
                    }
            } catch {
                guard case .damagedJournal = error else { throw error }
            }
            #expect(expected.starts(with: seen))
        }
    }

    @Test("a block with a flipped bit gives captures or an error", arguments: 0..<3 as Range<UInt64>)
    func flipped(seed: UInt64) throws {
        var random = RandomCaptures(seed: seed)
        let (block, shapes) = try pack(random.captures(5))
        var errors = 0

        for index in block.indices {
            var damaged = block
            damaged[index] ^= 1 << UInt8(index % 8)
            do throws(RecordingError) {
                // Every value is looked at, so that a length that leads outside would be seen.
                try CaptureBlockReader(shapes: shapes).visit(damaged) { capture, _ in _ = capture.text }
            } catch {
                guard case .damagedJournal = error else { throw error }
                errors += 1
            }
        }

        #expect(errors > 20)
    }

    @Test("noise gives an error", arguments: 0..<50 as Range<UInt64>)
    func noise(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var random = RandomCaptures(seed: seed)
        let shapes = try pack(random.captures(10)).shapes
        let kind = JournalBlockKind.captures.rawValue
        let noise = [kind] + (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }

        #expect(throws: RecordingError.self) { try texts(noise, shapes) }
        for kind in [JournalBlockKind.start, .shape, .marks] {
            #expect(throws: RecordingError.self) {
                try noise.withUnsafeBytes { buffer in
                    var reader = ByteReader(buffer)
                    switch kind {
                    case .start: _ = try JournalStart(&reader)
                    case .shape: _ = try ShapeTable.read(&reader)
                    case .marks, .captures, .realm: _ = try ScopeMark.read(&reader)
                    }
                }
            }
        }
    }

    @Test("an array of matches that is captured again takes a few bytes")
    func sharedMatches() throws {
        let matches = SampleClass("Patient").snapshots(0..<100)
        let query = CapturedQuery(shape: matches[0].shape, version: 1, matches: matches)
        let capture = Capture(.query(query), wall: EventInstant(microseconds: 0), monotonicNanoseconds: 0)

        let once = try pack([capture]).block.count
        let often = try pack([Capture](repeating: capture, count: 100)).block.count

        #expect(often - once < 99 * 10)
    }

    @Test("marks come back equal")
    func marks() throws {
        let metadata = try EventMetadata(["user": "nurse", "ward": ""])
        let marks: [ScopeMark] = [
            .began(id: 1, activity: "open chart 🩺", metadata: metadata, start: 1 << 40),
            .began(id: 2, activity: "", metadata: .empty, start: 0),
            .committed(id: 1, end: 1 << 41, at: EventInstant(microseconds: -5)),
            .numbered(id: 1, firstEvent: ObjectId(high: 1, low: 2)),
            .stored(id: 1, count: 7),
            .ended(id: 2),
        ]

        let read = try ScopeMark.block(marks)
            .withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                #expect(try reader.byte() == JournalBlockKind.marks.rawValue)
                return try ScopeMark.read(&reader)
            }

        #expect(read == marks)
    }

    @Test("the beginning of a journal comes back equal")
    func start() throws {
        let start = JournalStart(session: ObjectId(high: 1, low: 2), part: 3, boot: Boot(high: 4, low: 5))

        let read = try start.block.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            #expect(try reader.byte() == JournalBlockKind.start.rawValue)
            return try JournalStart(&reader)
        }

        #expect(read == start)
    }
}
