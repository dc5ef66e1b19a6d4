import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditKeeping
import AuditModel
import EventModel

/// `daybook retention`: shows how long events are kept, and has the server erase what has expired.
struct RetentionCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "retention",
            abstract: "Shows how long events are kept, and how many have expired.",
            discussion: """
                The configuration of the server says how long. It erases what has expired by itself, every hour, and a \
                part of all events in a day at most; --run has it do so now. With --confirm as many go as you say, \
                which is in the trail with your reason.

                Nothing expires while the server's clock is not where it should be. Have it set, or say that it is \
                right with --believe-clock.

                  daybook retention --server URL --token-file auditor.token
                  daybook retention --server URL --token-file administrator.token --run
                  daybook retention --server URL --token-file administrator.token \\
                      --run --confirm 25000 --reason "New rule of May"
                """
        )
    }

    /// How many events one request lets expire.
    private static let eventsPerRequest = 100_000

    @OptionGroup var server: ServerOptions

    @Flag(help: "Count what has expired and erase nothing; the default.")
    var dryRun = false

    @Flag(name: .customLong("run"), help: "Erase what has expired now.")
    var erasesNow = false

    @Option(help: ArgumentHelp("With --run: erase up to so many, also beyond a day's part.", valueName: "count"))
    var confirm: Int?

    @Flag(help: "Say that the server's clock is right.")
    var believeClock = false

    @Option(help: "Why, for --confirm and --believe-clock.")
    var reason: String?

    @Flag(help: "Write one JSON object per line.")
    var json = false

    private struct Expiry: Encodable {
        let events: Int
        let reason: String
    }

    private struct Clock: Codable {
        let now: String
        let isBelieved: Bool
        let aheadSeconds: Int64
    }

    func validate() throws {
        guard !erasesNow || !dryRun else { throw ValidationError("A dry run erases nothing: give --dry-run or --run.") }
        guard !believeClock || !(erasesNow || dryRun) else {
            throw ValidationError("Say that the clock is right first, with --believe-clock alone.")
        }
        guard confirm == nil || erasesNow else { throw ValidationError("--confirm is for --run.") }
        guard (confirm ?? 1) > 0 else { throw ValidationError("--confirm is a number of events, 1 or more.") }
        guard (reason != nil) == (confirm != nil || believeClock) else {
            throw ValidationError("--confirm and --believe-clock need a --reason, which is for them alone.")
        }
    }

    func run() async throws {
        let remote = try server.remote()
        if believeClock { return try await believe(remote) }
        if erasesNow {
            let records = try await expire(remote)
            if json { return StandardOutput.write(try EventLine.lines(records)) }
            return StandardOutput.write(records.isEmpty ? "no events have expired\n" : records.map(\.row).joined())
        }
        let answer = try await remote.get("retention", ["count": "yes"]).body
        let lines = try remote.decode([RetentionLine].self, from: answer)
        if json { return StandardOutput.write(try EventLine.lines(lines)) }
        StandardOutput.write(lines.isEmpty ? "events are kept for ever\n" : lines.map(\.row).joined())
        if lines.isEmpty { return }
        let clock = try remote.decode(Clock.self, from: await remote.get("retention/clock").body)
        if !clock.isBelieved {
            StandardOutput.remark(
                """
                Nothing expires: the server's clock says \(clock.now), \(clock.aheadSeconds / 3600) hours ahead of where \
                it should be. Have it set, or say that it is right with --believe-clock.
                """
            )
        }
    }

    private func expire(_ remote: RemoteServer) async throws -> [ErasureRecord] {
        guard var left = confirm, let reason else {
            return try remote.decode([ErasureRecord].self, from: try await remote.change("POST", "retention"))
        }
        var records: [ErasureRecord] = []
        while left > 0 {
            let order = Expiry(events: min(left, Self.eventsPerRequest), reason: reason)
            let answer = try await remote.change("POST", "retention", order)
            let some = try remote.decode([ErasureRecord].self, from: answer)
            records += some
            let count = some.reduce(0) { $0 + Int(clamping: $1.result?.events ?? 0) }
            if count < order.events { break }
            left -= count
        }
        return records
    }

    private func believe(_ remote: RemoteServer) async throws {
        let answer = try await remote.change("POST", "retention/clock", ["reason": reason ?? ""])
        let clock = try remote.decode(Clock.self, from: answer)
        if json { return StandardOutput.write(try EventLine.lines([clock])) }
        StandardOutput.write("The server's clock, \(clock.now), is believed.\n")
    }
}

extension RetentionLine {
    /// A line for people.
    fileprivate var row: String {
        let types = events.sorted { $0.key < $1.key }.map { "\(PlainText.cut($0.key, 40)) \($0.value) days" }
        let logs = realmHistoryDays.map { ["logs of realms \($0) days"] } ?? []
        let rule = ([days.map { "\($0) days" } ?? "for ever"] + types + logs).joined(separator: ", ")
        let held = held?.values.reduce(0, +) ?? 0
        let kept = held > 0 ? ", \(held) are kept by holds" : ""
        let isBeyond = (expired ?? 0) > (allowed ?? .max)
        let part = isBeyond ? ", \(allowed ?? 0) of them may go now without --confirm" : ""
        return "\(app)  \(rule)  \(expired ?? 0) events have expired\(kept)\(part)\n"
    }
}
