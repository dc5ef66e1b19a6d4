import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import PostgreSQLStore

/// Many partitions are sealed in one transaction; what is not as its upload left it hinders none of the others.
@Suite("Seals of one transaction", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct SealTransactionTests {
    private let server: PostgreSQLServer
    private let address: String
    private let store: PostgreSQLEventStore
    private let lane: ConnectionLane

    init() async throws {
        server = try await PostgreSQLServer.shared()
        address = try await server.makeDatabase()
        store = try await PostgreSQLEventStore(.patient(address))
        lane = ConnectionLane(address: address, name: "test")
        // Makes the tables of the month.
        _ = try await store.accept(device(99).upload(1...1))
    }

    private func device(_ number: UInt32) -> SampleDevice {
        var device = SampleDevice(number)
        device.record(["a", "b"])
        return device
    }

    /// Stores the events of a device as an upload does whose seal is to come with others.
    private func stored(
        _ device: SampleDevice,
        _ seal: PartitionSeal,
        of owner: EventOwner = SampleDevice.owner
    ) async throws -> PartitionSealing {
        let upload = try device.upload(1...device.events.count, owner: owner, seal: seal)
        let sealing = try await lane.run { connection in
            try connection.committedAhead {
                try StretchTransaction(connection: connection)
                    .acceptUnsealed(upload, SealedPayloads(upload.events))
            }
        }
        return try #require(sealing)
    }

    private func seal(_ sealings: [PartitionSealing]) async throws -> SealTransaction.Outcome? {
        try await lane.run { connection in
            try connection.acknowledged { try SealTransaction(connection: connection).seal(sealings) }
        }
    }

    private func log() async throws -> [PartitionLogEntry] { try await store.logEntries(from: 0, limit: 1000) }

    @Test("partitions are sealed and in the log in their order, and one that is there twice is once in it")
    func together() async throws {
        let devices = (1...5 as ClosedRange<UInt32>).map { device($0) }
        var sealings: [PartitionSealing] = []
        for device in devices.reversed() { sealings.append(try await stored(device, device.seal())) }

        let outcome = try #require(try await seal(sealings + sealings.prefix(1)))

        #expect(outcome.areSealed == Array(repeating: true, count: 6))
        let entries = try await log()
        #expect(entries.map(\.seal) == sealings.map(\.partition.seal))
        #expect(entries.map(\.index) == Array(0..<5))
        let tree = MerkleTree(leaves: entries.map(\.leaf))
        #expect(outcome.log.root == tree.root(at: 5))
        for size in 0...5 as ClosedRange<UInt64> {
            #expect(try await store.withLog(durably: false) { try $0.root(at: size) } == tree.root(at: size))
        }
        for (device, sealing) in zip(devices.reversed(), sealings) {
            let record = try #require(try await store.partition(device.partition))
            #expect(record.seal == sealing.partition.seal)
            let again = try await store.accept(device.upload(1...2, seal: record.seal))
            #expect(again == sealing.proof)
        }
        #expect(try await log() == entries)
    }

    @Test("what is not as its upload left it is left out, and the others are sealed")
    func leavingOut() async throws {
        let plain = [device(1), device(2)]
        let (other, lost, foreign, damaged) = (device(3), device(4), device(5), device(6))
        var sealings: [PartitionSealing] = []
        for device in plain + [other, lost, foreign, damaged] {
            sealings.append(try await stored(device, device.seal()))
        }
        // Another seal came first, a failover took events away, a partition has another owner, and a row cannot be read.
        _ = try await store.accept(other.upload(1...2, seal: other.signed(by: DeviceKey())))
        let place = { (device: SampleDevice) in "WHERE value = '\(device.partition.value)'" }
        try await server.sql(
            "UPDATE EventPartition SET frontier = '\\x0000000000000000' \(place(lost))",
            at: address
        )
        try await server.sql("INSERT INTO EventOwner (app, userid) VALUES ('other', 'o')", at: address)
        try await server.sql(
            """
            UPDATE EventPartition SET owner = (SELECT id FROM EventOwner WHERE app = 'other') \(place(foreign))
            """,
            at: address
        )
        try await server.sql("UPDATE EventPartition SET frontier = '\\x01' \(place(damaged))", at: address)
        let unknown = PartitionSealing(
            partition: try SealedPartition(
                device(7).seal(),
                of: SampleDevice.owner,
                ownerKey: sealings[0].partition.ownerKey,
                received: SampleDevice.received
            ),
            frontier: sealings[0].frontier,
            proof: sealings[0].proof
        )

        let outcome = try #require(try await seal(sealings + [unknown]))

        #expect(outcome.areSealed == [true, true, false, false, false, false, false])
        #expect(try await log().map(\.partition) == [other, plain[0], plain[1]].map(\.partition))
        #expect(try await seal(sealings) == nil)
        // Each is decided by the rules when it comes alone.
        await #expect(throws: AuditServerError.self) { try await store.accept(other.upload(1...2, seal: other.seal())) }
        await #expect(throws: AuditServerError.foreignPartition) {
            try await store.accept(foreign.upload(1...2, seal: foreign.seal()))
        }
        await #expect(throws: AuditServerError.unavailable(reason: "the row of a partition is damaged")) {
            try await store.accept(damaged.upload(1...2, seal: damaged.seal()))
        }
        #expect(try await store.accept(device(8).upload(1...2, seal: device(8).seal())).isSealed)
    }

    @Test("a partition that somebody else has is not waited for")
    func locked() async throws {
        let (free, held) = (device(1), device(2))
        let sealings = [try await stored(held, held.seal()), try await stored(free, free.seal())]
        let holder = try PostgreSQLConnection(address)
        try holder.run("BEGIN")
        let row = try PartitionRow.locked(held.partition, on: holder)
        try #require(row != nil)

        let outcome = try #require(try await seal(sealings))

        #expect(outcome.areSealed == [false, true])
        try holder.run("ROLLBACK")
        #expect(try await seal(Array(sealings.prefix(1)))?.areSealed == [true])
        #expect(try await log().map(\.partition) == [free, held].map(\.partition))
    }

    @Test("an entry that cannot be made is refused alone, and all others are sealed")
    func refusedEntry() async throws {
        // The log has the partition, and its row does not know.
        let poisoned = device(1)
        _ = try await store.accept(poisoned.upload(1...2, seal: poisoned.seal()))
        try await server.sql("UPDATE EventPartition SET seal = NULL", at: address)
        let others = (2...9 as ClosedRange<UInt32>).map { device($0) }
        let group = SharedCommit.sealing(.patient(address), ConfirmedLog(), SystemTimer())
        let sealing = try await stored(poisoned, poisoned.seal())
        #expect(try await group.run(sealing) == false)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for other in [poisoned] + others {
                group.addTask { [store] in
                    let upload = try other.upload(1...2, seal: other.seal())
                    guard other.partition == poisoned.partition else {
                        let proof = try await store.accept(upload)
                        return #expect(proof.isSealed)
                    }
                    await #expect(throws: AuditServerError.unavailable(reason: "PostgreSQL answered with code 23505")) {
                        try await store.accept(upload)
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(try await log().map(\.index) == Array(0..<9))
    }

    @Test("events whose seal did not come through are sealed when the same stretch comes again")
    func comingAgain() async throws {
        let device = device(1)
        let seal = try device.seal()
        _ = try await stored(device, seal)
        #expect(try await store.partition(device.partition)?.seal == nil)

        let proof = try await store.accept(device.upload(1...2, seal: seal))

        #expect(proof.isSealed && proof.durableThrough == 2)
        #expect(try await store.partition(device.partition)?.seal == seal)
        #expect(try await log().map(\.seal) == [seal])
    }

    @Test("a key that goes on with the chain of another one is found among seals that come together")
    func replacedKeys() async throws {
        let (own, thief, second) = (DeviceKey(), DeviceKey(), DeviceKey())
        let first = device(1)
        let stranger = EventOwner(app: "ward-app", user: "bb")
        _ = try await store.accept(first.upload(1...2, seal: first.signed(by: own)))
        var sealings: [PartitionSealing] = []
        var root = first.frontier(through: 2).root
        // Two of the owner, then two of somebody else behind one that is stored, then one more behind one of the same group.
        for (number, key) in [(2, own), (3, thief), (4, thief), (5, second)] as [(UInt32, DeviceKey)] {
            let device = device(number)
            let seal = try device.signed(by: key, after: root)
            sealings.append(try await stored(device, seal))
            if number == 2 || number == 4 { root = seal.root }
        }
        // Another user's partition of that name is another one.
        let other = device(6)
        let theirs = try other.signed(by: second, of: stranger, after: first.frontier(through: 2).root)
        sealings.append(try await stored(other, theirs, of: stranger))
        #expect(try await seal(sealings)?.areSealed == Array(repeating: true, count: 5))

        let keys = try await store.deviceKeys(from: 0, limit: 10)

        #expect(keys.map(\.publicKey) == [own, thief, second, second].map(\.publicKey))
        #expect(keys.map(\.replaced) == [nil, own.publicKey, thief.publicKey, nil])
        #expect(keys.map(\.partitions) == [2, 2, 1, 1])
    }
}
