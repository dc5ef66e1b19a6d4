/// The keys of the rows that a transaction inserted, in any order.
///
/// A bit for each key, 64 of them in a block. The block of the last key lies outside of the table, so that to insert rows in the order of
/// their keys costs a comparison, and to ask while there are none another.
struct NewRows: Sendable {
    /// Which keys the bits stand for: those that are this number when their last six bits are cut off.
    private var block: Int64 = 0
    /// The keys of the block; none only while there is no key at all.
    private var bits: UInt64 = 0
    /// The other blocks, none of them empty.
    private var others: [Int64: UInt64] = [:]

    init() {}

    @inline(__always)
    var isEmpty: Bool { bits == 0 }

    /// Notes that a row was inserted.
    @inline(__always)
    mutating func insert(_ key: Int64) {
        // The sign is kept, so that negative keys have blocks of their own.
        if key >> 6 != block { change(to: key >> 6) }
        bits |= Self.bit(key)
    }

    /// Notes that a row could not be inserted after all.
    mutating func remove(_ key: Int64) {
        if key >> 6 != block { change(to: key >> 6) }
        bits &= ~Self.bit(key)
        if bits == 0, let other = others.first {
            others[other.key] = nil
            (block, bits) = (other.key, other.value)
        }
    }

    /// Whether a row was inserted.
    @inline(__always)
    func contains(_ key: Int64) -> Bool { bits != 0 && isFound(key) }

    @inline(never)
    private func isFound(_ key: Int64) -> Bool {
        (key >> 6 == block ? bits : others[key >> 6] ?? 0) & Self.bit(key) != 0
    }

    @inline(never)
    private mutating func change(to new: Int64) {
        if bits != 0 { others[block] = bits }
        (block, bits) = (new, others.removeValue(forKey: new) ?? 0)
    }

    @inline(__always)
    private static func bit(_ key: Int64) -> UInt64 { 1 << UInt64(key & 63) }

    /// The keys in order.
    ///
    /// - Complexity: O(*n* log *n*) in the count of blocks.
    var runs: KeyRuns {
        var result = KeyRuns()
        guard bits != 0 else { return result }
        var blocks = Array(others)
        blocks.append((block, bits))
        for (block, bits) in blocks.sorted(by: { $0.key < $1.key }) {
            var rest = bits
            while rest != 0 {
                let start = rest.trailingZeroBitCount
                let length = (~(rest >> UInt64(start))).trailingZeroBitCount
                let first = block << 6 + Int64(start)
                result.append(first...(first + Int64(length - 1)))
                // Shifting by all 64 bits leaves none.
                rest &= UInt64.max << UInt64(start + length)
            }
        }
        return result
    }
}
