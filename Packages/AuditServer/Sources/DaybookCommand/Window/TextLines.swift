import AuditArchives
import Foundation

/// The lines of a file, read piece by piece.
final class TextLines {
    /// How long a line may be, in bytes: what an object has at most, as text.
    private static let longestLine = 256 << 20
    private static let piece = 1 << 18

    private let path: String
    private let handle: FileHandle
    private var bytes = Data()
    private var isAtEnd = false

    /// Opens a file.
    ///
    /// - Throws: `CommandError.missingFile(_:)` when there is none, and `CommandError.unreadable(path:reason:)`.
    init(_ path: String) throws {
        self.path = path
        // LIVE: the file that the user named.
        guard FileManager.default.fileExists(atPath: path) else { throw CommandError.missingFile(path) }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandError.unreadable(path: path, reason: "it may not be read")
        }
        self.handle = handle
    }

    /// Reads the next line, without what ends it.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `CommandError.unreadable(path:reason:)`.
    func next() throws -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes[..<end]
                bytes = bytes[(end + 1)...]
                return try text(line)
            }
            if isAtEnd {
                guard !bytes.isEmpty else { return nil }
                let line = bytes
                bytes = Data()
                return try text(line)
            }
            try read()
        }
    }

    private func read() throws {
        do {
            let more = try handle.read(upToCount: Self.piece) ?? Data()
            isAtEnd = more.isEmpty
            // A slice keeps what is before it: the rest alone is kept.
            bytes = Data(bytes) + more
        } catch {
            throw CommandError.unreadable(path: path, reason: "reading failed")
        }
        guard bytes.count <= Self.longestLine else {
            throw CommandError.unreadable(path: path, reason: "a line has more than \(Self.longestLine >> 20) MiB")
        }
    }

    private func text(_ line: Data) throws -> String {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandError.unreadable(path: path, reason: "a line is not UTF-8")
        }
        return text
    }
}
