import BenchmarkFloors
import BenchmarkHarness
import Foundation

/// `daybook serve`, as an operator runs it: a process of its own, here with limits that no row reaches.
final class RunningServer {
    private struct Account: Decodable {
        let accessToken: String
    }

    /// Where it listens.
    let port: Int
    private let process: Process
    private let folder: URL

    /// Starts a server and returns when it listens.
    ///
    /// - Parameters:
    ///   - folder: Its data goes here.
    ///   - postgres: The address of a database for the events; nil for the embedded one.
    /// - Throws: `BenchError.serverDidNotStart`, or what the system throws.
    init(in folder: URL, postgres: String? = nil) throws {
        let configuration = folder.appending(path: "serve.json5")
        try Data(
            "{ limits: { requestsPerMinute: 1000000, signInsPerMinute: 1000000, connections: 4096 } }".utf8
        )
        .write(to: configuration)
        let output = Pipe()
        process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "daybook")
        let data = folder.appending(path: "data")
        process.arguments =
            ["serve", "--config", configuration.path, "--data", data.path, "--log-level", "error"]
            + (postgres.map { ["--postgres", $0] } ?? [])
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        self.folder = data
        guard let port = Self.port(saidOn: output.fileHandleForReading) else {
            process.terminate()
            throw BenchError.serverDidNotStart
        }
        self.port = port
    }

    /// Reads the address that the server prints first; nil when it ends without one.
    private static func port(saidOn output: FileHandle) -> Int? {
        var text = Data()
        while !text.contains(0x0A) {
            let bytes = output.availableData
            guard !bytes.isEmpty else { return nil }
            text += bytes
        }
        let line = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
        return line.split(separator: ":").last.flatMap { Int($0) }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The address for clients.
    var url: String { "http://127.0.0.1:\(port)" }

    /// The token that reads everything.
    func auditorToken() throws -> String {
        try String(contentsOf: folder.appending(path: "auditor.token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
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

    /// The most memory that the server ever had, in megabytes.
    func peakMegabytes() throws -> Double {
        #if os(Linux)
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let figure = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        guard let figure else { throw BenchError.noMemoryFigure }
        return figure * 1024 / 1_000_000
        #else
        throw SkippedBenchmark("Only Linux says how much memory another process had.")
        #endif
    }
}
