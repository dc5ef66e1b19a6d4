import CZlib

/// Makes the contents of frames smaller: differences of numbers, then raw deflate (RFC 1951).
///
/// One packer serves many contents, one after the other, and keeps its memory: some 400 KiB.
final class ContentPacker: @unchecked Sendable {
    // SAFETY: the pool gives a packer to one call at a time.

    /// Contents below this size gain too little for the time.
    static let minimum = 512
    /// Larger contents are stored as they are, so that nobody has to trust a larger size before taking memory.
    static let maximum = 1 << 26
    /// How many bytes the text is said to have, in front of the compressed ones.
    static let sizeBytes = 4
    /// How much is looked at before a content is given up that does not become smaller.
    private static let trial = 1 << 17
    private static let pieceBytes = 1 << 16

    private var stream = z_stream()
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)

    /// Creates a packer.
    ///
    /// - Returns: nil when zlib gets no memory.
    init?() {
        // The fastest level: the differences of the numbers gain more than any better search would.
        let code = deflateInit2_(
            &stream,
            Z_BEST_SPEED,
            Z_DEFLATED,
            -MAX_WBITS,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard code == Z_OK else {
            piece.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(&stream)
        piece.deallocate()
    }

    /// Packs a content.
    ///
    /// - Returns: The size of the content in four bytes and the compressed bytes; nil when they would not be fewer.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    func pack(_ content: UnsafeRawBufferPointer) -> [UInt8]? {
        guard Self.minimum...Self.maximum ~= content.count, deflateReset(&stream) == Z_OK else { return nil }
        var isSmaller = false
        // As much room as the content has: with less left over, packing is not worth it.
        let capacity = content.count - content.count / 32
        let packed = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            withUnsafeBytes(of: UInt32(content.count).littleEndian) { size in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(from: size)
            }
            stream.next_out = buffer.baseAddress.map { $0 + Self.sizeBytes }
            stream.avail_out = UInt32(capacity - Self.sizeBytes)
            isSmaller = deflate(content)
            count = isSmaller ? capacity - Int(stream.avail_out) : 0
        }
        stream.next_out = nil
        return isSmaller ? packed : nil
    }

    /// Compresses a content to where the stream points; false when there is not enough room.
    private func deflate(_ content: UnsafeRawBufferPointer) -> Bool {
        var encoder = NumberEncoder()
        var position = 0
        while true {
            stream.avail_in = UInt32(encoder.encode(content, from: &position, into: piece))
            stream.next_in = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let isLast = position == content.count
            let code = CZlib.deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            if isLast { return code == Z_STREAM_END }
            guard code == Z_OK, stream.avail_in == 0 else { return false }
            if position >= Self.trial, Int(stream.total_out) > position - position / 16 { return false }
        }
    }
}
