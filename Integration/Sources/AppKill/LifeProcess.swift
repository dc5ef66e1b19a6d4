import Foundation

/// One process of the app, and what it says.
final class LifeProcess {
    /// After how many seconds a process is killed that nobody killed before: it hangs.
    private static let patienceSeconds = 120.0

    private let process = Process()
    private let output = Pipe()
    private var buffer: [UInt8] = []

    /// Starts the app.
    ///
    /// - Throws: What the system says when the program cannot be started.
    init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + Self.patienceSeconds) { [weak process] in
                guard let process, process.isRunning else { return }
                kill(process.processIdentifier, SIGKILL)
            }
    }

    /// Waits for the next line; nil when the process has ended.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            let block = output.fileHandleForReading.availableData
            // Half a line of a killed process says nothing.
            guard !block.isEmpty else { return nil }
            buffer.append(contentsOf: block)
        }
    }

    /// Kills the process, and reads what it had said.
    ///
    /// - Returns: Whether it was still there, and the lines.
    func end() -> (wasKilled: Bool, lines: [String]) {
        kill(process.processIdentifier, SIGKILL)
        let lines = rest()
        return (process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL, lines)
    }

    /// Waits for the end.
    ///
    /// - Returns: Whether it ended well, and the lines.
    func wait() -> (hasSucceeded: Bool, lines: [String]) {
        let lines = rest()
        return (process.terminationReason == .exit && process.terminationStatus == 0, lines)
    }

    private func rest() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }
}
