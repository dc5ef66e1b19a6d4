import Foundation

/// `daybook serve` in a process of its own, with limits that a thousand devices behind one address do not reach.
final class SimulatedServer: Sendable {
    /// Where it listens.
    let port: Int
    private let process: Process
    private let data: URL

    /// Starts the server and returns when it listens.
    ///
    /// - Parameters:
    ///   - program: The program `daybook`.
    ///   - folder: Its configuration and its data go here.
    /// - Throws: ``LoadError/serverDidNotStart``, or what the system throws.
    init(program: URL, folder: URL) throws {
        data = folder.appending(path: "server")
        let configuration = folder.appending(path: "serve.json5")
        try Data("{ limits: { requestsPerMinute: 1000000, signInsPerMinute: 1000000, connections: 8192 } }".utf8)
            .write(to: configuration)
        let output = Pipe()
        process = Process()
        process.executableURL = program
        process.arguments = ["serve", "--config", configuration.path, "--data", data.path, "--log-level", "error"]
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        guard let port = Self.port(saidOn: output.fileHandleForReading) else {
            process.terminate()
            throw LoadError.serverDidNotStart
        }
        self.port = port
    }

    /// Ends the server gracefully and waits for it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The token that reads everything.
    func auditorToken() throws -> String {
        try String(contentsOf: data.appending(path: "auditor.token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The most memory that the server ever had, in megabytes; nil where the system does not say.
    func peakMegabytes() throws -> Double? {
        #if os(Linux)
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return kilobytes.map { $0 * 1024 / 1_000_000 }
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
