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
        var keys: [APIKey] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 2 else { throw .malformedLine(path, number: number + 1) }
            keys.append(APIKey(app: String(words[0]), secret: String(words[1])))
        }
        return keys
    }
}
