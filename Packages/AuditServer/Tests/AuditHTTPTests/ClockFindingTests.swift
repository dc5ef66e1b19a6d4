import AuditServerTesting
import EventModel
import EventModelTesting
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import SQLiteStore

@Suite("Clocks of devices")
struct ClockFindingTests {
    private static let start: Int64 = 1_700_000_000_000_000
    private static let second: Int64 = 1_000_000

    /// An event at seconds of the wall clock after a start, and seconds of the monotonic clock.
    private static func event(_ number: Int, wall: Int64, ticks: Int64, boot: Boot) -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 3, low: UInt32(number)),
            clock: ClockReading(
                wall: EventInstant(microseconds: start + wall * second),
                monotonicNanoseconds: UInt64(ticks * second) * 1000,
                boot: boot
            ),
            activity: "Rounds",
            event: "button"
        )
    }

    private static func findings(
        _ readings: [(wall: Int64, ticks: Int64)],
        boot: Boot = Boot(high: 1, low: 1),
        access: EventAccess = .all
    ) async throws -> [ClockFinding] {
        try await indexed(readings, boot: boot).index.clockFindings(access, limit: 10)
    }

    private static func indexed(
        _ readings: [(wall: Int64, ticks: Int64)],
        boot: Boot = Boot(high: 1, low: 1)
    ) async throws -> (store: InMemoryEventStore, index: SearchIndex, partition: PartitionID) {
        let store = InMemoryEventStore()
        var device = SampleDevice()
        for (number, reading) in readings.enumerated() {
            device.record(event(number, wall: reading.wall, ticks: reading.ticks, boot: boot))
        }
        let index = try SearchIndex()
        // In two parts, so that what was noted before is read again.
        for end in [(readings.count + 1) / 2, readings.count] {
            let upload = try EventUpload(
                device.stretch(1...end),
                owner: SampleDevice.owner,
                received: EventInstant(microseconds: start + 100 * second),
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
            _ = try await store.accept(upload)
            index.didStore(device.partition)
            try await index.refresh(from: store)
        }
        return (store, index, device.partition)
    }

    private static let table: [(name: String, readings: [(wall: Int64, ticks: Int64)], steps: [Int64])] = [
        ("a clock that runs", [(0, 10), (1, 11), (50, 60)], []),
        ("one that drifts, a second in each minute", [(0, 10), (61, 70), (122, 130), (183, 190)], []),
        ("set forward by an hour", [(0, 10), (3610, 20), (3620, 30)], [3600]),
        ("set back by an hour", [(0, 10), (-3590, 20)], [-3600]),
        ("set forward and back again", [(0, 10), (3610, 20), (20, 30)], [3600]),
        ("set twice", [(0, 10), (110, 20), (-180, 30)], [100, -200]),
        ("events that arrive late", [(50, 60), (0, 10)], []),
        ("set before what arrived first", [(3650, 60), (0, 10)], [3600]),
    ]

    @Test("a step of the wall clock against the monotonic one is told, and drift is none", arguments: table.indices)
    func steps(index: Int) async throws {
        let row = Self.table[index]
        let found = try await Self.findings(row.readings)
        let steps = found.flatMap(\.steps).map { $0.microseconds / Self.second }
        #expect(steps == row.steps, "\(row.name)")
    }

    @Test("a step names its first and its last event, with the device's own time")
    func places() async throws {
        let found = try await Self.findings([(0, 10), (3610, 20), (3620, 30)])
        let step = try #require(found.first?.steps.first)
        #expect(found.count == 1)
        #expect(step.first.sequence == 2)
        #expect(step.last.sequence == 3)
        #expect(step.first.time == EventInstant(microseconds: Self.start + 3610 * Self.second))
        #expect(found.first?.account == SampleDevice.owner.user)
    }

    @Test("a clock that is ahead of the server's is told by how much, and one that is behind is not")
    func ahead() async throws {
        #expect(try await Self.findings([(99, 1), (160, 62)]).isEmpty)
        #expect(try await Self.findings([(99, 1), (161, 63)]).map(\.ahead) == [61 * Self.second])
        #expect(try await Self.findings([(-100_000, 1)]).isEmpty)
    }

    @Test("a system that does not tell its runs apart, and a device that one may not read, tell nothing")
    func nothing() async throws {
        let readings: [(wall: Int64, ticks: Int64)] = [(0, 10), (3610, 20)]
        #expect(try await Self.findings(readings, boot: .unknown).isEmpty)
        #expect(try await Self.findings(readings, access: EventAccess(apps: ["other"])).isEmpty)
        #expect(try await Self.findings(readings, access: EventAccess(apps: ["ward-app"])).count == 1)
    }

    @Test("a clock that jumps all the time is told so many times and no more")
    func jumping() async throws {
        let found = try await Self.findings((0..<200).map { (wall: $0 * 100, ticks: $0) })
        #expect(found.flatMap(\.steps).count == ClockLevels.maximumCount - 1)
    }

    @Test(
        "of erased events neither the run nor a time stays, and a step between others is told as before",
        arguments: [
            ([1, 4], [2, 3], [3600]), ([1, 2], [3, 4], []), ([3, 4], [1, 2], []), ([1, 2, 3, 4], [], []),
        ] as [(erased: [UInt64], ends: [UInt64], steps: [Int64])]
    )
    func erased(erased: [UInt64], ends: [UInt64], steps: [Int64]) async throws {
        let (store, index, partition) = try await Self.indexed([(0, 10), (10, 20), (3620, 30), (3630, 40)])
        let act = LegalHold.Act(by: "a", at: SampleDevice.received, reason: "r")
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(partition: partition))
        let erasure = try await store.begin(order).number
        _ = try await store.erase(erased.map { EventAddress(partition: partition, sequence: $0) }, for: erasure)
        _ = try await store.finish(erasure)
        try await index.refresh(from: store)

        let places = try await index.database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM ClockLevel")
            return rows.flatMap { [($0["firstSequence"], $0["firstTicks"]), ($0["lastSequence"], $0["lastTicks"])] }
                as [(sequence: UInt64, ticks: Int64)]
        }
        #expect(Set(places.map(\.sequence)) == Set(ends))
        #expect(places.allSatisfy { $0.ticks == Int64($0.sequence) * 10 * Self.second })
        let found = try await index.clockFindings(.all, limit: 10).flatMap(\.steps)
        #expect(found.map { $0.microseconds / Self.second } == steps)
    }

    private struct Circumstances: Decodable {
        let partition: String
        let metadata: [String: String]
        let newest: Int64
    }

    @Test("the newest event of a partition says what device it was")
    func devices() async throws {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(device.event("a", metadata: try EventMetadata(["device": "old"])))
        device.record(device.event("b", metadata: try EventMetadata(["device": "Tablet 7", "empty": ""])))
        _ = try await server.store.accept(device.upload(1...2))
        let path = "/api/v1/completeness/devices?partition=\(device.partition.value)"

        try await server.run { client in
            let second = "&partition=ward-000000000000000700000009"
            let found: [Circumstances] = try await client.get(path + second, as: server.headers(.auditor)).decoded()
            #expect(found.map(\.metadata) == [["device": "Tablet 7", "empty": ""]])
            let foreign: [Circumstances] = try await client.get(path, as: server.headers(.auditor(apps: ["x"])))
                .decoded()
            #expect(foreign.isEmpty)
            let many = String(repeating: second, count: 100)
            #expect(try await client.get(path + many, as: server.headers(.auditor)).status == .badRequest)
            #expect(try await client.get(path + "1", as: server.headers(.auditor)).status == .badRequest)
            let clocks = try await client.get("/api/v1/completeness/clocks", as: server.headers(.auditor))
            #expect(String(buffer: clocks.body) == "[]")
        }
    }
}
