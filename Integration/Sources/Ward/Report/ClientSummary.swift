public import Foundation

/// What the client process counted, each number where its name says.
public struct ClientSummary: Codable, Equatable, Sendable {
    /// The patients among the lines of the input.
    public var patients: Int
    /// The observations among the lines of the input.
    public var observations: Int
    /// The scopes that were committed.
    public var scopes: UInt64
    /// The events that the recorder made out of captures and calls.
    public var recorded: UInt64
    /// The events that the event files had synced when their completion was called.
    public var persisted: UInt64
    /// The events that the upload saw proven by the server.
    public var uploaded: UInt64
    /// The events that are in a loss ledger.
    public var lost: UInt64
    /// The partitions that this run wrote, in their text form.
    public var partitions: [String]
    /// The partitions that are kept on the device because they are damaged or refused, in their text form.
    public var keptAside: [String]

    /// Creates a summary.
    public init(
        patients: Int,
        observations: Int,
        scopes: UInt64,
        recorded: UInt64,
        persisted: UInt64,
        uploaded: UInt64,
        lost: UInt64,
        partitions: [String],
        keptAside: [String] = []
    ) {
        self.patients = patients
        self.observations = observations
        self.scopes = scopes
        self.recorded = recorded
        self.persisted = persisted
        self.uploaded = uploaded
        self.lost = lost
        self.partitions = partitions
        self.keptAside = keptAside
    }

    /// Reads a summary that another process wrote.
    public init(contentsOf url: URL) throws {
        self = try JSONDecoder().decode(ClientSummary.self, from: Data(contentsOf: url))
    }

    /// Writes the summary for another process.
    public func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Adds up what several devices did.
    public init(_ devices: [ClientSummary]) {
        self.init(
            patients: devices.reduce(0) { $0 + $1.patients },
            observations: devices.reduce(0) { $0 + $1.observations },
            scopes: devices.reduce(0) { $0 + $1.scopes },
            recorded: devices.reduce(0) { $0 + $1.recorded },
            persisted: devices.reduce(0) { $0 + $1.persisted },
            uploaded: devices.reduce(0) { $0 + $1.uploaded },
            lost: devices.reduce(0) { $0 + $1.lost },
            partitions: devices.flatMap(\.partitions),
            keptAside: devices.flatMap(\.keptAside)
        )
    }
}
