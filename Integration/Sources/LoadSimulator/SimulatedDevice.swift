import AuditServerTesting
import Daybook
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Synchronization

/// One device: the real account, uploader and transport over a network that fails, and events in memory.
final class SimulatedDevice: Sendable {
    /// What the device recorded into one partition: what the server must have in the end.
    struct Expectation: Sendable {
        /// The tree over the events.
        var frontier = MerkleFrontier()
        /// The ids of the events, in order.
        var ids: [String] = []
    }

    /// The largest number of events that are recorded at once.
    private static let largestBatch = 40

    private let number: Int
    private let options: LoadOptions
    private let link: DeviceLink
    private let client: LoopbackClient
    private let counts: LoadCounts
    private let partitions: InMemoryPartitions
    private let uploader: Uploader
    private let recorded = Mutex<[PartitionID: Expectation]>([:])
    private let ids = ObjectIdGenerator.system

    /// Signs a new user in.
    ///
    /// - Throws: What the log-in throws.
    init(number: Int, options: LoadOptions, server: ServerProcess, folder: String, counts: LoadCounts) async throws {
        self.number = number
        self.options = options
        self.counts = counts
        client = LoopbackClient(port: server.port)
        link = DeviceLink(
            .events,
            client: client,
            counts: counts,
            seed: options.seed &+ UInt64(number) &* 2,
            pauseMilliseconds: options.restMilliseconds == 0 ? 0 : 5
        )
        let app = App(
            id: "load",
            configuration: AppConfiguration(
                baseURL: "http://127.0.0.1:\(server.port)",
                rootDirectory: "\(folder)/device-\(number)",
                client: link
            )
        )
        let user = try await app.login(credentials: .anonymous)
        partitions = InMemoryPartitions(
            prefix: "load",
            owner: EventOwner(app: app.id, user: user.id),
            partitionBytes: 64 << 10
        )
        uploader = Uploader(
            source: partitions,
            transport: HTTPEventTransport(user: user),
            // Pauses in proportion to the simulated time: minutes of a real outage are tenths of a second here.
            limits: UploadLimits(
                maximumStretchBytes: 32 << 10,
                interval: .seconds(1),
                minimumBackoff: .milliseconds(10),
                maximumBackoff: .milliseconds(500)
            ),
            reporting: UploadReporting(errorHandler: { error in
                // A delay is what bad networks are for; whatever else the client gives up is wrong.
                if case .partitionDelayed = error { return }
                counts.report("an upload was given up: \(error)")
            })
        )
    }

    /// Records and uploads until the time is over; the uploader is stopped and started again now and then.
    func run(until end: ContinuousClock.Instant) async throws {
        var generator = SeededGenerator(seed: options.seed &+ UInt64(number) &* 2 &+ 1)
        var round = 0
        while round < options.rounds, ContinuousClock.now < end {
            let session = 1 + generator.below(8)
            let uploading = Task { [uploader] in await uploader.run() }
            defer { uploading.cancel() }
            for _ in 0..<session where round < options.rounds && ContinuousClock.now < end {
                round += 1
                try record(1 + generator.below(Self.largestBatch), &generator)
                uploader.wake()
                if options.restMilliseconds > 0 {
                    try await Task.sleep(for: .milliseconds(generator.below(options.restMilliseconds)))
                }
            }
            // Every other time the device goes away in the middle of whatever it does.
            if generator.once(in: 2) { try await waitForUploads() }
            counts.did(.churn)
            uploading.cancel()
            await uploading.value
        }
    }

    private func waitForUploads() async throws {
        do {
            try await uploader.waitForUploads()
        } catch SyncTransportError.signInRequired {
            // Two wrong tokens in a row look like a session that is over; its user comes back at once.
            uploader.retryNow()
        }
    }

    /// Uploads what is left, over a network without faults.
    ///
    /// - Returns: What the server must have.
    func drain() async throws -> [PartitionID: Expectation] {
        link.repair()
        try partitions.seal()
        try await uploader.uploadEverything()
        await client.close()
        if uploader.statistics.partitionsQuarantined > 0 { counts.report("a partition was set aside") }
        if try !partitions.partitions().isEmpty { counts.report("a device still has partitions") }
        return recorded.withLock(\.self)
    }

    private func record(_ count: Int, _ generator: inout SeededGenerator) throws {
        let clock = SystemClock()
        let events = (0..<count)
            .map { _ in
                let value = String(repeating: "x", count: generator.below(400))
                return AuditEvent(
                    id: ids.next(),
                    clock: clock.now(),
                    activity: "ward round",
                    event: "read",
                    data: Array(
                        #"{"type":"Patient","value":[{"_id":\#(generator.below(1000)),"note":"\#(value)"}]}"#.utf8
                    ),
                    scopeCommitted: clock.now().wall
                )
            }
        let receipt = try partitions.append(events)
        counts.didRecord(count)
        recorded.withLock { recorded in
            var rest = events[...]
            for place in receipt.places {
                for event in rest.prefix(place.sequences.count) {
                    recorded[place.partition, default: Expectation()].frontier.append(MerkleHash.leaf(event.encoded))
                    recorded[place.partition, default: Expectation()].ids.append(event.id.stringValue)
                }
                rest = rest.dropFirst(place.sequences.count)
            }
        }
    }
}
