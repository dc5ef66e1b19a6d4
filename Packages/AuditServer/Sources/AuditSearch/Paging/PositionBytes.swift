/// Numbers in the bytes of a position, eight bytes each, the largest first.
package enum PositionBytes {
    package static func of(_ numbers: [UInt64]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }

    /// Reads numbers; nil when there are others than so many.
    package static func numbers(_ bytes: ArraySlice<UInt8>, count: Int? = nil) -> [UInt64]? {
        guard bytes.count.isMultiple(of: 8), count.map({ bytes.count == $0 * 8 }) ?? true else { return nil }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 8)
            .map { start in bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
