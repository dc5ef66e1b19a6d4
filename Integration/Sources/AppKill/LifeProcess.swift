import EventModelTesting
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

    /// Kills the process at a random moment, and reads what it had said.
    ///
    /// - Returns: All its lines; nil when it ended by itself.
    func killed(_ random: inout SeededGenerator) -> [String]? {
        // Some die while they open the realm, some after many lines.
        let awaited = max(0, Int.random(in: -20...40, using: &random))
        var lines: [String] = []
        while lines.count < awaited, let line = nextLine() { lines.append(line) }
        Self.spin(milliseconds: Double.random(in: 0...(awaited == 0 ? 120 : 15), using: &random))
        kill(process.processIdentifier, SIGKILL)
        lines += rest()
        let wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        return wasKilled ? lines : nil
    }

    /// Lets a process go on; a sleep would end at the ticks of the system's clock.
    private static func spin(milliseconds: Double) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {}
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
