import Dispatch
import Foundation

/// A shell that runs a script as a user whom PostgreSQL accepts: its programs refuse to run as root.
///
/// The first argument of the script is the folder with those programs. Its input ends with the last reference, or with this
/// process.
final class Shell: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let input: FileHandle
    private let output: FileHandle

    init(_ script: String, _ arguments: [String] = []) throws {
        guard let programs = PostgreSQLServer.programs else {
            throw Failure(description: "PostgreSQL is not installed")
        }
        let process = Process()
        let command = ["/bin/sh", "-c", script, "sh", programs] + arguments
        if getuid() == 0 {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["runuser", "-u", "nobody", "--"] + command
        } else {
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
        }
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
    }

    /// Returns the first line that the script prints.
    ///
    /// - Throws: When the script ends without one.
    func line() async throws -> String {
        let bytes = await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async { [output] in
                    var bytes = Data()
                    while bytes.last != 0x0A {
                        let next = output.availableData
                        if next.isEmpty { break }
                        bytes += next
                    }
                    continuation.resume(returning: bytes)
                }
        }
        guard bytes.last == 0x0A else {
            throw Failure(description: "the script ended before it was done; what it wrote to stderr is above")
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
