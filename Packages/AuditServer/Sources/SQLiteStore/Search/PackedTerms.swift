/// The terms of one event in few bytes: what an entry of the index keeps.
///
/// Each is a number of seven bits a byte, the lowest first; a bit above them says that more follow. Its lowest four bits are
/// the kind, the others the id.
struct PackedTerms {
    private static let kindBits: UInt64 = 4

    private(set) var bytes: [UInt8] = []

    mutating func append(_ id: Int64, _ kind: SearchTerm.Kind) {
        var number = UInt64(bitPattern: id) << Self.kindBits | UInt64(kind.rawValue)
        while number >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(number))
    }

    /// Calls the closure with each term; a number that is cut off ends the walk.
    static func visit(_ bytes: [UInt8], _ body: (_ id: Int64, _ kind: SearchTerm.Kind) throws -> Void) rethrows {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            if let kind = SearchTerm.Kind(rawValue: Int64(number & (1 << kindBits - 1))) {
                try body(Int64(number >> kindBits), kind)
            }
            (number, shift) = (0, 0)
        }
    }
}
