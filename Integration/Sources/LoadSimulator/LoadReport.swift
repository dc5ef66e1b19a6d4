/// What a simulation showed.
public struct LoadReport: Sendable, Hashable, Encodable {
    /// The seed.
    public let seed: UInt64
    /// How many devices there were.
    public let devices: Int
    /// How many events they recorded, all of which the server must have.
    public let events: Int
    /// How many uploads were answered with a proof.
    public let uploads: Int
    /// From the first log-in until the last upload, in seconds.
    public let seconds: Double
    /// Milliseconds that half of the uploads did not exceed, those over slow links too; nil without any.
    public let p50Milliseconds: Double?
    /// Milliseconds that 99 of 100 uploads did not exceed, those over slow links too; nil without any.
    public let p99Milliseconds: Double?
    /// The most memory that the server had, in megabytes; nil where the system does not say.
    public let serverMegabytes: Double?
    /// How often each fault was made.
    public let faults: [String: Int]
    /// How many uploads were refused, by status.
    public let refusals: [String: Int]
    /// What must not be; empty when all is well.
    public let problems: [String]

    /// The report as one line of JSON, its keys in order.
    public func json() throws -> String { try ReportFigures.json(self) }
}

extension LoadReport: LoadOutcome {
    /// The report for people.
    public var description: String {
        func list(_ counts: [String: Int]) -> String { ReportFigures.list(counts) }
        func figure(_ number: Double?) -> String { ReportFigures.figure(number) }
        var lines = [
            "\(devices) devices, seed \(seed): \(events) events in \(uploads) uploads, \(figure(seconds)) s",
            "  \(figure(Double(events) / seconds)) events/s, \(figure(Double(uploads) / seconds)) uploads/s",
            "  an upload: p50 \(figure(p50Milliseconds)) ms, p99 \(figure(p99Milliseconds)) ms, slow links included",
            "  memory of the server: \(figure(serverMegabytes)) MB",
            "  faults: \(list(faults))",
            "  refusals by status: \(list(refusals))",
        ]
        lines += problems.map { "  WRONG: \($0)" }
        lines.append(
            problems.isEmpty
                ? "Every event is stored once, and every root is the device's." : "\(problems.count) problems."
        )
        return lines.joined(separator: "\n")
    }
}
