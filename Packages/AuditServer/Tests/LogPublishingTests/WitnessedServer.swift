import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import LogPublishing

/// One process of a server: a store, its published log, and who asks its witnesses.
struct WitnessedServer {
    let store: InMemoryEventStore
    let publisher: LogPublisher
    let cosigned: CosignedLog
    let folder: LogFolder
    private(set) var askers: [WitnessAsker]
    private var file: CosignedFile

    init(_ store: InMemoryEventStore, in folder: LogFolder, witnesses: [SampleWitness], quorum: Int? = nil) throws {
        let signer = try SampleDevice.serverKey.logSigner(origin: "example.com/daybook")
        self.store = store
        self.folder = folder
        publisher = LogPublisher(log: store, folder: folder, signer: signer)
        let settings = try WitnessSettings(witnesses.map { try $0.address }, quorum: quorum)
        cosigned = try CosignedLog(settings, of: publisher.verifierKey)
        askers = try witnesses.map { WitnessAsker(try $0.address, log: store, transport: $0) }
        file = CosignedFile(in: folder)
    }

    /// Publishes as the service does.
    mutating func publish(at reading: ClockReading) async throws {
        try await file.restore(cosigned, of: store, at: reading)
        guard let newest = try await publisher.publish() else { return }
        cosigned.advance(to: newest, at: reading)
        try file.save(cosigned)
    }

    /// Asks those witnesses that are due, one after the other.
    ///
    /// - Returns: What was wrong with each of them.
    mutating func ask(at reading: ClockReading) async -> [WitnessConcern?] {
        guard let newest = publisher.newest else { return [] }
        var concerns: [WitnessConcern?] = []
        for place in askers.indices where askers[place].isDue(for: newest, at: reading) {
            concerns.append(await askers[place].ask(for: newest, of: cosigned, at: reading))
        }
        return concerns
    }

    /// Asks one of them, due or not.
    mutating func ask(_ place: Int, at reading: ClockReading) async -> WitnessConcern? {
        guard let newest = publisher.newest else { return nil }
        return await askers[place].ask(for: newest, of: cosigned, at: reading)
    }
}
