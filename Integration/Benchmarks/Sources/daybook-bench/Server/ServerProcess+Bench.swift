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

    /// Signs in a new user, and returns the token.
    func signIn(on connection: LoopbackConnection) throws -> String {
        let body = try connection.exchange(
            "POST",
            "/api/v1/apps/bench/login",
            body: Array(#"{"provider":"anon-user"}"#.utf8)
        )
        return try JSONDecoder().decode(Account.self, from: Data(body)).accessToken
    }

    /// Asks the system how much memory the server has now.
    ///
    /// - Parameter folder: Where its data is, by which its process is found.
    /// - Returns: KiB; nil where the system does not say.
    /// - Throws: What reading the system's figures throws.
    func residentKibibytes(in folder: URL) throws -> Double? {
        #if os(Linux)
        // LIVE: the system's own files.
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        for number in numbers {
            // Processes end while one looks, and those of others are not to be read.
            guard let arguments = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8),
                arguments.contains("serve"), arguments.contains(folder.path)
            else { continue }
            let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        }
        #endif
        return nil
    }
}
