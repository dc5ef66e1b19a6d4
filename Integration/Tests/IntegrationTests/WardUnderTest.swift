import AuditServerTesting
import EventModelTesting
import Foundation
import GRDB
import Testing
import Ward

/// A server and the folders of a client, for one test.
final class WardUnderTest {
    struct StoredEvent {
        let id: String
        let activity: String
        let step: String
    }

    let folder: URL
    let url: String
    private var server: StartedProgram

    /// Starts a server.
    ///
    /// - Parameter configuration: The text of its configuration file; none by default, so that it is in Development Mode.
    /// - Throws: What starting it throws.
    init(_ configuration: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ward-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let configuration {
            try Data(configuration.utf8).write(to: Self.configuration(folder))
        }
        (server, url) = try Self.startServer(folder, port: "0")
    }

    private static func configuration(_ folder: URL) -> URL { folder.appending(path: "daybook.json5") }

    private static func startServer(_ folder: URL, port: String) throws -> (StartedProgram, url: String) {
        let configuration = configuration(folder).path
        let isConfigured = FileManager.default.fileExists(atPath: configuration)
        let server = try StartedProgram(
            "daybook",
            ["serve", "--data", folder.appending(path: "server").path, "--port", port]
                + (isConfigured ? ["--config", configuration] : [])
        )
        let line = try #require(server.nextLine(), "the server did not start")
        return (server, String(try #require(line.split(separator: " ").last)))
    }

    /// Kills the server as a power cut does.
    func killServer() {
        server.kill()
    }

    /// Starts the server again, where it was.
    func restartServer() throws {
        let port = try #require(url.split(separator: ":").last)
        (server, _) = try Self.startServer(folder, port: String(port))
    }

    func end() {
        server.terminate()
        do {
            try FileManager.default.removeTestFolder(folder)
        } catch {
            Issue.record("The folder of the test cannot be removed: \(error)")
        }
    }

    private var replayArguments: [String] {
        [
            "replay", "--out", folder.appending(path: "client").path, "--server", url, "--rounds", "4",
            "--ledger", folder.appending(path: "ledger.txt").path,
            "--summary", folder.appending(path: "summary.json").path,
        ]
    }

    /// Starts the client.
    func startReplay() throws -> StartedProgram {
        try StartedProgram("ward-demo", replayArguments)
    }

    /// Runs the client to its end.
    func replay() throws -> (code: Int32, errors: String) {
        let client = try startReplay()
        _ = client.remainingLines()
        return client.wait()
    }

    /// Starts the second device, and returns when its realm is open.
    func startSecond() throws -> StartedProgram {
        let second = try StartedProgram(
            "ward-demo",
            [
                "second", "--out", folder.appending(path: "second").path, "--server", url,
                "--summary", folder.appending(path: "second.json").path,
            ]
        )
        while let line = second.nextLine() {
            if line.hasSuffix("is ready.") { return second }
        }
        Issue.record("The second device was never ready: \(second.wait().errors)")
        return second
    }

    /// Compares both devices.
    func compare() throws -> (code: Int32, lines: [String], found: SyncSummary) {
        let file = folder.appending(path: "comparison.json")
        let devices = ["client", "second"].map { folder.appending(path: $0).path }
        let comparison = try StartedProgram(
            "ward-demo",
            ["compare"] + devices + ["--server", url, "--summary", file.path]
        )
        let lines = comparison.remainingLines()
        let result = comparison.wait()
        #expect(result.errors == "")
        return (result.code, lines, try SyncSummary(contentsOf: file))
    }

    /// Runs the client until it prints a line that begins so, and kills it there.
    func killReplay(at beginning: String) throws {
        let client = try startReplay()
        var seen: [String] = []
        while let line = client.nextLine() {
            seen.append(line)
            if line.hasPrefix(beginning) {
                client.kill()
                return
            }
        }
        Issue.record("The client never printed '\(beginning)', but: \(seen); \(client.wait().errors)")
    }

    /// The steps whose completion was called, from the ledger that the client wrote.
    func promisedSteps() -> [String] {
        guard let data = FileManager.default.contents(atPath: folder.appending(path: "ledger.txt").path) else {
            return []
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private var auditorOptions: [String] { options(of: "auditor") }

    private func options(of role: String) -> [String] {
        ["--server", url, "--token-file", folder.appending(path: "server/\(role).token").path]
    }

    /// Runs `daybook schema classes` with the token of a role, and returns what it writes.
    func classes(_ arguments: [String] = [], as role: String) throws -> [String] {
        let command = try StartedProgram("daybook", ["schema", "classes"] + arguments + options(of: role))
        let lines = command.remainingLines()
        let result = command.wait()
        #expect(result.code == 0, "\(result.errors)")
        return lines
    }

    /// Reads every event back from the server.
    func storedEvents() throws -> [StoredEvent] {
        let reader = try StartedProgram("daybook", ["events", "--json"] + auditorOptions)
        let lines = reader.remainingLines()
        let result = reader.wait()
        #expect(result.code == 0, "\(result.errors)")
        return try lines.map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return StoredEvent(
                id: try #require(object["_id"] as? String),
                activity: try #require(object["activity"] as? String),
                step: try #require(object["step"] as? String)
            )
        }
    }

    /// Recomputes every proof.
    ///
    /// - Returns: The exit code and the lines that were printed.
    func verify() throws -> (code: Int32, lines: [String]) {
        let verifier = try StartedProgram("daybook", ["verify"] + auditorOptions)
        let lines = verifier.remainingLines()
        return (verifier.wait().code, lines)
    }

    /// Flips a bit in the middle of the client's only event file.
    func damageEventFile() throws {
        let name = try #require(remainingEventFiles().first)
        let url = folder.appending(path: "client").appending(path: name)
        var bytes = try Data(contentsOf: url)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: url)
    }

    /// Changes one event in the server's database, behind the server's back.
    func tamper() throws {
        let database = try DatabaseQueue.beside(folder.appending(path: "server/events.sqlite").path)
        try database.write { database in
            try database.execute(
                sql: "UPDATE AuditEvent SET activity = 'tampered' WHERE rowid = (SELECT min(rowid) FROM AuditEvent)"
            )
            #expect(database.changesCount == 1)
        }
    }

    /// What the last whole run of the client counted.
    func summary() throws -> ClientSummary {
        try ClientSummary(contentsOf: folder.appending(path: "summary.json"))
    }

    /// What the second device counted.
    func secondSummary() throws -> ClientSummary {
        try ClientSummary(contentsOf: folder.appending(path: "second.json"))
    }

    /// The event files that the client still has.
    func remainingEventFiles() -> [String] {
        let files = FileManager.default.enumerator(atPath: folder.appending(path: "client").path)
        return (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".events") }
    }
}
