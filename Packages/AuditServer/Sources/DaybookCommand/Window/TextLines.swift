import AuditArchives
import Foundation

/// The lines of a file, read piece by piece.
final class TextLines: Sequence, IteratorProtocol {
    /// How long a line may be, in bytes: what an object has at most, as text.
    private static let longestLine = 256 << 20
    private static let piece = 1 << 18

    private let handle: FileHandle
    private var bytes = Data()
    private var isAtEnd = false
    /// Why the lines ended before the file did; nil when they did not.
    private(set) var error: String?

    /// Opens a file.
    ///
    /// - Throws: `CommandError.missingFile(_:)` when there is none, and `CommandError.unreadable(path:reason:)`.
    init(_ path: String) throws {
        // LIVE: the file that the user named.
        guard FileManager.default.fileExists(atPath: path) else { throw CommandError.missingFile(path) }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandError.unreadable(path: path, reason: "it may not be read")
        }
        self.handle = handle
    }

    /// Reads the next line, without what ends it; nil at the end and after an error.
    func next() -> String? {
        while error == nil {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes[..<end]
                bytes = bytes[(end + 1)...]
                return text(line)
            }
            if isAtEnd {
                guard !bytes.isEmpty else { return nil }
                let line = bytes
                bytes = Data()
                return text(line)
            }
            read()
        }
        return nil
    }

    private func read() {
        do {
            let more = try handle.read(upToCount: Self.piece) ?? Data()
            isAtEnd = more.isEmpty
            // A slice keeps what is before it: the rest alone is kept.
            bytes = Data(bytes) + more
        } catch {
            self.error = "reading failed"
        }
        if bytes.count > Self.longestLine { error = "a line has more than \(Self.longestLine >> 20) MiB" }
    }

    private func text(_ line: Data) -> String? {
        guard let text = String(validating: line, as: UTF8.self) else {
            error = "a line is not UTF-8"
            return nil
        }
        return text
    }
}
