package import ArgumentParser
import AuditModel
package import EventModel
import Foundation

/// Where the events are: `--files`, or `--server` with a token.
package struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read every event file below this folder; no server is needed.", valueName: "dir"),
        completion: .directory
    )
    package var files: String?

    @Option(
        help: ArgumentHelp("A file that holds the key of encrypted event files: 64 hex digits.", valueName: "file"),
        completion: .file()
    )
    package var keyFile: String?

    @Option(help: ArgumentHelp("Read from this server, such as http://127.0.0.1:8080.", valueName: "url"))
    package var server: String?

    @Option(help: "The auditor's token; others on this machine may see it in the list of processes.")
    package var token: String?

    @Option(
        help: ArgumentHelp("A file that holds the auditor's token, such as auditor.token.", valueName: "file"),
        completion: .file()
    )
    package var tokenFile: String?

    package init() {}

    /// Opens what the options name.
    ///
    /// - Throws: ``CommandError`` when they name nothing, too much, or what cannot be opened.
    package func archive() throws -> any EventArchive {
        switch (files, server) {
        case (.some(let files), nil):
            return try FileEventArchive(
                files,
                workingDirectory: Self.workingDirectory,
                encryptionKey: try encryptionKey()
            )
        case (nil, .some(let server)):
            return RemoteEventArchive(try remote(server))
        default:
            throw CommandError.ambiguousSource
        }
    }

    /// Names the server that is asked.
    ///
    /// - Throws: ``CommandError`` when it has no token, or no address.
    package func remote(_ server: String) throws -> RemoteServer {
        try RemoteServer(server, token: try Token.read(token, orFile: tokenFile))
    }

    /// Where the command runs.
    package static var workingDirectory: String {
        // LIVE: a relative path of the command line is relative to where the command runs.
        FileManager.default.currentDirectoryPath
    }

    package func encryptionKey() throws -> EventEncryptionKey? {
        guard let keyFile else { return nil }
        guard let bytes = try PrivateFile.read(keyFile) else { throw CommandError.missingFile(keyFile) }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let digits = Hexadecimal.bytes(text), digits.count == EventEncryptionKey.byteCount else {
            throw CommandError.malformedKey(keyFile)
        }
        return try EventEncryptionKey(digits)
    }
}
