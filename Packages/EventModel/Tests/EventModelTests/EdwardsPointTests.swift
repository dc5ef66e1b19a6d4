import EventModel
import Testing

@Suite("EdwardsPoint")
struct EdwardsPointTests {
    /// From the blocklist of libsodium, in both signs.
    static let weak = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test("every spelling of a point of small order is known", arguments: weak)
    func smallOrder(text: String) throws {
        var bytes = try #require(Hexadecimal.bytes(text))
        #expect(EdwardsPoint.isOfSmallOrder(bytes))
        bytes[31] |= 0x80
        #expect(EdwardsPoint.isOfSmallOrder(bytes))
    }

    @Test("a byte more, a byte less, another byte, and the keys of RFC 8032 are something else")
    func others() throws {
        for text in Self.weak {
            let bytes = try #require(Hexadecimal.bytes(text))
            #expect(!EdwardsPoint.isOfSmallOrder(bytes + [0]))
            #expect(!EdwardsPoint.isOfSmallOrder(Array(bytes.dropLast())))
            for index in bytes.indices {
                var other = bytes
                other[index] ^= 0x40
                #expect(!EdwardsPoint.isOfSmallOrder(other))
            }
        }
        #expect(!EdwardsPoint.isOfSmallOrder([]))
        for text in [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        ] {
            #expect(!EdwardsPoint.isOfSmallOrder(try #require(Hexadecimal.bytes(text))))
        }
    }
}
