import Foundation
import Testing

@Suite("Types of the console's scripts", .enabled(if: TypeScript.isInstalled, "tsc is not installed"))
struct ScriptTypesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
        .standardizedFileURL

    /// Runs the step of `Tools/lint` on the settings and types of the console with other scripts, and returns what it prints.
    private static func check(_ scripts: [String: String]) throws -> String {
        let files = FileManager.default
        let console = root.appending(path: "Packages/AuditServer/Sources/AuditConsole")
        let folder = files.temporaryDirectory.appending(path: "script-types-\(UUID().uuidString)")
        try files.createDirectory(at: folder.appending(path: "Resources"), withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }  // What is left of it is in the system's temporary folder.
        for name in ["jsconfig.json", "Types"] {
            try files.copyItem(at: console.appending(path: name), to: folder.appending(path: name))
        }
        for (name, text) in scripts {
            try Data(text.utf8).write(to: folder.appending(path: "Resources/\(name)"))
        }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-euc",
            #"root=$1; . "$root/Tools/lib/common.sh"; . "$root/Tools/lib/script-types.sh"; check_script_types "$2""#,
            "bash", root.path, folder.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self)
    }

    @Test("a script whose types fit passes")
    func fitting() throws {
        let script = """
            /** @param {Volume} volume */
            export const total = (volume) => volume.counts.reduce((sum, number) => sum + number, 0)
            """

        #expect(try Self.check(["total.js": script]) == "ok script-types\n")
    }

    @Test("a wrong type, a value that may be missing, a parameter without a type and what nobody uses fail the check")
    func failing() throws {
        let script = """
            /** @param {EventLine} line */
            export const wrong = (line) => line.sequense
            /** @param {EventLine} line */
            export const missing = (line) => line.user.length
            export const untyped = (line) => line
            const unused = 1
            """

        let printed = try Self.check(["wrong.js": script])

        for line in [2, 4, 5, 6] { #expect(printed.contains("wrong.js(\(line),")) }
        #expect(printed.split(separator: "\n").last?.hasPrefix("FAILED script-types") == true)
    }
}

/// Apart from the suite, whose own attribute asks for it.
private enum TypeScript {
    static let isInstalled = ["/usr/bin/tsc", "/usr/local/bin/tsc", "/opt/homebrew/bin/tsc"]
        .contains { FileManager.default.isExecutableFile(atPath: $0) }
}
