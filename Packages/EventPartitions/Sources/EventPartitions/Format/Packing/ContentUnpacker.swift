import CZlib

/// Restores what ``ContentPacker`` packed, and never trusts a size unchecked.
enum ContentUnpacker {
    /// No packed byte stands for more of the text: 1,032 by deflate, and nine for a difference of two numbers.
    private static let maximumGrowth = 1032 * 9
    private static let pieceBytes = 1 << 15

    /// Unpacks a content.
    ///
    /// - Returns: nil when the bytes are not a packed content, or claim to be larger than one can be; no memory is taken
    ///   for such a claim.
    /// - Complexity: O(*n*), where *n* is the size of the unpacked content.
    static func unpack(_ packed: UnsafeRawBufferPointer) -> [UInt8]? {
        guard packed.count > ContentPacker.sizeBytes else { return nil }
        let claimed = Int(UInt32(littleEndian: packed.loadUnaligned(as: UInt32.self)))
        let compressed = UnsafeRawBufferPointer(rebasing: packed[ContentPacker.sizeBytes...])
        guard ContentPacker.minimum...ContentPacker.maximum ~= claimed,
            claimed <= compressed.count.multipliedReportingOverflow(by: maximumGrowth).partialValue
        else { return nil }
        var isWhole = false
        let content = [UInt8](unsafeUninitializedCapacity: claimed) { buffer, count in
            isWhole = inflate(compressed, into: UnsafeMutableRawBufferPointer(buffer))
            count = isWhole ? claimed : 0
        }
        return isWhole ? content : nil
    }

    /// Fills a buffer; false unless the compressed bytes end exactly where the buffer does.
    private static func inflate(_ compressed: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Bool
    {
        var stream = z_stream()
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return false
        }
        defer { inflateEnd(&stream) }
        // zlib only reads through this pointer; its C type lacks the const.
        stream.next_in = UnsafeMutablePointer(mutating: compressed.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(compressed.count)
        var decoder = NumberDecoder()
        return withUnsafeTemporaryAllocation(byteCount: pieceBytes, alignment: 16) { piece in
            while true {
                stream.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(piece.count)
                let code = CZlib.inflate(&stream, Z_NO_FLUSH)
                guard code == Z_OK || code == Z_STREAM_END else { return false }
                let inflated = UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - Int(stream.avail_out))])
                guard decoder.decode(inflated, into: text) else { return false }
                guard code != Z_STREAM_END else {
                    return stream.avail_in == 0 && decoder.isComplete && decoder.count == text.count
                }
                // Without progress the input ended too early.
                guard !inflated.isEmpty else { return false }
            }
        }
    }
}
