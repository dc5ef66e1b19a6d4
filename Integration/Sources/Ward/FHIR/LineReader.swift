public import Foundation

/// Reads a file line by line in constant memory.
///
/// Lines end with a line feed; a carriage return before it is cut. Empty lines are counted and given out.
public struct LineReader {
    /// One line, or the fact that one was too long.
    public enum Line: Equatable {
        case text([UInt8])
        case tooLong
    }

    private let handle: FileHandle
    private let limit: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - limit: The longest line that is taken, in bytes.
    /// - Throws: What the system says when the file cannot be opened.
    public init(url: URL, limit: Int = 16 * 1024 * 1024) throws {
        handle = try FileHandle(forReadingFrom: url)
        self.limit = limit
    }

    /// Reads lines from bytes in memory.
    public init(bytes: [UInt8], limit: Int = 16 * 1024 * 1024) {
        handle = FileHandle.nullDevice
        self.limit = limit
        buffer = bytes
    }

    /// Returns the next line, or nil at the end.
    public mutating func next() throws -> Line? {
        var isTooLong = false
        while true {
            if let end = buffer[position...].firstIndex(of: 0x0A) {
                defer { position = end + 1 }
                return line(position..<end, isTooLong: isTooLong)
            }
            if buffer.count - position > limit {
                isTooLong = true
                buffer.removeAll(keepingCapacity: true)
                position = 0
            }
            guard try fill() else {
                guard position < buffer.count || isTooLong else { return nil }
                defer { position = buffer.count }
                return line(position..<buffer.count, isTooLong: isTooLong)
            }
        }
    }

    private func line(_ range: Range<Int>, isTooLong: Bool) -> Line {
        guard !isTooLong, range.count <= limit else { return .tooLong }
        let end = range.isEmpty || buffer[range.upperBound - 1] != 0x0D ? range.upperBound : range.upperBound - 1
        return .text(Array(buffer[range.lowerBound..<end]))
    }

    /// Reads one more block behind what is left over; false at the end of the file.
    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        buffer.removeSubrange(..<position)
        position = 0
        guard let block = try handle.read(upToCount: 256 * 1024), !block.isEmpty else {
            isAtEnd = true
            return false
        }
        buffer.append(contentsOf: block)
        return true
    }
}
