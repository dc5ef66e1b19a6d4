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

    @OptionGroup var server: ServerOption

    @Option(help: "Where the counts are written as JSON.")
    var summary: String?

    @Option(help: "Where each step is noted when its completion is called, one line a step.")
    var ledger: String?

    @Option(help: "How many patients each nurse sees.")
    var rounds = 5

    func validate() throws {
        guard rounds >= 0, rounds <= 1000 else { throw ValidationError("--rounds takes a number from 0 to 1000.") }
    }

    @MainActor
    func run() async throws {
        let demo = WardDemo(
            input: input.map { URL(fileURLWithPath: $0) },
            folder: URL(fileURLWithPath: out, isDirectory: true),
            server: server.url,
            ledger: ledger.map { URL(fileURLWithPath: $0) },
            rounds: rounds
        )
        try await saying {
            let counts = try await demo.run()
            if let summary { try counts.write(to: URL(fileURLWithPath: summary)) }
            guard counts.keptAside.isEmpty else { throw WardError.keptAside(counts.keptAside, folder: out) }
        }
    }
}
