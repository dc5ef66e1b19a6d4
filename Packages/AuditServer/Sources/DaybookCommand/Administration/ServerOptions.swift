import ArgumentParser
import AuditServer
import Foundation

/// Which server a command asks: `--server` with a token.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server, such as http://127.0.0.1:8080.", valueName: "url"))
    var server: String

    @Option(help: "The token; others on this machine may see it in the list of processes.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the token: administrator.token, or auditor.token to read.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    /// Names the server.
    ///
    /// - Throws: ``CommandError`` when the options name none, or no token.
    func remote() throws -> RemoteServer {
        try RemoteServer(server, token: try Token.read(token, orFile: tokenFile))
    }
}

/// A token on the command line, or in a file.
enum Token {
    /// Returns the token.
    ///
    /// - Throws: ``CommandError`` when there is none.
    static func read(_ token: String?, orFile file: String?) throws -> String {
        if let token { return token }
        guard let file else { throw CommandError.missingToken }
        guard let bytes = try PrivateFile.read(file) else { throw CommandError.missingFile(file) }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
