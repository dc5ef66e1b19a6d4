import Deflate
import EventModel
import EventModelTesting
import Testing

@Suite("Bytes that are made fewer for the way")
struct DeflateTests {
    /// Bytes that repeat, as those of messages do.
    private static func repeating(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3 % 50) }
    }

    /// Bytes in which nothing repeats.
    private static func random(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 5)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func restored(_ packed: [UInt8], limit: Int = .max) throws -> [UInt8] {
        let inflater = try Inflater(packed, limit: limit)
        var bytes: [UInt8] = []
        while let piece = try inflater.next() {
            #expect(piece.count <= Inflater.pieceBytes)
            bytes += piece
        }
        #expect(try inflater.next() == nil)
        return bytes
    }

    @Test(
        "what was made smaller is restored",
        arguments: [
            Deflate.minimum, 1500, Inflater.pieceBytes - 1, Inflater.pieceBytes, Inflater.pieceBytes + 1, 5_000_000,
        ]
    )
    func roundTrip(count: Int) throws {
        let bytes = Self.repeating(count)
        let packed = try #require(Deflate.packed(bytes))

        #expect(packed.count < count / 2)
        #expect(try Self.restored(packed) == bytes)
    }

    @Test("few bytes, and those that do not become fewer, stay as they are")
    func unpacked() {
        #expect(Deflate.packed([]) == nil)
        #expect(Deflate.packed(Self.repeating(Deflate.minimum - 1)) == nil)
        #expect(Deflate.packed(Self.random(100_000)) == nil)
    }

    @Test("what any zlib made is restored, also nothing")
    func foreign() throws {
        // RFC 1950, 2.2: a head, one empty block, and the checksum of nothing.
        let empty: [UInt8] = [0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]
        // The same of "abc", with fixed codes.
        let abc: [UInt8] = [0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x06, 0x00, 0x02, 0x4D, 0x01, 0x27]

        #expect(try Self.restored(empty) == [])
        #expect(try Self.restored(abc) == Array("abc".utf8))
    }

    @Test("bytes that are cut, changed or longer than they say are an error, and never more than they stood for")
    func damaged() throws {
        let bytes = Self.repeating(3000)
        let packed = try #require(Deflate.packed(bytes))
        for count in packed.indices {
            #expect(throws: DeflateError.malformed) { try Self.restored(Array(packed.prefix(count))) }
        }
        #expect(throws: DeflateError.malformed) { try Self.restored(packed + [0]) }
        for place in packed.indices {
            for bit in 0..<8 {
                var other = packed
                other[place] ^= 1 << UInt8(bit)
                // A bit of the head says how fast it was made.
                do {
                    #expect(try Self.restored(other, limit: 100_000) == bytes)
                } catch {
                    #expect(error is DeflateError)
                }
            }
        }
    }

    @Test("a few bytes that stand for very many are given up at the limit")
    func bomb() throws {
        let packed = try #require(Deflate.packed([UInt8](repeating: 0, count: 50 << 20)))
        #expect(packed.count < 300_000)
        let inflater = try Inflater(packed, limit: 1 << 20)
        var count = 0
        let error = #expect(throws: DeflateError.self) {
            while let piece = try inflater.next() { count += piece.count }
        }

        #expect(error == .tooLarge(limit: 1 << 20))
        #expect(count == 1 << 20)
        #expect(try Self.restored(try #require(Deflate.packed(Self.repeating(5000))), limit: 5000).count == 5000)
    }

    @Test("errors are sentences")
    func words() {
        for error in [DeflateError.malformed, .tooLarge(limit: 7), .noMemory] {
            #expect(error.description.hasSuffix("."))
        }
    }
}
