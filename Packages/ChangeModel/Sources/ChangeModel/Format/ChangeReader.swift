import EventModel

/// Reads what ``ChangeWriter`` writes, from bytes that anybody may have made.
///
/// Every count and length is compared with the bytes that are left before memory is taken for it.
struct ChangeReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var offset: Int
    /// The names by their numbers.
    private var names: [ExactText] = []
    /// The places of the names in the order of their bytes, by their numbers; empty before somebody asked.
    private var ranks: [Int] = []
    /// The numbers of the names of the last cells that were in order: the next object mostly has the same.
    var orderedNames: [UInt64] = []
    /// The numbers of the names of the cells that are read.
    var readNames: [UInt64] = []

    /// Begins with the first byte.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    /// How many bytes are left.
    var remaining: Int { bytes.endIndex - offset }

    /// Returns the error of what was read last.
    func malformed(_ reason: String) -> ChangeModelError { .malformed(offset: offset, reason: reason) }

    /// Reads bytes as they are.
    mutating func raw(_ count: Int) throws(ChangeModelError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw malformed("The bytes end early.") }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// Reads what all bytes of a format begin with.
    mutating func expect(_ magic: [UInt8], _ reason: String) throws(ChangeModelError) {
        guard remaining >= magic.count, bytes[offset..<offset + magic.count].elementsEqual(magic) else {
            throw malformed(reason)
        }
        offset += magic.count
    }

    /// Makes sure that nothing follows.
    func end() throws(ChangeModelError) {
        guard remaining == 0 else { throw malformed("Something follows what should be the end.") }
    }

    /// Reads a SHA-256.
    mutating func digest() throws(ChangeModelError) -> Digest {
        guard let digest = Digest(try raw(Digest.byteCount)) else { throw malformed("A hash has 32 bytes.") }
        return digest
    }

    /// Reads one byte.
    mutating func byte() throws(ChangeModelError) -> UInt8 {
        guard remaining > 0 else { throw malformed("The bytes end early.") }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads a number of a fixed width.
    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(ChangeModelError) -> Number {
        let raw = try raw(MemoryLayout<Number>.size)
        return Number(littleEndian: raw.withUnsafeBytes { $0.loadUnaligned(as: Number.self) })
    }

    /// Reads a number of at most 64 bits in LEB128, which must be as short as it can be.
    mutating func number() throws(ChangeModelError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw malformed("A number has more than 64 bits.") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                guard byte > 0 || shift == 0 else { throw malformed("A number is longer than it must be.") }
                return value
            }
        }
        throw malformed("A number has more than 64 bits.")
    }

    /// Reads a number of either sign.
    mutating func signed() throws(ChangeModelError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads a number of at most 32 bits.
    mutating func number32() throws(ChangeModelError) -> UInt32 {
        guard let value = UInt32(exactly: try number()) else { throw malformed("A number has more than 32 bits.") }
        return value
    }

    /// Reads a number that an `Int` holds.
    mutating func integer() throws(ChangeModelError) -> Int {
        guard let value = Int(exactly: try number()) else { throw malformed("A number is too large.") }
        return value
    }

    /// Reads how many things follow, each of which takes at least one byte.
    mutating func count() throws(ChangeModelError) -> Int {
        let count = try number()
        guard count <= UInt64(remaining) else { throw malformed("There are fewer bytes than things.") }
        return Int(count)
    }

    /// Reads how many things follow, which are at most a limit.
    mutating func count(limit: Int) throws(ChangeModelError) -> Int {
        let count = try count()
        guard count <= limit else { throw .tooMany(count: count, limit: limit) }
        return count
    }

    /// Reads a text of at most so many bytes.
    mutating func text(limit: Int) throws(ChangeModelError) -> ExactText {
        let count = try count()
        guard count <= limit else { throw .tooLarge(bytes: count, limit: limit) }
        let text = try raw(count).withUnsafeBufferPointer { String(validUTF8: $0) }
        guard let text else { throw malformed("A text is not UTF-8.") }
        return ExactText(text)
    }

    /// Reads the names to which numbers refer.
    mutating func table() throws(ChangeModelError) {
        for _ in 0..<(try count()) { names.append(try text(limit: ChangeLimits.nameBytes)) }
    }

    /// Reads the number of a name.
    mutating func name() throws(ChangeModelError) -> ExactText { try name(try number()) }

    /// Returns the name that has a number.
    func name(_ number: UInt64) throws(ChangeModelError) -> ExactText {
        guard number < UInt64(names.count) else { throw malformed("A name has no such number.") }
        return names[Int(number)]
    }

    /// Returns the places of the names in the order of their bytes, by their numbers; equal names have the same.
    ///
    /// - Complexity: O(*n* log *n*) in the names, once.
    mutating func ranksOfNames() -> [Int] {
        guard ranks.isEmpty else { return ranks }
        let order = names.indices.sorted { names[$0] < names[$1] }
        ranks = [Int](repeating: 0, count: names.count)
        for (former, number) in zip(order, order.dropFirst()) {
            ranks[number] = ranks[former] + (names[former] == names[number] ? 0 : 1)
        }
        return ranks
    }

    /// Reads an element, or 0 for the end.
    mutating func elementOrEnd() throws(ChangeModelError) -> ElementID? {
        let bits = try fixed(UInt64.self)
        guard bits != 0 else { return nil }
        guard let id = ElementID(bits: bits) else { throw malformed("An element has 63 bits.") }
        return id
    }

    /// Reads an element.
    mutating func element() throws(ChangeModelError) -> ElementID {
        guard let id = try elementOrEnd() else { throw malformed("An element is not 0.") }
        return id
    }
}
