import BenchmarkFloors
import Daybook
import EventProofs

/// The uploads of some devices, made before anything is measured: each device has one partition.
struct SampleUploads: Sendable {
    /// How many events an upload carries.
    static let batchCount = 500

    /// One device.
    struct Device: Sendable {
        /// The partition.
        let partition: String
        /// The bodies of its requests, in order.
        let bodies: [[UInt8]]
    }

    /// The devices.
    let devices: [Device]

    /// How many events they have together.
    let eventCount: Int

    /// Records reads of single people.
    ///
    /// - Parameters:
    ///   - devices: How many devices there are.
    ///   - batches: How many uploads each makes.
    ///   - count: How many events an upload carries.
    /// - Throws: What encoding a stretch throws.
    init(devices: Int, batches: Int, of count: Int = SampleUploads.batchCount) throws {
        let source = SampleEvents()
        let ids = ObjectIdGenerator.system
        self.devices = try (0..<devices)
            .map { number in
                let partition = PartitionID(prefix: "bench", id: ids.next())
                var frontier = MerkleFrontier()
                let bodies = try (0..<batches)
                    .map { batch in
                        let people = (0..<count).map { SamplePerson(number * 7 + batch * count + $0) }
                        let events = EncodedEvents(people.map { source.event($0.key, about: [$0]) })
                        events.withEachEvent { frontier.append(MerkleHash.leaf($0)) }
                        let stretch = PartitionStretch(
                            partition: partition,
                            firstSequence: UInt64(batch * count + 1),
                            events: events,
                            root: frontier.root
                        )
                        return try stretch.wireBytes()
                    }
                return Device(partition: partition.value, bodies: bodies)
            }
        eventCount = devices * batches * count
    }
}
