import ArgumentParser
import Foundation
import Ward

/// `ward-demo report`: the last line of the demo.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Prints the counts of a run as one JSON object; fails when an event did not go the whole way."
    )

    @Option(help: "The counts that `ward-demo replay` wrote.")
    var summary: String

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
                client: ClientSummary(contentsOf: URL(fileURLWithPath: summary)),
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
            FileHandle.standardError.write(Data("ward-demo: not every recorded event is stored and proven.\n".utf8))
            throw ExitCode.failure
        }
    }
}
