import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("Alerts over HTTP")
struct AlertRoutesTests {
    private static let rules = [
        AlertRule("names", app: "ward-app", .namedRecords([NamedRecord(objectClass: "Patient", key: "p1")])),
        AlertRule("many", .massRead(MassRead(limit: 3, minutes: 60))),
    ]

    private static func server(_ store: any AuditStore = InMemoryEventStore()) async throws -> TestServer {
        let alerts = AlertSettings(rules: rules, personColumn: "userId")
        return try await TestServer(store: store, configuration: ServerConfiguration(alerts: alerts))
    }

    private static func device(_ number: UInt32 = 1, reading keys: [String]) throws -> SampleDevice {
        var device = SampleDevice(number)
        let metadata = try EventMetadata(["userId": "ada"])
        for key in keys {
            let data = #"{"type":"Patient","value":[{"_id":"\#(key)"}]}"#
            device.record(device.event("Open chart", data: data, metadata: metadata))
        }
        return device
    }

    private static func alerts(
        _ client: any TestClientProtocol,
        _ headers: HTTPFields,
        _ query: String = ""
    ) async throws -> AlertPage {
        try await client.get("/api/v1/alerts\(query)", as: headers).decoded()
    }

    @Test("a named record that is read raises an alert, which a reviewer acknowledges with a reason")
    func namedRecord() async throws {
        let server = try await Self.server()
        let reviewer = try await server.token("Dr. Adams", .reviewer)
        let auditor = try await server.headers(.auditor)
        let device = try Self.device(reading: ["p1", "p2", "p1"])
        _ = try await server.store.accept(device.upload(1...3))

        try await server.run { client in
            let page = try await Self.alerts(client, auditor)
            let alert = try #require(page.alerts.first)
            #expect(page.open == 1 && page.alerts.count == 1)
            #expect(alert.kind == "namedRecord" && alert.rule == "names" && alert.person == "ada")
            #expect(alert.objectClass == "Patient" && alert.key == "p1")
            #expect(alert.partition == device.partition.value && alert.sequence == 1)
            let metrics = try await client.get("/api/v1/metrics", as: auditor)
            #expect(String(buffer: metrics.body).contains(#"daybook_alerts_total{kind="namedRecord"} 1"#))

            let path = "/api/v1/alerts/\(alert.id)/acknowledgement"
            #expect(try await client.post(path, #"{"reason":"known"}"#, as: auditor).status == .forbidden)
            #expect(try await client.post(path, #"{"reason":" "}"#, as: reviewer).status == .badRequest)
            let answered: AlertLine = try await client.post(path, #"{"reason":"her own patient"}"#, as: reviewer)
                .decoded()
            #expect(answered.answer?.reason == "her own patient" && answered.answer?.author == "Dr. Adams")
            #expect(try await client.post(path, #"{"reason":"again"}"#, as: reviewer).status == .badRequest)
            #expect(try await Self.alerts(client, auditor).alerts.isEmpty)
            #expect(try await Self.alerts(client, auditor, "?state=acknowledged").alerts == [answered])
            #expect(try await Self.alerts(client, auditor, "?state=all").alerts == [answered])
            let trail = try await client.get("/api/v1/search?app=daybook/auditors&text=raise", as: auditor)
            #expect(String(buffer: trail.body).contains("raise alert"))
        }
    }

    @Test("what is due is listed also while another server makes this one look at all partitions again")
    func sweptMeanwhile() async throws {
        let index = try SearchIndex()
        let store = SweptStore(index)
        let server = try await TestServer(store: store, index: index)
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let order = #"{"name":"All","query":"","shared":true}"#
            let view: SavedViewLine = try await client.post("/api/v1/views", order, as: reviewer).decoded()
            let plan = #"{"view":"\#(view.id)","period":"daily","zone":"UTC"}"#
            #expect(try await client.post("/api/v1/reviews", plan, as: reviewer).status == .ok)
            server.clock.advance(microseconds: 3 * 86_400_000_000)
            store.begin()
            let page = try await Self.alerts(client, reviewer)
            #expect(page.alerts.map(\.kind) == ["overdueReview"])
        }
    }

    @Test("after a restart, on another server and with a new index no alert is lost or doubled")
    func restart() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let device = try Self.device(reading: ["p1", "p2", "p3", "p4", "p5", "p6"])
        _ = try await server.store.accept(device.upload(1...2))
        @Sendable func ids(_ client: any TestClientProtocol) async throws -> [String] {
            let page = try await Self.alerts(client, auditor)
            #expect(page.open == page.alerts.count)
            return page.alerts.map(\.kind).sorted()
        }

        try await server.service(firstID: 1, index: SearchIndex(path: folder.file("search")))
            .application(logger: TestServer.quiet)
            .test(.router) { client async throws in #expect(try await ids(client) == ["namedRecord"]) }
        // What was read before the restart counts with what is read after it.
        _ = try await server.store.accept(device.upload(1...6))
        try await server.service(firstID: 1000, index: SearchIndex(path: folder.file("search")))
            .application(logger: TestServer.quiet)
            .test(.router) { client async throws in #expect(try await ids(client) == ["massRead", "namedRecord"]) }
        for first in [2000, 3000] as [UInt32] {
            try await server.service(firstID: first)
                .application(logger: TestServer.quiet)
                .test(.router) { client async throws in #expect(try await ids(client) == ["massRead", "namedRecord"]) }
        }
    }

    @Test("two servers on one store learn of each other's entries, and list once what both found")
    func twoServers() async throws {
        let server = try await Self.server()
        let (first, second) = (try SearchIndex(), try SearchIndex())
        let one = try server.service(firstID: 1000).parts(first).desk
        let two = try server.service(firstID: 2000).parts(second).desk
        _ = try await server.store.accept(Self.device(reading: ["p1"]).upload(1...1))

        // Neither knows of the other when it looks.
        async let early: Bool = one.catchUp(maximumEvents: .max)
        async let late: Bool = two.catchUp(maximumEvents: .max)
        _ = try await (early, late)
        for (desk, index) in [(one, first), (two, second)] {
            index.invalidate()
            #expect(try await desk.catchUp(maximumEvents: .max))
        }
        #expect(one.book.alerts.count == 1)
        #expect(one.book == two.book)
    }

    @Test("what was received before a rule was in force raises nothing")
    func before() async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)
        _ = try await server.store.accept(Self.device(reading: ["p1"]).upload(1...1))
        server.clock.advance(microseconds: 60_000_000)

        try await server.run { client in
            let before = try await Self.alerts(client, auditor)
            #expect(before.alerts.isEmpty)
        }
    }

    @Test("an auditor of other apps sees and counts none of the alerts, and acknowledges none")
    func bounded() async throws {
        let server = try await Self.server()
        _ = try await server.store.accept(Self.device(reading: ["p1"]).upload(1...1))
        let reviewer = try await server.headers(.reviewer)
        let lab = try await server.headers(.reviewer(apps: ["lab"]))
        let ward = try await server.headers(.reviewer(apps: ["ward-app"]))

        try await server.run { client in
            let id = try #require(try await Self.alerts(client, reviewer).alerts.first?.id)
            let none = try await Self.alerts(client, lab, "?state=all")
            #expect(none.alerts.isEmpty && none.open == 0)
            let count = try await client.get("/api/v1/alerts/count", as: lab)
            #expect(String(buffer: count.body) == #"{"open":0}"#)
            let seen = try await client.get("/api/v1/alerts/count", as: ward)
            #expect(String(buffer: seen.body) == #"{"open":1}"#)
            let path = "/api/v1/alerts/\(id)/acknowledgement"
            #expect(try await client.post(path, #"{"reason":"x"}"#, as: lab).status == .notFound)
            let note = #"{"subject":{"alert":"\#(id)"},"text":"x"}"#
            #expect(try await client.post("/api/v1/notes", note, as: lab).status == .notFound)
            #expect(try await client.post("/api/v1/notes", note, as: ward).status == .ok)
            #expect(try await client.post(path, #"{"reason":"x"}"#, as: ward).status == .ok)
        }
    }

    @Test("an emergency access says whose record it was and why, masked as everywhere, and of a changed event nothing")
    func breakGlass() async throws {
        let rule = AlertRule("glass", .breakGlass(EventPattern(activity: "Break glass")))
        let mask = EventMask([try MaskedField("metadata:reason")])
        let server = try await TestServer(
            configuration: ServerConfiguration(
                apps: ["lab": AppSettings(mask: mask)],
                alerts: AlertSettings(rules: [rule], personColumn: "userId")
            )
        )
        let auditor = try await server.headers(.auditor)
        let metadata = try EventMetadata(["userId": "ada", "reason": "no pulse"])
        let data = #"{"type":"Patient","value":[{"_id":"p1","name":"Anna"}]}"#
        var (ward, lab) = (SampleDevice(1), SampleDevice(2, prefix: "lab"))
        ward.record(ward.event("Break glass", data: data, metadata: metadata))
        ward.record(ward.event("Break glass", event: "emergency", data: #"{"patient":"p2"}"#, metadata: metadata))
        lab.record(lab.event("Break glass", data: data, metadata: metadata))
        _ = try await server.store.accept(ward.upload(1...2))
        _ = try await server.store.accept(
            lab.upload(1...1, owner: EventOwner(app: "lab", user: "00000000000000000000000c"))
        )

        try await server.run { client in
            let all = try await Self.alerts(client, auditor).alerts
            let shown = Dictionary(grouping: all, by: { "\($0.app ?? "")/\($0.sequence ?? 0)" })
                .compactMapValues { $0.first?.shown }
            #expect(all.count == 3 && shown.count == 3)
            #expect(shown["ward-app/1"]?.objects.map(\.key) == ["p1"])
            #expect(shown["ward-app/1"]?.metadata == ["userId": "ada", "reason": "no pulse"])
            #expect(shown["ward-app/2"]?.excerpt == #"{"patient":"p2"}"#)
            #expect(shown["lab/1"]?.metadata == ["userId": "ada", "reason": "$masked"])
        }
    }

    @Test("a rule that raises very many alerts in a day ends with one that says so")
    func many() async throws {
        let rule = AlertRule("glass", .breakGlass(EventPattern(activity: "x")))
        let server = try await TestServer(configuration: ServerConfiguration(alerts: AlertSettings(rules: [rule])))
        let auditor = try await server.headers(.auditor)
        var device = SampleDevice()
        device.record([String](repeating: "x", count: ReviewDesk.dailyAlerts + 50))
        _ = try await server.store.accept(device.upload(1...(ReviewDesk.dailyAlerts + 50)))

        try await server.run { client in
            let first = try await Self.alerts(client, auditor, "?limit=150")
            #expect(first.open == ReviewDesk.dailyAlerts + 1)
            let after = try #require(first.after)
            let second = try await Self.alerts(client, auditor, "?limit=150&after=\(after)")
            #expect(second.alerts.count == 51 && second.after == nil)
            #expect((first.alerts + second.alerts).count { $0.kind == "manyAlerts" } == 1)
        }
    }

    @Test(
        "a missing partition is told of after a while, and never when it came in the meantime",
        arguments: [true, false]
    )
    func gap(comes: Bool) async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let (first, second) = (try Self.device(1, reading: ["p7"]), try Self.device(2, reading: ["p8"]))
        let seal = try second.seal(after: first.frontier(through: 1).root)
        _ = try await server.store.accept(second.upload(1...1, seal: seal))

        try await server.run { client in
            #expect(try await Self.alerts(client, auditor).alerts.isEmpty)
            if comes { _ = try await server.store.accept(first.upload(1...1, seal: first.seal())) }
            server.clock.advance(microseconds: 2 * 3_600_000_000)
            for _ in 1...2 {
                let kinds = try await Self.alerts(client, auditor).alerts.map(\.kind)
                #expect(kinds == (comes ? [] : ["gap"]))
            }
        }
    }

    @Test("an event with the id of another one is stored with those around it, and told of once")
    func conflict() async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let device = try Self.device(reading: ["p3", "p4"])
        _ = try await server.store.accept(device.upload(1...2, seal: device.seal()))
        var other = try Self.device(2, reading: ["p5"])
        let first = device.events[0]
        other.record(AuditEvent(id: first.id, clock: first.clock, activity: "Open chart", marks: .interrupted))
        other.record(other.event("Close chart"))
        let partition = other.partition

        let proof = try await server.store.accept(other.upload(1...3, seal: other.seal()))

        #expect(proof.durableThrough == 3 && proof.isSealed)
        try await server.run { client in
            for _ in 1...2 {
                let alerts = try await Self.alerts(client, auditor).alerts
                #expect(alerts.map(\.kind) == ["conflict"])
                #expect(alerts.first?.partition == partition.value && alerts.first?.sequence == 2)
            }
            let found = try await client.get("/api/v1/search?partition=\(partition)&order=oldest", as: auditor)
            #expect(String(buffer: found.body).contains("Close chart"))
            #expect(String(buffer: found.body).contains("interrupted"), "the event itself is found")
        }
    }

    @Test("an event that was changed in the database is found by the verification in the background")
    func verification() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(SQLiteEventStore(path: folder.file("db")))
        let device = try Self.device(reading: ["p3", "p4"])
        _ = try await server.store.accept(device.upload(1...2, seal: device.seal()))
        let desk = try server.service.parts(SearchIndex()).desk
        #expect(try await desk.verify(1000) == 1)
        #expect(desk.book.alerts.isEmpty)

        try await DatabaseQueue.beside(folder.file("db"))
            .write { try $0.execute(sql: "UPDATE AuditEvent SET data = replace(data, 'p3', 'p9')") }
        for round in 2...3 { #expect(try await desk.verify(1000) == UInt64(round)) }
        let alert = try #require(desk.book.alerts.values.first?.alert)
        #expect(desk.book.alerts.count == 1, "the same damage is told once")
        #expect(alert.kind == .verifyFailure && alert.partition == device.partition)
        #expect(alert.detail?.contains("event 1 is not what was received") == true)
    }

    @Test("a malformed request is refused", arguments: ["?state=new", "?limit=0", "?limit=501", "?after=x", "?x=1"])
    func malformed(query: String) async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.get("/api/v1/alerts\(query)", as: auditor)
            #expect(response.status == .badRequest)
        }
    }
}

/// A store whose index has to look at all partitions once more whenever it has looked at them, from a moment on.
private final class SweptStore: ForwardingEventStore {
    let inner: any AuditStore = InMemoryEventStore()
    let index: SearchIndex
    private let isSwept = Mutex(false)

    init(_ index: SearchIndex) {
        self.index = index
    }

    func begin() {
        isSwept.withLock { $0 = true }
        index.invalidate()
    }

    func partitions(after: PartitionID?, limit: Int) async throws -> [PartitionRecord] {
        if isSwept.withLock({ $0 }) { index.invalidate() }
        return try await inner.partitions(after: after, limit: limit)
    }
}
