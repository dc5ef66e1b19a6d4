package import ArgumentParser
import AuditModel
import Foundation

/// Which server a command asks: `--server` with a token.
package struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server, such as http://127.0.0.1:8080.", valueName: "url"))
    package var server: String

    @Option(help: "The token; others on this machine may see it in the list of processes.")
    package var token: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the token: administrator.token, or auditor.token to read.",
            valueName: "file"
        ),
        completion: .file()
    )
    package var tokenFile: String?

    package init() {}

    /// Names the server.
    ///
    /// - Throws: ``CommandError`` when the options name none, or no token.
    package func remote() throws -> RemoteServer {
        try RemoteServer(server, token: try Token.read(token, orFile: tokenFile))
    }
}

/// A token on the command line, or in a file.
package enum Token {
    /// Returns the token.
    ///
    /// - Throws: ``CommandError`` when there is none.
    package static func read(_ token: String?, orFile file: String?) throws -> String {
        if let token { return token }
        guard let file else { throw CommandError.missingToken }
        guard let bytes = try PrivateFile.read(file) else { throw CommandError.missingFile(file) }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
