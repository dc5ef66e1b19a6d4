import AuditServerTesting
import BenchmarkFloors
import Foundation

extension ServerProcess {
    private struct Account: Decodable {
        let accessToken: String
    }

    /// Starts the server that was built beside this program.
    ///
    /// - Parameters:
    ///   - folder: Its data goes here.
    ///   - postgres: The address of a database for the events; nil for the embedded one.
    ///   - apps: The settings of its apps, as in its configuration; nil for none.
    /// - Throws: What starting it throws.
    convenience init(in folder: URL, postgres: String? = nil, apps: String? = nil) throws {
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "daybook")
        try self.init(program: program, folder: folder, postgres: postgres, apps: apps)
    }

    #if os(Linux)
    /// How much memory it has.
    var memory: ProcessMemory { ProcessMemory(of: processIdentifier) }
    #endif

    /// Signs in a new user, and returns the token.
    func signIn(on connection: LoopbackConnection) throws -> String {
        let body = try connection.exchange(
            "POST",
            "/api/v1/apps/bench/login",
            body: Array(#"{"provider":"anon-user"}"#.utf8)
        )
        return try JSONDecoder().decode(Account.self, from: Data(body)).accessToken
    }
}
