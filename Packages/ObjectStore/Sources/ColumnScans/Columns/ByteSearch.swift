#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds a part of bytes: sixteen places at a time where its first and its last byte are, and of those the ones where it is whole.
///
/// W. Muła describes the way in "SIMD-friendly algorithms for substring searching" (2016).
struct ByteSearch {
    private let part: UnsafeRawBufferPointer
    private let first: SIMD16<UInt8>
    private let last: SIMD16<UInt8>

    /// - Precondition: The part is not empty, and stays where it is.
    init(for part: UnsafeRawBufferPointer) {
        self.part = part
        first = SIMD16(repeating: part.first ?? 0)
        last = SIMD16(repeating: part.last ?? 0)
    }

    /// Finds the first place at which the part begins, from a start on; nil when there is none.
    ///
    /// - Complexity: O(*n*) in the count of bytes where few places begin and end like the part.
    func place(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let end = bytes.count - part.count + 1
        var place = start
        while place + 16 <= end {
            let begins = bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self) .== first
            let ends = bytes.loadUnaligned(fromByteOffset: place + part.count - 1, as: SIMD16<UInt8>.self) .== last
            let both = unsafeBitCast(begins .& ends, to: SIMD2<UInt64>.self)
            if both.x | both.y != 0, let found = found(bytes, place, both) { return found }
            place += 16
        }
        while place < end {
            if isWhole(bytes, place) { return place }
            place += 1
        }
        return nil
    }

    /// Looks at the places, eight bits each, that begin and end like the part.
    private func found(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ both: SIMD2<UInt64>) -> Int? {
        for half in 0..<2 {
            var places = UInt64(littleEndian: both[half])
            while places != 0 {
                let lane = places.trailingZeroBitCount >> 3
                let candidate = place + half * 8 + lane
                if isWhole(bytes, candidate) { return candidate }
                places &= ~(0xFF << UInt64(lane * 8))
            }
        }
        return nil
    }

    private func isWhole(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        guard let base = bytes.baseAddress, let pattern = part.baseAddress else { return false }
        return memcmp(base + place, pattern, part.count) == 0
    }
}
