#if os(macOS) || os(Linux)
import Foundation

/// A reader of ours in Python, which is written from documents alone and shares no code with what it reads.
///
/// ```swift
/// let reader = PythonReader("tiles.py")
/// #expect(try reader.said(of: [folder]).hasPrefix("verified"))
/// ```
public struct PythonReader: Sendable {
    private let script: String

    /// Names a reader by its name in `Tools/lib` of this repository.
    public init(_ name: String) {
        script =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Tools/lib/\(name)").standardizedFileURL.path
    }

    /// Whether there is a Python to read with: a machine without it has none of its errors, either.
    public static let isThere = (try? run(["--version"])) != nil

    /// Runs the reader and returns everything that it says.
    ///
    /// - Parameter arguments: What it is to read.
    /// - Returns: Its output.
    /// - Throws: `CocoaError` when it ends otherwise than by finding nothing, or something, wrong.
    public func said(of arguments: [String]) throws -> String { try Self.run([script] + arguments) }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // 1 is a problem that was found; anything else is one of the reader.
        guard process.terminationReason == .exit, process.terminationStatus <= 1 else {
            throw CocoaError(.executableLoad)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
#endif
