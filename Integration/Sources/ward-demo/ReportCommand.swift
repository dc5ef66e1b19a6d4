import ArgumentParser
import Foundation
import Ward

/// `ward-demo report`: the last line of the demo.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Prints the counts of a run as one JSON object; fails when an event did not go the whole way."
    )

    @Option(help: "The counts that `ward-demo replay` wrote, and those of `ward-demo second`.")
    var summary: [String]

    @Option(help: "The outcome that `ward-demo compare` wrote; without it there was one device alone.")
    var comparison: String?

    @Option(help: "The output of `daybook events --json`.")
    var events: String

    @Option(help: "The output of `daybook verify --json`.")
    var verification: String

    @Option(help: "When the run began, in seconds since 1970.")
    var since: Double

    func run() throws {
        let report: DemoReport
        do {
            report = try DemoReport(
                devices: summary.map { try ClientSummary(contentsOf: URL(fileURLWithPath: $0)) },
                sync: comparison.map { try SyncSummary(contentsOf: URL(fileURLWithPath: $0)) },
                events: URL(fileURLWithPath: events),
                verification: URL(fileURLWithPath: verification),
                // LIVE: the run took until now.
                seconds: Date().timeIntervalSince1970 - since
            )
        } catch {
            FileHandle.standardError.write(Data("ward-demo: \(WardDemo.sentence(for: error))\n".utf8))
            throw ExitCode.failure
        }
        print(report.line)
        guard report.isWhole else {
            let sentence = "not every recorded event is stored and proven, or the devices differ."
            FileHandle.standardError.write(Data("ward-demo: \(sentence)\n".utf8))
            throw ExitCode.failure
        }
    }
}
