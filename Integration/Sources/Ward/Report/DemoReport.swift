public import Foundation

/// The last line of the demo: what the devices counted beside what the server stores and the verifier proved.
public struct DemoReport: Equatable, Sendable {
    /// What can be wrong with the files that the report is made of.
    public enum Problem: Error, Equatable, CustomStringConvertible {
        /// Thrown when a line that `daybook` printed is not the JSON that it promises.
        case unreadableLine(file: String, line: Int)

        /// A sentence that names the file and the line.
        public var description: String {
            switch self {
            case .unreadableLine(let file, let line): "Line \(line) of \(file) is not what daybook prints."
            }
        }
    }

    private struct StoredEvent: Decodable {
        let _partition: String
    }

    private struct VerifiedPartition: Decodable {
        let partition: String
        let events: Int
        let verified: Bool
    }

    /// What the devices counted, together.
    public let client: ClientSummary
    /// What a comparison of the devices found; nil where there was one device alone.
    public let sync: SyncSummary?
    /// The events of this run's partitions that the server gave back.
    public let stored: Int
    /// The events of this run's partitions that the verifier proved.
    public let verified: Int
    /// How long the run took, in seconds.
    public let seconds: Double

    /// Whether every event went the whole way, and the devices hold the same.
    public var isWhole: Bool {
        sync?.differences.isEmpty != false && client.recorded == client.persisted && client.persisted == client.uploaded
            && client.uploaded == UInt64(stored) && stored == verified && lost == 0
    }

    /// The events that were recorded and are not stored, or that a ledger names.
    public var lost: Int {
        max(0, Int(client.recorded) - stored) + Int(client.lost)
    }

    /// Counts what `daybook` printed.
    ///
    /// - Parameters:
    ///   - devices: What each device counted.
    ///   - sync: What a comparison of the devices found; nil where there was one device alone.
    ///   - events: The lines of `daybook events --json`.
    ///   - verification: The lines of `daybook verify --json`.
    ///   - seconds: How long the run took.
    /// - Throws: ``Problem``, or what the system says about a file.
    public init(
        devices: [ClientSummary],
        sync: SyncSummary? = nil,
        events: URL,
        verification: URL,
        seconds: Double
    ) throws {
        let client = ClientSummary(devices)
        let partitions = Set(client.partitions)
        var stored = 0
        try Self.eachLine(of: events) { (event: StoredEvent) in
            if partitions.contains(event._partition) { stored += 1 }
        }
        var verified = 0
        try Self.eachLine(of: verification) { (partition: VerifiedPartition) in
            if partitions.contains(partition.partition), partition.verified { verified += partition.events }
        }
        self.client = client
        self.sync = sync
        self.stored = stored
        self.verified = verified
        self.seconds = seconds
    }

    /// The JSON object of the demo's last line.
    public var line: String {
        let fields: [(String, String)] = [
            ("patients", "\(client.patients)"), ("observations", "\(client.observations)"),
            ("scopes", "\(client.scopes)"), ("recorded", "\(client.recorded)"),
            ("persisted", "\(client.persisted)"), ("uploaded", "\(client.uploaded)"),
            ("stored", "\(stored)"), ("verified", "\(verified)"), ("lost", "\(lost)"),
        ]
        let synced = sync.map { [("synced", "\($0.changes)")] } ?? []
        let time = [("seconds", "\((seconds * 1000).rounded() / 1000)")]
        return "{\((fields + synced + time).map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", "))}"
    }

    private static func eachLine<T: Decodable>(of url: URL, _ body: (T) -> Void) throws {
        var reader = try LineReader(url: url)
        let decoder = JSONDecoder()
        var number = 0
        while let line = try reader.next() {
            number += 1
            guard case .text(let bytes) = line else {
                throw Problem.unreadableLine(file: url.lastPathComponent, line: number)
            }
            if bytes.isEmpty { continue }
            do {
                body(try decoder.decode(T.self, from: Data(bytes)))
            } catch {
                throw Problem.unreadableLine(file: url.lastPathComponent, line: number)
            }
        }
    }
}
