import ArgumentParser
import Foundation
import Ward

/// `ward-demo replay`: load, record, persist, upload.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Loads the chart, replays one shift of the ward and uploads its events."
    )

    @Option(help: "FHIR R4 NDJSON to load; without it a small set of our own.")
    var input: String?

    @Option(help: "The folder for the realm and the event files.")
    var out: String

    @Option(help: "The address of the server, such as http://127.0.0.1:8080.")
    var server: String

    @Option(help: "Where the counts are written as JSON.")
    var summary: String?

    @Option(help: "Where each step is noted when its completion is called, one line a step.")
    var ledger: String?

    @Option(help: "How many patients each nurse sees.")
    var rounds = 5

    func validate() throws {
        guard rounds >= 0, rounds <= 1000 else { throw ValidationError("--rounds takes a number from 0 to 1000.") }
        guard let url = URL(string: server), url.scheme == "http" || url.scheme == "https", url.host() != nil else {
            throw ValidationError("--server takes an address such as http://127.0.0.1:8080.")
        }
    }

    @MainActor
    func run() async throws {
        guard let server = URL(string: server) else { throw ValidationError("--server is not an address.") }
        let demo = WardDemo(
            input: input.map { URL(fileURLWithPath: $0) },
            folder: URL(fileURLWithPath: out, isDirectory: true),
            server: server,
            ledger: ledger.map { URL(fileURLWithPath: $0) },
            rounds: rounds
        )
        do {
            let counts = try await demo.run()
            if let summary { try counts.write(to: URL(fileURLWithPath: summary)) }
            guard counts.keptAside.isEmpty else { throw WardError.keptAside(counts.keptAside, folder: out) }
        } catch {
            FileHandle.standardError.write(Data("ward-demo: \(WardDemo.sentence(for: error))\n".utf8))
            throw ExitCode.failure
        }
    }
}
