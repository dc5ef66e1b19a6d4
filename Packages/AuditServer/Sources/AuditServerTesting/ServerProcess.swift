public import Foundation
import Synchronization

/// `daybook serve` in a process of its own, as an operator runs it.
///
/// Its limits are out of the way of a thousand devices behind one address.
public final class ServerProcess: Sendable {
    /// Why there is no server to work with.
    public enum Failure: Error, CustomStringConvertible {
        /// It ended before it listened.
        case didNotStart

        /// What happened, in a sentence.
        public var description: String { "The server did not start; what it said is above." }
    }

    /// Where it listens.
    public let port: Int
    private let process: Mutex<Process>
    private let program: URL
    private let arguments: [String]
    private let data: URL

    /// Starts the server and returns when it listens.
    ///
    /// - Parameters:
    ///   - program: The program `daybook`.
    ///   - folder: Its configuration and its data go here.
    ///   - postgres: The address of a database for the events; nil for the embedded one.
    ///   - apps: The settings of its apps, as in its configuration; nil for none.
    /// - Throws: ``Failure/didNotStart``, or what the system throws.
    public init(program: URL, folder: URL, postgres: String? = nil, apps: String? = nil) throws {
        data = folder.appending(path: "data")
        let configuration = folder.appending(path: "serve.json5")
        let limits = "{ requestsPerMinute: 1000000, signInsPerMinute: 1000000, connections: 8192 }"
        try Data("{ limits: \(limits), apps: \(apps ?? "{}") }".utf8).write(to: configuration)
        self.program = program
        arguments =
            ["serve", "--config", configuration.path, "--data", data.path, "--log-level", "error"]
            + (postgres.map { ["--postgres", $0] } ?? [])
        let (started, port) = try Self.start(program, arguments)
        process = Mutex(started)
        self.port = port
    }

    /// Starts the server, and returns when it listens.
    private static func start(_ program: URL, _ arguments: [String]) throws -> (Process, port: Int) {
        let output = Pipe()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        guard let port = Self.port(saidOn: output.fileHandleForReading) else {
            process.terminate()
            throw Failure.didNotStart
        }
        return (process, port)
    }

    deinit { stop() }

    /// The address for clients.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Its process.
    public var processIdentifier: Int32 { process.withLock(\.processIdentifier) }

    /// The database of the realms that devices share.
    public var realmsPath: String { data.appending(path: "realms.sqlite").path }

    /// Ends the server gracefully and waits for it; one that ended already stays as it is.
    public func stop() {
        process.withLock { process in
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// Kills the server with SIGKILL, and starts it again with its data, where it was.
    ///
    /// - Throws: ``Failure/didNotStart``, or what the system throws.
    public func crash() throws {
        try process.withLock { process in
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            (process, _) = try Self.start(program, arguments + ["--port", "\(port)"])
        }
    }

    /// Reads the objects of an asymmetric class as `daybook objects` shows them, beside the running server.
    ///
    /// - Parameter className: The class.
    /// - Returns: The lines of JSON; nil when the command fails, and has said why on standard error.
    /// - Throws: What the system throws.
    public func posted(_ className: String) throws -> [Data]? {
        let output = Pipe()
        let reader = Process()
        reader.executableURL = program
        reader.arguments = ["objects", className, "--data", data.path, "--json"]
        reader.standardOutput = output
        reader.standardInput = FileHandle.nullDevice
        try reader.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        reader.waitUntilExit()
        return reader.terminationStatus == 0 ? said.split(separator: 0x0A).map { Data($0) } : nil
    }

    /// Reads the token that reads everything.
    ///
    /// - Throws: What reading the file throws.
    public func auditorToken() throws -> String {
        try String(contentsOf: data.appending(path: "auditor.token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the most memory that the server ever had, in megabytes; nil where the system does not say.
    ///
    /// - Throws: What reading the system's figures throws.
    public func peakMegabytes() throws -> Double? { try kibibytes("VmHWM:").map { $0 * 1024 / 1_000_000 } }

    /// Returns how much memory the server has now, in KiB; nil where the system does not say.
    ///
    /// - Throws: What reading the system's figures throws.
    public func residentKibibytes() throws -> Double? { try kibibytes("VmRSS:") }

    private func kibibytes(_ name: String) throws -> Double? {
        #if os(Linux)
        let status = try String(
            contentsOfFile: "/proc/\(process.withLock(\.processIdentifier))/status",
            encoding: .utf8
        )
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        #else
        return nil
        #endif
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
}
