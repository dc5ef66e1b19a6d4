import EventModel
import EventModelTesting
import Testing

@Suite("A stretch that arrives in pieces")
struct StretchReaderTests {
    /// What came of a body.
    private struct Read: Equatable {
        var events = EncodedEvents()
        var head: StretchReader.Head?
    }

    /// Reads a body in pieces that end at some places.
    private static func read(_ bytes: [UInt8], cutAt places: [Int] = []) throws -> Read {
        var reader = StretchReader()
        var read = Read()
        var start = 0
        for end in places + [bytes.count] {
            try Array(bytes[start..<end])
                .withUnsafeBytes { piece in
                    try reader.read(piece) { read.events.append(encoded: $0) }
                }
            start = end
        }
        read.head = try reader.finish()
        return read
    }

    private static func body(sealed: Bool) throws -> (stretch: PartitionStretch, bytes: [UInt8]) {
        let stretch = try PartitionStretchWireTests.sample(sealed: sealed)
        return (stretch, try stretch.wireBytes())
    }

    @Test("a body that is cut anywhere, or into single bytes, gives the same", arguments: [false, true])
    func cuts(sealed: Bool) throws {
        let (stretch, bytes) = try Self.body(sealed: sealed)
        let whole = try Self.read(bytes)
        #expect(whole.events == stretch.events)
        #expect(whole.head?.seal == stretch.seal)

        for place in 0...bytes.count { #expect(try Self.read(bytes, cutAt: [place]) == whole) }
        #expect(try Self.read(bytes, cutAt: Array(1..<bytes.count)) == whole)
        #expect(try Self.read(bytes, cutAt: [5, 5, 5, 90]) == whole, "an empty piece changes nothing")
    }

    @Test("large and small events come whole through pieces of random sizes", arguments: 0..<20 as Range<UInt64>)
    func randomPieces(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var events = EncodedEvents()
        for _ in 0..<generator.below(40) {
            let size = generator.once(in: 5) ? generator.below(100_000) : generator.below(300)
            events.append(encoded: (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        }
        let sample = try PartitionStretchWireTests.sample(sealed: false)
        let stretch = PartitionStretch(
            partition: sample.partition,
            firstSequence: 1,
            events: events,
            root: sample.root
        )
        let bytes = try stretch.wireBytes()
        let places = (0..<generator.below(50)).map { _ in generator.below(bytes.count + 1) }.sorted()

        #expect(try Self.read(bytes, cutAt: places).events == events, "seed \(seed)")
    }

    @Test("an event is handed on with the piece that ends it, and not before")
    func prompt() throws {
        let (stretch, bytes) = try Self.body(sealed: false)
        let last = bytes.count - (stretch.events.range(1).count)
        var reader = StretchReader()
        var count = 0

        try Array(bytes[..<last]).withUnsafeBytes { try reader.read($0) { _ in count += 1 } }
        #expect(count == 1)
        #expect(reader.head?.eventCount == 2)
        #expect(throws: EventModelError.self) { try reader.finish() }
        try Array(bytes[last...]).withUnsafeBytes { try reader.read($0) { _ in count += 1 } }
        #expect(count == 2)
    }

    @Test("bytes behind the last event are refused, in the same piece or in one of their own")
    func leftOver() throws {
        let (_, bytes) = try Self.body(sealed: true)

        for places in [[], [bytes.count]] {
            #expect(throws: EventModelError.malformedEvent(offset: bytes.count, reason: "1 bytes are left over")) {
                try Self.read(bytes + [0], cutAt: places)
            }
        }
    }

    @Test("a long seal is refused when it is announced, before it arrives")
    func longSeal() throws {
        let (_, bytes) = try Self.body(sealed: false)
        let sample = try PartitionStretchWireTests.sample(sealed: false)
        let head = 4 + 1 + sample.partition.value.utf8.count + 8 + 32
        let announced = Array(bytes[..<head]) + [0x81, 0x80, 0x04]

        #expect(throws: EventModelError.longSeal(byteCount: 65_537)) { try Self.read(announced + [0x7B]) }
    }

    @Test("a partition's name that nobody may have is refused when it is announced, and is not repeated")
    func longName() throws {
        let error = try #require(throws: EventModelError.self) {
            try Self.read(Array("DBS1".utf8) + [0x9A, 0x01, 0x61])
        }

        #expect(error == .malformedEvent(offset: 6, reason: "the partition's name has more than 153 bytes"))
    }

    @Test("a length that no memory has is refused, and a great one is waited for without allocating it")
    func lengths() throws {
        let (_, bytes) = try Self.body(sealed: false)
        let head = Array(bytes[..<(bytes.count - 2)])
        let sample = try PartitionStretchWireTests.sample(sealed: false)
        let place = 4 + 1 + sample.partition.value.utf8.count + 8 + 32 + 1 + 1
        let endless = Array(head[..<place]) + Array(repeating: 0xFF, count: 9) + [0x01]
        let great = Array(head[..<place]) + [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]

        #expect(throws: EventModelError.self) { try Self.read(endless) }
        let error = try #require(throws: EventModelError.self) { try Self.read(great) }
        #expect(error == .malformedEvent(offset: great.count, reason: "the body ends before it is whole"))
    }
}
