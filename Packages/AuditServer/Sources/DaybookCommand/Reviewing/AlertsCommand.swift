import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel
import EventModel

/// `daybook alerts`: lists what reviewers are to look at.
struct AlertsCommand: AsyncParsableCommand {
    /// Which alerts are listed.
    enum State: String, ExpressibleByArgument, CaseIterable {
        case open, acknowledged, all
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "alerts",
            abstract: "Lists the alerts of a server, the newest first.",
            discussion: """
                An auditor's token is enough; reviewers acknowledge alerts in the console.

                  daybook alerts --server http://127.0.0.1:8080 \\
                      --token-file ./daybook-data/auditor.token
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Option(help: "Which alerts: open, acknowledged or all.")
    var state = State.open

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    private struct Page: Decodable {
        let alerts: [AlertLine]
        let after: String?
    }

    func run() async throws {
        let remote = try server.remote()
        var query: [ExactText: String] = ["state": state.rawValue, "limit": "500"]
        repeat {
            let page = try remote.decode(Page.self, from: try await remote.get("alerts", query).body)
            let lines = try json ? EventLine.lines(page.alerts) : Array(page.alerts.map(Self.row).joined().utf8)
            StandardOutput.write(lines)
            query["after"] = page.after
        } while query["after"] != nil
    }

    /// Writes an alert as one row.
    static func row(_ alert: AlertLine) -> String {
        let object = [alert.objectClass, alert.key].compactMap(\.self).joined(separator: " ")
        let place = alert.partition.map { partition in alert.sequence.map { "\(partition)/\($0)" } ?? partition }
        let cells = [
            alert.id, alert.raised, alert.kind, PlainText.cut(alert.rule, 40), PlainText.cut(alert.person ?? "", 40),
            PlainText.cut(object, 60), PlainText.cut(place ?? "", 160), alert.answer == nil ? "open" : "acknowledged",
        ]
        return cells.filter { !$0.isEmpty }.joined(separator: "  ") + "\n"
    }
}
