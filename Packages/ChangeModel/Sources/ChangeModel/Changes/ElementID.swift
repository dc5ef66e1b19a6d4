/// The name of one element of a list for the whole of its life, wherever it is moved: 63 random bits.
///
/// The device that inserts an element makes it. It is unique within one list of one object, and is never written anew
/// when a file gets its number later. 0 is no element, so that formats may use it for "the end".
public struct ElementID: Sendable, Hashable {
    /// The bits, from 1 through `Int64.max`, so that a column of SQLite holds them.
    public let bits: UInt64

    /// Creates an id from its bits.
    ///
    /// - Returns: nil for 0 and for more than 63 bits.
    public init?(bits: UInt64) {
        guard (1...UInt64(Int64.max)).contains(bits) else { return nil }
        self.bits = bits
    }

    /// Makes a new id.
    public static func random(using generator: inout some RandomNumberGenerator) -> ElementID {
        var bits: UInt64
        repeat { bits = generator.next() >> 1 } while bits == 0
        return ElementID(known: bits)
    }

    private init(known bits: UInt64) { self.bits = bits }
}

extension ElementID: Comparable {
    /// Orders by bits, which says nothing about the order of a list.
    public static func < (left: ElementID, right: ElementID) -> Bool { left.bits < right.bits }
}
