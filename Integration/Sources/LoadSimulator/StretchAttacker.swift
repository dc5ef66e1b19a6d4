import AuditServerTesting
import Daybook
import EventProofs

/// Somebody with an account who sends stretches as no device of ours does, beside the devices.
///
/// Each kind once stopped everybody's uploads or searches, or hid events. What is answered is known beforehand; that the devices
/// come through is what the simulation shows.
struct StretchAttacker: Sendable {
    /// What somebody sends.
    private enum Attack: CaseIterable {
        /// No events at an old place of a long partition, whose root was once made of all events.
        case emptyStretch
        /// A seal with a ledger of more than 64 KiB.
        case longSeal
        /// A name that is longer than any of ours.
        case longName
        /// Metadata that are longer than any of ours.
        case longMetadata
        /// An event with so many objects that its terms kept everybody's searches waiting.
        case manyObjects
        /// Partitions whose names are one to Unicode and two in bytes.
        case twinNames
    }

    private struct Session: Decodable {
        let userID: String
        let accessToken: String
    }

    /// The app that attackers sign in to; an audit of the devices leaves its partitions out.
    static let app = "attack"
    /// How many events the partition of ``Attack/emptyStretch`` has.
    private static let longCount = 2000
    /// After how many rounds nothing large is stored any more: what is stored stays.
    private static let storingRounds = 2

    private let client: LoopbackClient
    private let counts: LoadCounts
    private let owner: EventOwner
    private let token: String
    private let long: SampleDevice
    private let tree: MerkleTree

    /// Signs a new user in.
    ///
    /// - Throws: ``LoadError`` when the server refuses that or does not answer.
    init(port: Int, counts: LoadCounts) async throws {
        self.counts = counts
        client = LoopbackClient(port: port)
        let answer = try await client.send(
            HTTPRequest(
                method: .post,
                url: "http://127.0.0.1/api/v1/apps/\(Self.app)/login",
                headers: ["content-type": "application/json"],
                body: Array(#"{"provider":"anon-user"}"#.utf8)
            )
        )
        guard answer.status == 200 else { throw LoadError.auditRefused(status: answer.status) }
        let session = try JSONDecoder().decode(Session.self, from: Data(answer.body))
        owner = EventOwner(app: Self.app, user: session.userID)
        token = session.accessToken
        var long = SampleDevice(0, prefix: "long-\(session.userID)")
        long.record(Array(repeating: "a", count: Self.longCount))
        self.long = long
        tree = MerkleTree(leaves: long.events.map { MerkleHash.leaf($0.encoded) })
    }

    /// Attacks until the time is over, or so many rounds are.
    ///
    /// - Throws: What the connection throws.
    func run(until end: ContinuousClock.Instant, rounds: Int) async throws {
        try await send(long.stretch(1...Self.longCount), expecting: [200, 429, 503])
        var round = 0
        while round < rounds, ContinuousClock.now < end {
            round += 1
            for attack in Attack.allCases { try await perform(attack, round) }
        }
        await client.close()
    }

    private func perform(_ attack: Attack, _ round: Int) async throws {
        // Partitions of different users may not have one name.
        var device = SampleDevice(UInt32(round), prefix: "\(attack)-\(owner.user)")
        switch attack {
        case .emptyStretch:
            counts.did(.emptyStretch)
            let place = UInt64(1 + round * 37 % (Self.longCount - 1))
            let stretch = PartitionStretch(
                partition: long.partition,
                firstSequence: place + 1,
                events: EncodedEvents(),
                root: tree.root(at: place)
            )
            try await send(stretch, expecting: [200, 429, 503])
        case .longSeal:
            counts.did(.longSeal)
            device.record(["a"])
            try await send(device.stretch(1...1, seal: longSeal(of: device)), expecting: [400, 429, 503])
        case .longName:
            counts.did(.longName)
            device.record(device.event(String(repeating: "a", count: 2000)))
            try await send(device.stretch(1...1), expecting: [400, 429, 503])
        case .longMetadata:
            counts.did(.longMetadata)
            let metadata = try EventMetadata(["a": String(repeating: "a", count: 100_000)])
            device.record(device.event("a", metadata: metadata))
            try await send(device.stretch(1...1), expecting: [400, 429, 503])
        case .manyObjects:
            guard round <= Self.storingRounds else { return }
            counts.did(.manyObjects)
            let objects = (0..<100_000).map { "{\"_id\":\"\(round)-\($0)\"}" }.joined(separator: ",")
            device.record(device.event("a", data: "{\"type\":\"Patient\",\"value\":[\(objects)]}"))
            try await send(device.stretch(1...1), expecting: [200, 429, 503])
        case .twinNames:
            guard round <= Self.storingRounds else { return }
            counts.did(.twinNames)
            for name in ["caf\u{E9}", "cafe\u{301}"] {
                var twin = SampleDevice(UInt32(round), prefix: "\(name)-\(owner.user)")
                twin.record([name])
                try await send(twin.stretch(1...1), expecting: [200, 429, 503])
            }
        }
    }

    private func longSeal(of device: SampleDevice) throws -> PartitionSeal {
        let loss = LossEntry(reason: .quota, count: 1, noticed: EventInstant(microseconds: 1))
        return try device.key.seal(
            device.partition,
            of: owner,
            over: device.frontier(through: 1),
            first: nil,
            last: nil,
            previousRoot: nil,
            losses: Array(repeating: loss, count: 3000)
        )
    }

    /// Sends a stretch, and reports an answer that is not right.
    private func send(_ stretch: PartitionStretch, expecting statuses: Set<Int>) async throws {
        let name = stretch.partition.value.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        let answer = try await client.send(
            HTTPRequest(
                method: .post,
                url: "http://127.0.0.1/api/v1/partitions/\(name ?? "")/events",
                headers: ["authorization": "Bearer \(token)", "content-type": PartitionStretch.mediaType],
                body: try stretch.wireBytes()
            )
        )
        if !statuses.contains(answer.status) {
            counts.report("a stretch of \(stretch.partition.prefix) was answered with status \(answer.status)")
        }
    }
}
