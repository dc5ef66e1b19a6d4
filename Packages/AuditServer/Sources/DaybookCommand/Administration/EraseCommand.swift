import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditKeeping
import AuditModel

/// `daybook erase`: says what an erasure would take, and erases it when that is confirmed.
struct EraseCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "erase",
            abstract: "Erases events by destroying their keys; their hashes and all proofs stay.",
            discussion: """
                First see what would go, then confirm the number of events and say why:

                  daybook erase --server URL --token-file administrator.token \\
                      --class Patient --key p-17
                  daybook erase --server URL --token-file administrator.token \\
                      --class Patient --key p-17 --confirm 12 \\
                      --reason "Request of 3 May"

                An event that shows several objects goes as a whole. What a hold keeps is not erased.
                """
        )
    }

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Which events") var events: KeepingOptions

    @Flag(help: "Only say what would go; the default.")
    var dryRun = false

    @Option(help: ArgumentHelp("Erase, if this many events fit, as the dry run said.", valueName: "count"))
    var confirm: Int?

    @Option(help: "Why; it is recorded.")
    var reason: String?

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    private struct Question: Encodable {
        let filter: KeepingFilter
    }

    private struct Order: Encodable {
        let filter: KeepingFilter
        let reason: String
        let events: Int
    }

    func validate() throws {
        guard confirm == nil || !dryRun else {
            throw ValidationError("A dry run erases nothing: give --dry-run or --confirm.")
        }
        guard (confirm == nil) == (reason == nil) else {
            throw ValidationError("An erasure is confirmed with its reason: give --confirm and --reason together.")
        }
    }

    func run() async throws {
        let remote = try server.remote()
        let filter = try events.filter()
        guard let confirm, let reason else {
            let answer = try await remote.change("POST", "erasures/preview", Question(filter: filter))
            let preview = try remote.decode(ErasurePreview.self, from: answer)
            if json { return StandardOutput.write(try EventLine.lines([preview])) }
            return StandardOutput.write(preview.text)
        }
        let order = Order(filter: filter, reason: reason, events: confirm)
        let record = try remote.decode(ErasureRecord.self, from: try await remote.change("POST", "erasures", order))
        if json { return StandardOutput.write(try EventLine.lines([record])) }
        StandardOutput.write(record.row)
    }
}

/// `daybook erasures`: lists what was erased, when and why.
struct ErasuresCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "erasures",
            abstract: "Lists erasures and what expired, with the reasons.",
            discussion: """
                  daybook erasures --server URL --token-file auditor.token
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let records = try await server.remote().list(ErasureRecord.self, "erasures")
        if json { return StandardOutput.write(try EventLine.lines(records)) }
        StandardOutput.write(records.map(\.row).joined())
    }
}

extension ErasureRecord {
    /// A line for people.
    var row: String {
        let result = result.map { "\($0.events) events" } ?? "under way"
        return
            "\(number)  \(order.begun.at)  \(order.kind.rawValue)  \(result)  \(PlainText.cut(order.begun.reason, 80))\n"
    }
}

extension ErasurePreview {
    /// What would go, for people.
    fileprivate var text: String {
        var lines = ["\(events) events would be erased"]
        lines += apps.sorted { $0.key < $1.key }.map { "  \($0.value) of app \(PlainText.cut($0.key, 64))" }
        if withOtherObjects > 0 {
            lines.append("  \(withOtherObjects) of them show other objects, too, and go as a whole")
        }
        lines += held.sorted { $0.key < $1.key }
            .map {
                "\($0.value) events are kept by the hold '\(PlainText.cut($0.key, 128))', which blocks the erasure"
            }
        if damaged > 0 { lines.append("\(damaged) events are not what was received, and stay") }
        lines += places.map { "  \($0.partition)/\($0.sequence)  received \($0.received ?? "-")" }
        if events > places.count { lines.append("  and \(events - places.count) more") }
        return lines.map { "\($0)\n" }.joined()
    }
}
