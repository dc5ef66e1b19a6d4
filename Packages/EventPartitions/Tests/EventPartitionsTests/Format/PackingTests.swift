import EventModel
import EventModelTesting
import Testing

@testable import EventPartitions

@Suite("The contents of frames, made smaller")
struct PackingTests {
    /// A row of JSON as a query event holds it.
    private static func row(_ key: Int) -> String {
        let user = key.isMultiple(of: 3) ? "null" : "\"user-\(key)\""
        return "{\"_id\":\(key),\"employeeId\":\(1_000_000 + key),\"name\":\"Person \(key)\",\"userId\":\(user)}"
    }

    private static func rows(_ count: Int) -> [UInt8] {
        Array("[\((0..<count).map(row).joined(separator: ","))]".utf8)
    }

    private static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return (0..<count)
            .map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
    }

    private static func encoded(_ text: [UInt8], step: Int = 1 << 16) -> [UInt8] {
        var encoder = NumberEncoder()
        var position = 0
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: step)
        text.withUnsafeBytes { text in
            while position < text.count {
                let count = piece.withUnsafeMutableBytes { encoder.encode(text, from: &position, into: $0) }
                result += piece.prefix(count)
            }
        }
        return result
    }

    private static func decoded(_ bytes: [UInt8], count: Int, step: Int = 1 << 16) -> [UInt8]? {
        var decoder = NumberDecoder()
        var text = [UInt8](repeating: 0, count: count)
        let fits = text.withUnsafeMutableBytes { text in
            bytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: step)
                    .allSatisfy { start in
                        let piece = bytes[start..<min(start + step, bytes.count)]
                        return decoder.decode(UnsafeRawBufferPointer(rebasing: piece), into: text)
                    }
            }
        }
        return fits && decoder.isComplete && decoder.count == count ? text : nil
    }

    /// Texts at the edges of what a number is.
    static let texts: [[UInt8]] =
        [
            "", "1", "12", "123", "a123", "123,123,124", "0123,0124", "00", "999,1000,1001", "-5,100,-5,37",
            "123456789012345678 123456789012345679", "1234567890123456789 1234567890123456790",
            "12345678901234567890123456789012345678901234567890,123,124", "x100y,x163y,x226y,x290y,x100y",
            "2026-11-21T08:15:00.125Z 2026-11-21T08:15:00.126Z",
        ]
        .map { Array($0.utf8) }
        + [
            [0xFF], [0xFF, 0xFF, 0xFF], Array("100".utf8) + [0xFF] + Array("101".utf8), [0xFF, 0x30, 0x31, 0x32, 0xFF],
            rows(50), noise(3000), noise(400) + rows(20) + noise(400, seed: 9),
        ]

    @Test("Every text is restored byte for byte, whatever the pieces", arguments: texts, [64, 67, 1 << 16])
    func numbersRoundTrip(text: [UInt8], step: Int) {
        let encoded = Self.encoded(text, step: step)
        for size in [1, 7, 1 << 16] { #expect(Self.decoded(encoded, count: text.count, step: size) == text) }
    }

    @Test(
        "The bytes of an encoding are those that the format document gives",
        arguments: [
            ([500, 501, 499, 499], [nil, 3, 4, 1]),
            ([500, 563, 500, 564, 500], [nil, 127, 126, nil, nil]),
            ([999, 1000, 99, 100], [nil, 3, nil, nil]),
        ] as [([Int], [UInt8?])]
    )
    func numberBytes(numbers: [Int], codes: [UInt8?]) {
        let text = numbers.map { "\"number\":\($0)" }.joined()
        var expected: [UInt8] = []
        for (number, code) in zip(numbers, codes) {
            expected += Array("\"number\":".utf8)
            expected += code.map { [255, $0] } ?? Array("\(number)".utf8)
        }
        #expect(Self.encoded(Array(text.utf8)) == expected)
    }

    @Test("Numbers with leading zeros keep their digits, and a byte 255 is distinguished from a difference")
    func otherBytes() {
        let text = Array("\"number\":0500\"number\":0501".utf8)
        #expect(Self.encoded(text) == text)
        #expect(Self.encoded([0xFF, 0x41]) == [255, 0, 0x41])
    }

    @Test("An encoding of another size, a torn marker and an impossible number are refused")
    func malformedNumbers() {
        let bytes = Self.encoded(Self.rows(5))
        let count = Self.rows(5).count
        #expect(Self.decoded(bytes, count: count - 1) == nil)
        #expect(Self.decoded(bytes, count: count + 1) == nil)
        #expect(Self.decoded([0x41, 255], count: 1) == nil)
        #expect(Self.decoded([255, 3], count: 10) == nil)
        #expect(Self.decoded([255, 2], count: 30) == nil)
    }

    @Test("Contents are restored byte for byte, and rows of one class take a tenth of their room")
    func packRoundTrip() throws {
        let packer = try #require(ContentPacker())
        for content in [Self.rows(500), Self.rows(3000), Self.rows(2000) + Self.noise(2000)] {
            let packed = try #require(content.withUnsafeBytes { packer.pack($0) })
            #expect(packed.count < content.count / 3)
            #expect(packed.withUnsafeBytes { ContentUnpacker.unpack($0) } == content)
        }
        let rows = Self.rows(3000)
        #expect(try #require(rows.withUnsafeBytes { packer.pack($0) }).count < rows.count / 10)
    }

    @Test("Small contents and those that do not become smaller are left as they are")
    func notPacked() throws {
        let packer = try #require(ContentPacker())
        #expect(Self.rows(5).withUnsafeBytes { packer.pack($0) } == nil)
        for count in [512, 5000, 300_000] {
            #expect(Self.noise(count).withUnsafeBytes { packer.pack($0) } == nil)
        }
        // A packer that gave up works on.
        #expect(Self.rows(500).withUnsafeBytes { packer.pack($0) } != nil)
    }

    @Test("A content that claims to be larger than it can be is refused before memory is taken")
    func bombs() throws {
        let packer = try #require(ContentPacker())
        let packed = try #require(Self.rows(500).withUnsafeBytes { packer.pack($0) })
        for claim: UInt32 in [
            0, 511, 1 << 26 + 1, .max, UInt32(Self.rows(500).count) + 1, UInt32(Self.rows(500).count) - 1,
        ] {
            var changed = packed
            withUnsafeBytes(of: claim.littleEndian) { changed.replaceSubrange(0..<4, with: $0) }
            #expect(changed.withUnsafeBytes { ContentUnpacker.unpack($0) } == nil)
        }
        // A few bytes cannot stand for the largest content.
        var tiny = Array(packed.prefix(40))
        withUnsafeBytes(of: UInt32(1 << 26).littleEndian) { tiny.replaceSubrange(0..<4, with: $0) }
        #expect(tiny.withUnsafeBytes { ContentUnpacker.unpack($0) } == nil)
    }

    @Test(
        "A packed content that is cut off, has bytes behind it, or is changed is refused or restored to other bytes, never a trap"
    )
    func damagedContents() throws {
        let content = Self.rows(20)
        let packer = try #require(ContentPacker())
        let packed = try #require(content.withUnsafeBytes { packer.pack($0) })
        for size in 0..<packed.count {
            #expect(packed.prefix(size).withUnsafeBytes { ContentUnpacker.unpack($0) } == nil)
        }
        #expect((packed + [0]).withUnsafeBytes { ContentUnpacker.unpack($0) } == nil)
        for index in packed.indices {
            var changed = packed
            changed[index] ^= 1 << UInt8(index % 8)
            let restored = changed.withUnsafeBytes { ContentUnpacker.unpack($0) }
            #expect(restored == nil || restored?.count == content.count)
        }
    }
}

@Suite("Eight bytes at once")
struct ByteWordTests {
    @Test("Every byte is known to be a digit or not, whatever is beside it", arguments: [0, 3, 7])
    func digits(place: Int) {
        for neighbour: UInt64 in [0x00, 0x2F, 0x30, 0x39, 0x3A, 0x7F, 0xFF] {
            for byte in UInt8.min ... .max {
                var word = neighbour &* 0x0101_0101_0101_0101
                word &= ~(0xFF << UInt64(place * 8))
                word |= UInt64(byte) << UInt64(place * 8)
                let isDigit = ByteWord.digits(in: word) >> UInt64(place * 8) & 0xFF
                #expect(isDigit == (0x30...0x39 ~= byte ? 1 : 0))
                let bytes = withUnsafeBytes(of: word.littleEndian) { Array($0) }
                let plain = bytes.prefix { !(0x30...0x39 ~= $0) && $0 != 0xFF }.count
                #expect(ByteWord.plainPrefix(of: word) == plain)
            }
        }
    }
}
