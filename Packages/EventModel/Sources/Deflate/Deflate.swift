import CZlib

/// Makes bytes fewer for the way: zlib's format (RFC 1950), which HTTP calls `deflate` (RFC 9110, 8.4.1.2).
///
/// Each system has zlib, and every client and proxy knows the coding, so that nobody resolves a package for it.
public enum Deflate {
    /// The name of the coding in the headers of HTTP.
    public static let coding = "deflate"
    /// Fewer bytes gain less than a header takes: 1 KiB.
    public static let minimum = 1024

    /// Compresses bytes, as fast as zlib can.
    ///
    /// - Returns: The compressed bytes; nil when there are fewer than ``minimum``, when they would not become fewer by a sixteenth, and
    ///   when zlib gets no memory.
    /// - Complexity: O(*n*); 256 KiB of memory beside the result, as zlib's manual says.
    public static func packed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= minimum, bytes.count <= Int(UInt32.max) else { return nil }
        var stream = z_stream()
        let code = deflateInit_(&stream, Z_BEST_SPEED, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var isWhole = false
        let capacity = bytes.count - bytes.count / 16
        let packed = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                // zlib only reads through this pointer; its C type lacks the const.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = UInt32(source.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(capacity)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = isWhole ? capacity - Int(stream.avail_out) : 0
            }
        }
        return isWhole ? packed : nil
    }
}
