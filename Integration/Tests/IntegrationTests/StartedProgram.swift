import Foundation

/// A program of ours that runs beside the tests.
final class StartedProgram {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var buffer: [UInt8] = []

    /// Starts a built product.
    ///
    /// - Parameters:
    ///   - product: The name of an executable beside the test bundle.
    ///   - arguments: Its arguments.
    /// - Throws: What the system says when the program cannot be started.
    init(_ product: String, _ arguments: [String]) throws {
        process.executableURL = Self.folder.appending(path: product)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// Where the products of the build are.
    static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Waits for the next line of standard output; nil at its end.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            let block = output.fileHandleForReading.availableData
            guard !block.isEmpty else { return nil }
            buffer.append(contentsOf: block)
        }
    }

    /// Reads all that is left of standard output.
    func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        return lines
    }

    /// Kills the program as a crash or a dead battery does.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks the program to end, and waits until it has.
    func terminate() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Waits for the end.
    ///
    /// - Returns: The exit code, and what was written to standard error.
    func wait() -> (code: Int32, errors: String) {
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
