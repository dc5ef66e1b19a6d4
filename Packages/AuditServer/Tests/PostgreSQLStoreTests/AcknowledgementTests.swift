import AuditServerTesting
import EventModel
import EventProofs
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel
@testable import PostgreSQLStore
@testable import SQLiteStore

/// What is acknowledged is on two machines, whatever PostgreSQL says; shown with two servers and a standby that is killed.
@Suite(
    "Acknowledgements",
    .serialized,
    .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped),
    .timeLimit(.minutes(5))
)
struct AcknowledgementTests {
    static let sharedCluster = Task { try await PostgreSQLServer(hasStandby: true) }

    private static let owner = SampleDevice.owner

    /// A store on two servers, of which the second was just killed, with a device of which one event is acknowledged.
    struct Lonely {
        let cluster: PostgreSQLServer
        let address: String
        let store: PostgreSQLEventStore
        var device = SampleDevice()

        init(
            settings: [String] = [],
            readingPatience: Int = 60_000,
            timer: any EventTimer = SystemTimer()
        ) async throws {
            cluster = try await AcknowledgementTests.sharedCluster.value
            // A test before that failed may have left it stopped.
            try await cluster.startStandby()
            address = try await cluster.makeDatabase()
            let database = try #require(address.split(separator: "=").last)
            for setting in settings { try await cluster.sql("ALTER DATABASE \(database) SET \(setting)") }
            store = try await PostgreSQLEventStore(
                PostgreSQLConfiguration.patient(address, readingPatience: readingPatience),
                timer: timer
            )
            device.record(["a", "b"])
            let proof = try await store.accept(device.upload(1...1))
            try #require(proof.durableThrough == 1)
            try await cluster.stopStandby()
        }

        /// Sends the stretch and returns when its commit waits for the standby.
        func send(
            _ sequences: ClosedRange<Int> = 1...2,
            seal: PartitionSeal? = nil
        ) async throws -> Task<DurabilityProof, any Error> {
            let task = Task { [store, device] in try await store.accept(device.upload(sequences, seal: seal)) }
            try await cluster.waitUntilWaitingForStandby(address)
            return task
        }

        func countedEvents() async throws -> [String?] {
            try await cluster.texts("SELECT count(*)::text FROM AuditEvent", at: address)
        }
    }

    let notReplicated = AuditServerError.unavailable(reason: "no standby has confirmed the commit")

    @Test(
        "5.4: a commit whose wait was cancelled is not acknowledged, nor is a retry that inserts nothing, until a standby has both"
    )
    func cancelledWait() async throws {
        // A server that is set up to hide all of it.
        let lonely = try await Lonely(
            settings: ["synchronous_commit = off", "client_min_messages = error", "statement_timeout = 1000"]
        )
        let first = try await lonely.send()

        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        await #expect(throws: notReplicated) { try await first.value }
        #expect(try await lonely.countedEvents() == ["2"], "PostgreSQL has committed it all the same, on one machine")

        let retry = try await lonely.send()
        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        await #expect(throws: notReplicated) { try await retry.value }

        let last = try await lonely.send()
        try await lonely.cluster.startStandby()
        #expect(try await last.value.durableThrough == 2)
        #expect(try await lonely.countedEvents() == ["2"])
    }

    @Test("5.4: a session that ends while its commit waits is not acknowledged")
    func endedSession() async throws {
        let lonely = try await Lonely()
        let first = try await lonely.send()

        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_terminate_backend")

        await #expect(
            throws: AuditServerError.unavailable(reason: "the connection to PostgreSQL was lost during a commit")
        ) {
            try await first.value
        }
        let retry = try await lonely.send()
        try await lonely.cluster.startStandby()
        #expect(try await retry.value.durableThrough == 2)
    }

    @Test("5.4: cancelling the task cancels no commit")
    func cancelledTask() async throws {
        let lonely = try await Lonely()
        let task = try await lonely.send()

        task.cancel()
        try await lonely.cluster.startStandby()

        #expect(try await task.value.durableThrough == 2)
    }

    @Test("a store knows whether commits wait for anybody")
    func standbyNames() async throws {
        let alone = try await PostgreSQLServer.shared().makeDatabase()
        let accompanied = try await Self.sharedCluster.value.makeDatabase()

        for (address, waits) in [(alone, false), (accompanied, true)] {
            let store = try await PostgreSQLEventStore(PostgreSQLConfiguration.patient(address))
            #expect(try await store.waitsForStandbys() == waits)
        }
    }

    @Test("where to resume is answered as an acknowledgement, and auditors read without one")
    func resuming() async throws {
        let lonely = try await Lonely()
        let stretch = try await lonely.send()
        try await lonely.cluster.signalWaiting(lonely.address, with: "pg_cancel_backend")
        _ = await stretch.result

        let resuming = Task { [store = lonely.store, device = lonely.device] in
            try await store.acknowledgedPartition(device.partition)
        }
        try await lonely.cluster.waitUntilWaitingForStandby(lonely.address)
        let listed = try await lonely.store.partitions(after: nil, limit: 10)
        let page = try await lonely.store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1000)
        let known = try await lonely.store.partition(lonely.device.partition)
        let unknown = try await lonely.store.acknowledgedPartition(SampleDevice(9).partition)
        try await lonely.cluster.startStandby()

        #expect(listed.map(\.count) == [2])
        #expect(page.events.count == 2)
        #expect(known?.count == 2)
        #expect(unknown == nil)
        #expect(try await resuming.value?.count == 2)
    }

    @Test("while no standby confirms anything, whoever reads is answered or refused in words, and never waits")
    func reading() async throws {
        let lonely = try await Lonely(readingPatience: 200)
        let patient = try await PostgreSQLAccountStore(
            PostgreSQLConfiguration.patient(lonely.address)
        )
        let accounts = try await PostgreSQLAccountStore(
            PostgreSQLConfiguration.patient(lonely.address, readingPatience: 200)
        )
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock())
        let now = SystemClock().now().wall
        let auditor = IssuedToken(
            id: "0000000000000000000000ff",
            identity: .auditor,
            name: "Dr. Adams",
            issued: now,
            expires: EventInstant(microseconds: now.microseconds + 3_600_000_000)
        )
        try await lonely.cluster.startStandby()
        try await accounts.add(auditor)
        let device = try await tokens.signIn(Self.owner, in: accounts, clock: SystemClock())
        try await lonely.cluster.stopStandby()
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: lonely.store,
            index: try SearchIndex(),
            accounts: accounts,
            tokens: tokens,
            key: SampleDevice.serverKey
        )
        // An upload that waits holds its partition, and a sign-in that waits at another server holds its user's sessions.
        let upload = try await lonely.send()
        let signIn = Task { try await tokens.signIn(Self.owner, in: patient, clock: SystemClock()) }
        let reader: HTTPFields = [.authorization: "Bearer \(try await tokens.issue(auditor))"]
        let owner: HTTPFields = [.authorization: "Bearer \(device)"]
        let place = lonely.device.partition.value

        try await service.application(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            .test(.router) { client in
                func get(_ path: String, _ headers: HTTPFields) async throws -> TestResponse {
                    try await client.execute(uri: "/api/v1/\(path)", method: .get, headers: headers)
                }
                // What is not recorded is answered, also of the partition that an upload holds.
                for path in ["partitions/\(place)", "search/volume", "log/entries", "schema", "retention"] {
                    #expect(try await get(path, reader).status == .ok, "\(path)")
                }
                // What is recorded first, or must outlive a failover, is refused in words.
                for path in ["search", "events", "partitions", "partitions/\(place)/events/1", "log/head"] {
                    let refused = try await get(path, reader)
                    #expect(refused.status == .serviceUnavailable, "\(path)")
                    #expect(String(buffer: refused.body).contains("no standby has confirmed the commit"), "\(path)")
                    #expect(refused.headers[.retryAfter] != nil)
                }
                let resuming = try await get("partitions/\(place)", owner)
                #expect(resuming.status == .serviceUnavailable)
                for (path, body) in [
                    ("apps/ward-app/login", #"{"provider": "anon-user"}"#),
                    ("console/session", #"{"token": "\#(try await tokens.issue(auditor))"}"#),
                ] {
                    let refused = try await client.execute(
                        uri: "/api/v1/\(path)",
                        method: .post,
                        headers: [.origin: "http://localhost"],
                        body: ByteBuffer(string: body)
                    )
                    #expect(refused.status == .serviceUnavailable, "\(path)")
                }
                try await lonely.cluster.startStandby()
                #expect(try await upload.value.durableThrough == 2)
                for path in ["search", "events", "partitions/\(place)/events/1", "log/head"] {
                    #expect(try await get(path, reader).status == .ok, "\(path)")
                }
                #expect(try await get("partitions/\(place)", owner).status == .ok)
            }
        _ = try await signIn.value
    }

    @Test("after the first server is killed the second has all that was acknowledged, and the same store goes on there")
    func failover() async throws {
        let cluster = try await PostgreSQLServer(hasStandby: true)
        _ = try await cluster.makeDatabase()
        let both = "host=\(cluster.folder),\(cluster.folder) port=5432,5433 user=daybook dbname=ward_1"
        let configuration = PostgreSQLConfiguration.patient(both, storingConnections: 4)
        let store = try await PostgreSQLEventStore(configuration)

        // Each device sends one event after the other until the server is gone, and knows what was acknowledged.
        let (acknowledged, noted) = AsyncStream.makeStream(of: UInt32.self)
        let senders = (UInt32(1)...4)
            .map { number in
                Task {
                    var device = SampleDevice(number)
                    var count = 0
                    do {
                        while true {
                            device.record(["activity"])
                            count = Int(try await store.accept(device.upload((count + 1)...(count + 1))).durableThrough)
                            noted.yield(number)
                        }
                    } catch {
                        return (device, count)
                    }
                }
            }
        var counts: [UInt32: Int] = [:]
        for await number in acknowledged {
            counts[number, default: 0] += 1
            if counts.count == 4 && counts.values.allSatisfy({ $0 >= 5 }) { break }
        }
        try await cluster.stopPrimary()
        var devices: [(device: SampleDevice, count: Int)] = []
        for sender in senders { devices.append(await sender.value) }
        try await cluster.promoteStandby()

        for (device, count) in devices {
            let record = try #require(try await store.partition(device.partition))
            #expect(record.count >= count)
            #expect(record.root == device.frontier(through: Int(record.count)).root)
            let proof = try await store.accept(device.upload(1...device.events.count))
            #expect(proof.durableThrough == UInt64(device.events.count))
        }
    }
}
