/// What a simulation of devices that share realms showed.
public struct RealmLoadReport: Sendable, Hashable, Encodable {
    /// The seed.
    public let seed: UInt64
    /// How many devices there were.
    public let devices: Int
    /// How many realms they shared.
    public let realms: Int
    /// How many of the devices were in the foreground at once at most.
    public let foreground: Int
    /// How many transactions they committed, each of which every device of the realm must have once.
    public let changes: Int
    /// How many requests were made, by what they are for.
    public let requests: [String: Int]
    /// From the first log-in until the last device had everything, in seconds.
    public let seconds: Double
    /// How much of that was the end, when networks were good and the rest was exchanged, in seconds.
    public let settlingSeconds: Double
    /// Milliseconds that half of the uploads did not exceed, those over slow links too; nil without any.
    public let p50Milliseconds: Double?
    /// Milliseconds that 99 of 100 uploads did not exceed, those over slow links too; nil without any.
    public let p99Milliseconds: Double?
    /// The most memory that the server had, in megabytes; nil where the system does not say.
    public let serverMegabytes: Double?
    /// The most memory that all devices together had, in megabytes; nil where the system does not say.
    public let devicesMegabytes: Double?
    /// The most files and connections that the devices had open; nil where the system does not say.
    public let openFiles: Int?
    /// The most threads that the devices had; nil where the system does not say.
    public let threads: Int?
    /// How often each fault was made.
    public let faults: [String: Int]
    /// How many requests were refused, by status.
    public let refusals: [String: Int]
    /// How many writes the server undid, because of what another device did before.
    public let undoneWrites: Int
    /// What must not be; empty when all is well.
    public let problems: [String]

    /// The report as one line of JSON, its keys in order.
    public func json() throws -> String { try ReportFigures.json(self) }
}

extension RealmLoadReport: LoadOutcome {
    /// The report for people.
    public var description: String {
        func figure(_ number: Double?) -> String { ReportFigures.figure(number) }
        func count(_ number: Int?) -> String { number.map { "\($0)" } ?? "unknown" }
        var lines = [
            "\(devices) devices in \(realms) realms, \(foreground) of them at once, seed \(seed): "
                + "\(changes) changes, \(figure(seconds)) s, \(figure(settlingSeconds)) of them the end",
            "  requests: \(ReportFigures.list(requests))",
            "  an upload: p50 \(figure(p50Milliseconds)) ms, p99 \(figure(p99Milliseconds)) ms, "
                + "slow links included",
            "  memory of the server: \(figure(serverMegabytes)) MB",
            "  the devices: \(figure(devicesMegabytes)) MB, \(count(openFiles)) files and connections, "
                + "\(count(threads)) threads",
            "  faults: \(ReportFigures.list(faults))",
            "  refusals by status: \(ReportFigures.list(refusals)); \(undoneWrites) writes undone",
        ]
        lines += problems.map { "  WRONG: \($0)" }
        let good = "All devices of each realm have the same, a new one too: every change once, as what was posted."
        lines.append(problems.isEmpty ? good : "\(problems.count) problems.")
        return lines.joined(separator: "\n")
    }
}
