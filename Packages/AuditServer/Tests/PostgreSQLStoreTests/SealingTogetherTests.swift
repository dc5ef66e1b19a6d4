import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import PostgreSQLStore

/// Several servers seal in one database, and do everything else beside it.
@Suite(
    "Sealing by several servers",
    .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped),
    .timeLimit(.minutes(5))
)
struct SealingTogetherTests {
    private func open(_ address: String, count: Int) async throws -> [PostgreSQLEventStore] {
        var stores: [PostgreSQLEventStore] = []
        for _ in 0..<count { stores.append(try await PostgreSQLEventStore(.patient(address))) }
        return stores
    }

    private func device(_ number: UInt32, _ count: Int = 2) -> SampleDevice {
        var device = SampleDevice(number)
        device.record((0..<count).map { "activity \($0)" })
        return device
    }

    /// Expects a log without gaps that has each of these partitions once, and whose tree is the one over its entries.
    private func expectLog(
        of partitions: Set<PartitionID>,
        in store: PostgreSQLEventStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let entries = try await store.logEntries(from: 0, limit: 10_000)
        #expect(entries.map(\.index) == Array(0..<UInt64(partitions.count)), sourceLocation: sourceLocation)
        #expect(Set(entries.map(\.partition)) == partitions, sourceLocation: sourceLocation)
        let tree = MerkleTree(leaves: entries.map(\.leaf))
        let areEqual = try await store.withLog(durably: true) { stored in
            try (0...UInt64(entries.count)).allSatisfy { try stored.root(at: $0) == tree.root(at: $0) }
        }
        #expect(areEqual, sourceLocation: sourceLocation)
    }

    private func deadlocks(_ server: PostgreSQLServer, _ address: String) async throws -> [String?] {
        try await server.texts(
            "SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()",
            at: address
        )
    }

    @Test("a few hundred devices seal at three servers at once, some of them twice, and each is in the log once")
    func many() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let stores = try await open(address, count: 3)
        let devices = (1...300 as ClosedRange<UInt32>).map { device($0) }
        let uploads = try devices.map { try $0.upload(1...2, seal: $0.seal()) }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, upload) in (uploads + uploads.prefix(60)).enumerated() {
                group.addTask {
                    let proof = try await stores[number % 3].accept(upload)
                    #expect(proof.isSealed && proof.root == upload.root)
                }
            }
            try await group.waitForAll()
        }

        try await expectLog(of: Set(devices.map(\.partition)), in: stores[0])
        let records = try await stores[1].partitions(after: nil, limit: 1000)
        #expect(records.count == 300)
        #expect(zip(records, uploads).allSatisfy { $0.seal == $1.seal && $0.count == 2 })
    }

    @Test("sessions that end in the middle of it lose no seal, and what comes again is sealed once")
    func endedSessions() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let stores = try await open(address, count: 2)
        let devices = (1...120 as ClosedRange<UInt32>).map { device($0) }
        let uploads = try devices.map { try $0.upload(1...2, seal: $0.seal()) }
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                for await _ in answers {
                    count += 1
                    if count == uploads.count { return }
                    guard count.isMultiple(of: 15) else { continue }
                    try await server.sql(
                        """
                        DO $$ BEGIN
                            PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid();
                        END $$
                        """,
                        at: address
                    )
                }
            }
            for lane in 0..<12 {
                group.addTask {
                    for index in stride(from: lane, to: uploads.count, by: 12) {
                        try await send(uploads[index], to: stores[index % 2])
                        answered.yield()
                    }
                }
            }
            try await group.waitForAll()
        }

        try await expectLog(of: Set(devices.map(\.partition)), in: stores[0])
        for upload in uploads { #expect(try await stores[1].accept(upload).isSealed) }
        try await expectLog(of: Set(devices.map(\.partition)), in: stores[1])
    }

    /// Sends a stretch as a device does, again and again until it is acknowledged.
    private func send(_ upload: EventUpload, to store: PostgreSQLEventStore) async throws {
        while true {
            do {
                let proof = try await store.accept(upload)
                return #expect(proof.isSealed && proof.root == upload.root)
            } catch AuditServerError.unavailable {
                continue
            }
        }
    }

    @Test("a log counts as confirmed when it is the one that was, and not by its size")
    func confirmedLog() {
        let (log, confirmed) = (MerkleFrontier(count: 1, peaks: [MerkleHash.empty]), ConfirmedLog())
        let other = MerkleFrontier(count: 1, peaks: [MerkleHash.leaf([1])])
        #expect(log.map { confirmed.includes($0) } == false)

        if let log { confirmed.note(log) }

        #expect(log.map { confirmed.includes($0) } == true)
        #expect(other.map { confirmed.includes($0) } == false)
    }

    @Test("a head of the log waits for nobody who seals, and holds nobody up")
    func head() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let stores = try await open(address, count: 2)
        _ = try await stores[0].accept(device(1).upload(1...2, seal: device(1).seal()))
        let writer = try PostgreSQLConnection(address)
        try writer.run("BEGIN; SELECT FROM PartitionLogHead WHERE id = 0 FOR UPDATE")

        // The first knows that the seal is confirmed, and the second has it confirmed.
        for store in stores { #expect(try await store.withLog(durably: true) { $0.count } == 1) }

        try writer.run("ROLLBACK")
    }

    @Test("uploads, seals, erasures, the trail and devices that resume never wait for each other in a circle")
    func everything() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let stores = try await open(address, count: 3)
        let act = LegalHold.Act(by: "t", at: SampleDevice.received, reason: "r")
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(person: "p"))
        let erasure = try await stores[0].begin(order).number
        let devices = (1...60 as ClosedRange<UInt32>).map { device($0, 6) }
        let trail = (101...110 as ClosedRange<UInt32>).map { device($0, 1) }
        var random = SeededGenerator(seed: 21)
        let shuffled = (0..<12).map { _ in Array(devices.shuffled(using: &random).prefix(20)) }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, device) in devices.enumerated() {
                let seal = try device.seal()
                group.addTask {
                    _ = try await stores[number % 3].accept(device.upload(1...3))
                    _ = try await stores[(number + 1) % 3].acknowledgedPartition(device.partition)
                    _ = try await stores[(number + 2) % 3].accept(device.upload(1...6, seal: seal))
                    _ = try await stores[number % 3].accept(device.upload(4...6, seal: seal))
                }
            }
            for (number, device) in trail.enumerated() {
                let upload = try device.upload(1...1, seal: device.seal())
                group.addTask { _ = try await stores[number % 3].record(upload) }
            }
            for (number, group_) in shuffled.enumerated() {
                let places = group_.map { EventAddress(partition: $0.partition, sequence: UInt64(number % 6 + 1)) }
                group.addTask { _ = try await stores[number % 3].erase(places, for: erasure) }
            }
            for number in 0..<12 {
                group.addTask { _ = try await stores[number % 3].withLog(durably: true) { $0.count } }
            }
            try await group.waitForAll()
        }

        try await expectLog(of: Set((devices + trail).map(\.partition)), in: stores[0])
        #expect(try await deadlocks(server, address) == ["0"])
    }
}
