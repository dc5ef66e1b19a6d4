import AuditServer

/// The file of `--api-keys`: an app id and a key in each line; empty lines and lines that start with `#` are skipped.
enum APIKeyFile {
    /// Reads a file.
    ///
    /// - Throws: ``CommandError`` when there is no such file or a line has another form.
    static func read(_ path: String) throws -> [APIKey] {
        guard let bytes = try PrivateFile.read(path) else { throw CommandError.missingFile(path) }
        return try parse(String(decoding: bytes, as: UTF8.self), path: path)
    }

    /// Reads a file of one app's keys: one in each line.
    static func read(_ path: String, app: String) throws -> [APIKey] {
        guard let bytes = try PrivateFile.read(path) else { throw CommandError.missingFile(path) }
        var keys: [APIKey] = []
        for (number, line) in String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 1 else { throw CommandError.malformedLine(path, number: number + 1) }
            keys.append(APIKey(app: app, secret: String(words[0])))
        }
        return keys
    }

    /// Reads the text of a file.
    static func parse(_ text: String, path: String) throws(CommandError) -> [APIKey] {
        try pairs(text, path: path).map { APIKey(app: $0, secret: $1) }
    }

    /// Reads a file of two words in each line.
    ///
    /// - Throws: ``CommandError`` when there is no such file or a line has another form; it names the number of the line alone.
    static func pairs(_ path: String) throws -> [(String, String)] {
        guard let bytes = try PrivateFile.read(path) else { throw CommandError.missingFile(path) }
        return try pairs(String(decoding: bytes, as: UTF8.self), path: path)
    }

    private static func pairs(_ text: String, path: String) throws(CommandError) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 2 else { throw .malformedLine(path, number: number + 1) }
            pairs.append((String(words[0]), String(words[1])))
        }
        return pairs
    }
}
