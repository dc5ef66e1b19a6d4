import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel

/// The file of `--api-keys`: an app id and a key in each line; empty lines and lines that start with `#` are skipped.
enum APIKeyFile {
    /// The most bytes that a file may have: 4 MiB.
    private static let maximumBytes = 4_194_304

    /// Reads a file.
    ///
    /// - Throws: `CommandError` when there is no such file or a line has another form.
    static func read(_ path: String) throws -> [APIKey] {
        try pairs(path).map { APIKey(app: $0, secret: $1) }
    }

    /// Reads a file of one app's keys: one in each line.
    static func read(_ path: String, app: String) throws -> [APIKey] {
        try lines(text(path), of: 1, path: path).map { APIKey(app: app, secret: $0[0]) }
    }

    /// Reads the text of a file.
    static func parse(_ text: String, path: String) throws(CommandError) -> [APIKey] {
        try lines(text, of: 2, path: path).map { APIKey(app: $0[0], secret: $0[1]) }
    }

    /// Reads a file of two words in each line.
    ///
    /// - Throws: `CommandError` when there is no such file or a line has another form; it names the number of the line alone.
    static func pairs(_ path: String) throws -> [(String, String)] {
        try lines(text(path), of: 2, path: path).map { ($0[0], $0[1]) }
    }

    private static func text(_ path: String) throws -> String {
        guard let bytes = try PrivateFile.read(path, upTo: maximumBytes) else { throw CommandError.missingFile(path) }
        // A byte that is no text would be read as another character, and the word as another word.
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError.unreadable(path: path, reason: "it is not a text in UTF-8")
        }
        return text
    }

    private static func lines(_ text: String, of count: Int, path: String) throws(CommandError) -> [[String]] {
        var lines: [[String]] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == count else { throw .malformedLine(path, number: number + 1) }
            lines.append(words.map(String.init))
        }
        return lines
    }
}
