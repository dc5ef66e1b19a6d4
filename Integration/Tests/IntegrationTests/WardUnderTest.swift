import Foundation
import Testing

/// A server and the folders of a client, for one test.
final class WardUnderTest {
    struct StoredEvent {
        let id: String
        let step: String
    }

    let folder: URL
    let url: String
    private let server: RunningProgram

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ward-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try RunningProgram(
            "daybook",
            ["serve", "--data", folder.appending(path: "server").path, "--port", "0"]
        )
        let line = try #require(server.nextLine())
        url = String(try #require(line.split(separator: " ").last))
    }

    func end() {
        server.terminate()
        do {
            try FileManager.default.removeItem(at: folder)
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

    /// Runs the client to its end.
    func replay() throws -> (code: Int32, errors: String) {
        let client = try RunningProgram("ward-demo", replayArguments)
        _ = client.remainingLines()
        return client.wait()
    }

    /// Runs the client until it prints a line that begins so, and kills it there.
    func killReplay(at beginning: String) throws {
        let client = try RunningProgram("ward-demo", replayArguments)
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

    private var auditorOptions: [String] {
        ["--server", url, "--token-file", folder.appending(path: "server/auditor.token").path]
    }

    /// Reads every event back from the server.
    func storedEvents() throws -> [StoredEvent] {
        let reader = try RunningProgram("daybook", ["events", "--json"] + auditorOptions)
        let lines = reader.remainingLines()
        let result = reader.wait()
        #expect(result.code == 0, "\(result.errors)")
        return try lines.map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return StoredEvent(
                id: try #require(object["_id"] as? String),
                step: try #require(object["step"] as? String)
            )
        }
    }

    /// Recomputes every proof.
    func verify() throws -> (code: Int32, errors: String) {
        let verifier = try RunningProgram("daybook", ["verify"] + auditorOptions)
        _ = verifier.remainingLines()
        return verifier.wait()
    }

    /// The event files that the client still has.
    func remainingEventFiles() -> [String] {
        let files = FileManager.default.enumerator(atPath: folder.appending(path: "client").path)
        return (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".events") }
    }
}
