import CZlib

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Restores what ``Deflate`` made smaller, piece by piece, so that whoever reads decides how much memory it may take.
///
/// ```swift
/// let inflater = try Inflater(packed, limit: 1 << 20)
/// while let piece = try inflater.next() { bytes += piece }
/// ```
/// A byte on the way may stand for 1,032 (zlib's technical notes): only what was restored says how much there is.
public final class Inflater {
    /// The bytes of a piece at most: 64 KiB.
    public static let pieceBytes = 64 << 10

    private var stream = z_stream()
    private let packed: [UInt8]
    private let limit: Int
    private var position = 0
    private var count = 0
    private var isOver = false

    /// Begins to restore bytes.
    ///
    /// - Parameters:
    ///   - packed: What was sent.
    ///   - limit: How many bytes it may stand for.
    /// - Throws: ``DeflateError/noMemory`` when zlib gets none.
    public init(_ packed: [UInt8], limit: Int) throws(DeflateError) {
        self.packed = packed
        self.limit = limit
        let code = inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .noMemory }
    }

    deinit { inflateEnd(&stream) }

    /// Restores the next piece.
    ///
    /// - Returns: Some bytes; nil behind the last of them.
    /// - Throws: ``DeflateError/malformed`` for bytes that are cut, were changed or have something behind them, and
    ///   ``DeflateError/tooLarge(limit:)`` as soon as there are more than the limit.
    public func next() throws(DeflateError) -> [UInt8]? {
        guard !isOver else { return nil }
        var code = Z_OK
        let piece = packed.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
                // zlib only reads through this pointer; its C type lacks the const.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress.map { $0 + position })
                stream.avail_in = UInt32(clamping: source.count - position)
                let given = stream.avail_in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(Self.pieceBytes)
                code = inflate(&stream, Z_NO_FLUSH)
                position += Int(given - stream.avail_in)
                count = Self.pieceBytes - Int(stream.avail_out)
            }
        }
        count += piece.count
        guard count <= limit else { throw .tooLarge(limit: limit) }
        switch code {
        case Z_STREAM_END:
            guard position == packed.count else { throw .malformed }
            isOver = true
            return piece.isEmpty ? nil : piece
        // Without progress the bytes end too early.
        case Z_OK where !piece.isEmpty: return piece
        default: throw .malformed
        }
    }
}

/// Why bytes cannot be restored.
public enum DeflateError: Error, Equatable {
    /// Thrown when bytes are no zlib stream, or not a whole one.
    case malformed
    /// Thrown when bytes stand for more than they may.
    case tooLarge(limit: Int)
    /// Thrown when zlib gets no memory.
    case noMemory
}

extension DeflateError: CustomStringConvertible {
    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .malformed: "The bytes are not what deflate makes of others, or not all of it."
        case .tooLarge(let limit): "The bytes stand for more than \(limit)."
        case .noMemory: "There is no memory to restore compressed bytes."
        }
    }
}

extension DeflateError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
