import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditKeeping
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("Routes of holds, erasures and retention")
struct KeepingRoutesTests {
    private struct Found: Decodable {
        struct Line: Decodable {
            let sequence: UInt64
            let activity: String?
            let outcome: String
            let changed: Bool
        }
        let events: [Line]
    }

    private struct Detail: Decodable {
        let event: EventLine
        let outcome: EventOutcome
        let proof: EventProof?
        let erasure: ErasureRecord?
    }

    private static let filter = #"{"class":"Patient","key":"p1"}"#

    /// A server with two events about the patient p1, one of which shows p2, too, and one about p2.
    private static func filled(
        _ store: any AuditStore = InMemoryEventStore(),
        retention: RetentionRule? = nil
    ) async throws -> (TestServer, SampleDevice) {
        var device = SampleDevice()
        for (activity, keys) in [("Rounds", ["p1"]), ("Rounds", ["p2"]), ("Handover", ["p1", "p2"])] {
            let objects = keys.map { #"{"_id":"\#($0)"}"# }.joined(separator: ",")
            let data = #"{"type":"Patient","value":[\#(objects)]}"#
            device.record(device.event(activity, data: data, metadata: try EventMetadata(["nurse": "n1"])))
        }
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        let clock = ManualClock(start: EventInstant(microseconds: SampleDevice.received.microseconds + 1_000_000))
        let server = try await TestServer(
            store: store,
            configuration: ServerConfiguration(apps: ["ward-app": AppSettings(retention: retention)]),
            clock: clock
        )
        return (server, device)
    }

    /// What the trail says, the oldest first.
    private static func trail(_ store: any AuditStore) async throws -> [(activity: String, data: String)] {
        try await store.events(EventFilter(app: TrailEvent.app), after: nil, limit: 100, maximumBytes: 1_000_000)
            .events.compactMap(\.event).map { ($0.activity, $0.dataText ?? "") }
    }

    @Test("an erasure is looked at first, confirmed with its number and a reason, and recorded before and after")
    func erasing() async throws {
        let (server, device) = try await Self.filled()
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))

        try await server.run { client in
            let before: Found = try await client.get("/api/v1/search?class=Patient&key=p1", as: auditor).decoded()
            #expect(before.events.count == 2)
            let question = #"{"filter":\#(Self.filter)}"#
            let preview: ErasurePreview = try await client.post("/api/v1/erasures/preview", question, as: admin)
                .decoded()
            #expect(preview.events == 2)
            #expect(preview.withOtherObjects == 1)
            #expect(preview.apps == ["ward-app": 2])
            #expect(preview.places.map(\.sequence) == [1, 3])
            let wrong = #"{"filter":\#(Self.filter),"reason":"asked","events":3}"#
            #expect(try await client.post("/api/v1/erasures", wrong, as: admin).status == .conflict)
            let order = #"{"filter":\#(Self.filter),"reason":"asked","events":2}"#
            let record: ErasureRecord = try await client.post("/api/v1/erasures", order, as: admin).decoded()
            #expect(record.result?.events == 2)
            #expect(record.order.begun.reason == "asked")

            let after: Found = try await client.get("/api/v1/search?class=Patient&key=p1", as: auditor).decoded()
            #expect(after.events.isEmpty)
            let rest: Found = try await client.get("/api/v1/search", as: auditor).decoded()
            #expect(rest.events.map(\.sequence) == [2])
            for query in ["outcome=erased", "outcome=erased&person=\(SampleDevice.owner.user)"] {
                let erased: Found = try await client.get("/api/v1/search?\(query)", as: auditor).decoded()
                #expect(erased.events.map(\.sequence).sorted() == [1, 3])
                #expect(erased.events.allSatisfy { !$0.changed && $0.outcome == "erased" })
                let volume: SearchVolume = try await client.get("/api/v1/search/volume?\(query)", as: auditor).decoded()
                #expect(volume.counts.reduce(0, +) == 2 && volume.isExact)
                #expect(volume.start == SampleDevice.received)
            }
            let none: Found = try await client.get("/api/v1/search?outcome=erased&activity=Rounds", as: auditor)
                .decoded()
            #expect(none.events.isEmpty)
            let values: [SearchValue] = try await client.get("/api/v1/search/values?of=activity", as: auditor)
                .decoded()
            #expect(values.first { $0.value == "Handover" } == nil)
            let detail: Detail =
                try await client.get(
                    "/api/v1/partitions/\(device.partition)/events/1",
                    as: auditor
                )
                .decoded()
            #expect(detail.outcome == .erased)
            #expect(detail.event.details.damaged == false)
            #expect(detail.event.details.leafHash == MerkleHash.leaf(device.events[0].encoded))
            #expect(detail.proof == nil)
            #expect(detail.erasure == record)
            let ranges: [ErasedRange] = try await client.get("/api/v1/erasures/1/ranges", as: auditor).decoded()
            #expect(ErasedRanges(ranges).result == record.result)
        }

        let trail = try await Self.trail(server.store).filter { $0.activity.contains("eras") }
        #expect(trail.map(\.activity) == ["preview erasure", "erase events", "erased events"])
        #expect(trail[1].data.contains(#""reason":"asked""#))
        let digest = try await server.store.ranges(of: 1).digest
        #expect(trail[2].data.contains("\(digest)"))
        #expect(trail[2].data.contains("\(device.partition)/1"))
    }

    @Test("a hold keeps what fits it, is named, and is lifted with a reason")
    func holding() async throws {
        let (server, _) = try await Self.filled()
        let admin = try await server.headers(.administrator)

        try await server.run { client in
            let order = #"{"name":"Case 7","reason":"a letter","filter":{"person":"n1","activity":"Handover"}}"#
            let hold: LegalHold = try await client.post("/api/v1/holds", order, as: admin).decoded()
            let question = #"{"filter":\#(Self.filter)}"#
            let preview: ErasurePreview = try await client.post("/api/v1/erasures/preview", question, as: admin)
                .decoded()
            #expect(preview.held == ["Case 7": 1])
            #expect(preview.events == 1)
            let erase = #"{"filter":\#(Self.filter),"reason":"asked","events":1}"#
            let refused = try await client.post("/api/v1/erasures", erase, as: admin)
            #expect(refused.status == .conflict)
            #expect(try refused.decoded(Refusal.self).message.contains("'Case 7'"))
            #expect(try await server.store.erasures(after: 0, limit: 9) == [])

            #expect(try await client.post("/api/v1/holds/\(hold.number)/lift", "{}", as: admin).status == .badRequest)
            let lift = #"{"reason":"settled"}"#
            let lifted: LegalHold = try await client.post("/api/v1/holds/\(hold.number)/lift", lift, as: admin)
                .decoded()
            #expect(lifted.lifted?.reason == "settled")
            #expect(try await client.post("/api/v1/holds/\(hold.number)/lift", lift, as: admin).status == .notFound)
            let all = #"{"filter":\#(Self.filter),"reason":"asked","events":2}"#
            #expect(try await client.post("/api/v1/erasures", all, as: admin).status == .ok)
        }

        let trail = try await Self.trail(server.store).map(\.activity).filter { $0.contains("hold") }
        #expect(trail == ["place hold", "lift hold"])
    }

    @Test(
        "a body that says too little, or something unknown, is refused",
        arguments: [
            ("holds", #"{"name":"x","reason":"r","filter":{}}"#),
            ("holds", #"{"name":"","reason":"r","filter":{"app":"a"}}"#),
            ("holds", #"{"name":"x","filter":{"app":"a"}}"#), ("erasures/preview", #"{"filter":{"app":"a"}}"#),
            ("erasures/preview", #"{"filter":{"persn":"a"}}"#),
            ("erasures/preview", #"{"filter":{"person":"a","since":"noon"}}"#),
            ("erasures", #"{"filter":{"person":"a"},"reason":"","events":0}"#),
            ("erasures", #"{"filter":{"receivedUntil":"2026-01-01T00:00:00Z"},"reason":"r","events":0}"#),
        ]
    )
    func refusals(path: String, body: String) async throws {
        let (server, _) = try await Self.filled()
        let admin = try await server.headers(.administrator)

        try await server.run { client in
            let response = try await client.post("/api/v1/\(path)", body, as: admin)
            #expect(response.status == .badRequest)
        }
        #expect(try await Self.trail(server.store).isEmpty)
    }

    @Test("events expire by the time of their receipt, but for what a hold keeps, and each run leaves a record")
    func retention() async throws {
        let (server, _) = try await Self.filled(retention: try RetentionRule(days: 30, events: ["write": 90]))
        let admin = try await server.headers(.administrator)
        var later = SampleDevice(2)
        later.record(later.event("old", event: "write"))
        _ = try await server.store.accept(later.upload(1...1))

        try await server.run { client in
            let early: [RetentionLine] = try await client.get("/api/v1/retention?count=yes", as: admin).decoded()
            #expect(early.map(\.expired) == [0])
            let nothing: [ErasureRecord] = try await client.post("/api/v1/retention", "", as: admin).decoded()
            #expect(nothing.isEmpty)

            server.clock.advance(microseconds: 31 * 86_400_000_000)
            let token = try await server.headers(.administrator)
            let order = #"{"name":"Case","reason":"r","filter":{"activity":"Handover"}}"#
            _ = try await client.post("/api/v1/holds", order, as: token)
            let lines: [RetentionLine] = try await client.get("/api/v1/retention?count=yes", as: token).decoded()
            #expect(lines.map(\.expired) == [2])
            #expect(lines.map(\.held) == [["Case": 1]])
            let records: [ErasureRecord] = try await client.post("/api/v1/retention", "", as: token).decoded()
            #expect(records.map { $0.result?.events } == [2])
            #expect(records.map(\.order.kind) == [.retention])
            #expect(records.map(\.order.begun.reason) == ["events are kept for 30 days, 'write' for 90 days"])

            server.clock.advance(microseconds: 60 * 86_400_000_000)
            let last: [ErasureRecord] =
                try await client.post("/api/v1/retention", "", as: server.headers(.administrator))
                .decoded()
            #expect(last.map { $0.result?.events } == [1])
        }

        let events = try await server.store.events(
            EventFilter(app: "ward-app"),
            after: nil,
            limit: 9,
            maximumBytes: 999
        )
        #expect(events.events.compactMap(\.event?.activity) == ["Handover"])
        let trail = try await Self.trail(server.store).map(\.activity)
        #expect(trail.count(where: { $0 == "expire events" }) == 2)
        #expect(trail.count(where: { $0 == "erased events" }) == 2)
    }

    @Test(
        "an empty text names nothing, so that no filter of an erasure or a hold has one",
        arguments: ["prefix", "person", "class", "key", "activity", "event", "app"]
    )
    func emptyTexts(name: String) async throws {
        let (server, _) = try await Self.filled()
        let admin = try await server.headers(.administrator)
        let filters = [#"{"\#(name)":""}"#, #"{"\#(name)":"","partition":"ward-000000000000000700000001"}"#]

        try await server.run { client in
            for filter in filters {
                for (path, body) in [
                    ("erasures/preview", #"{"filter":\#(filter)}"#),
                    ("erasures", #"{"filter":\#(filter),"reason":"r","events":3}"#),
                    ("holds", #"{"filter":\#(filter),"reason":"r","name":"n"}"#),
                ] {
                    let refused = try await client.post("/api/v1/\(path)", body, as: admin)
                    #expect(refused.status == .badRequest, "\(path) \(filter)")
                    #expect(try refused.decoded(Refusal.self).message.contains("no empty text"), "\(path)")
                }
            }
        }
        #expect(try await Self.trail(server.store).isEmpty)
    }

    @Test("a clock that is set ten years ahead makes nothing expire, and an administrator who orders it is told why")
    func clockAhead() async throws {
        let (server, _) = try await Self.filled(retention: try RetentionRule(days: 2190))
        let ten = EventInstant(microseconds: server.clock.now().wall.microseconds + 3650 * 86_400_000_000)

        try await server.run { client async throws in
            let before = try await client.post("/api/v1/retention", "", as: server.headers(.administrator))
            #expect(before.status == .ok)
            server.clock.setWall(ten)
            let admin = try await server.headers(.administrator)
            for body in ["", "{}", #"{"events":3,"reason":"r"}"#] {
                let refused = try await client.post("/api/v1/retention", body, as: admin)
                #expect(refused.status == .conflict)
                #expect(try refused.decoded(Refusal.self).message.contains("87600 hours ahead of where it should be"))
            }
            let clock = try await client.get("/api/v1/retention/clock", as: admin).decoded(ClockGuard.State.self)
            #expect(!clock.isBelieved)
            #expect(clock.aheadSeconds == 3650 * 86_400)
            let lines: [RetentionLine] = try await client.get("/api/v1/retention?count=yes", as: admin).decoded()
            #expect(lines.map(\.expired) == [3])
            #expect(lines.map(\.allowed) == [0])
            #expect(try await server.store.erasures(after: 0, limit: 9) == [])

            for body in ["", "{}", #"{"reason":""}"#] {
                #expect(try await client.post("/api/v1/retention/clock", body, as: admin).status == .badRequest)
            }
            let believed = try await client.post("/api/v1/retention/clock", #"{"reason":"It is 2033."}"#, as: admin)
            #expect(try believed.decoded(ClockGuard.State.self).isBelieved)
            let records: [ErasureRecord] = try await client.post("/api/v1/retention", "", as: admin).decoded()
            #expect(records.map { $0.result?.events } == [3])
        }
        let trail = try await Self.trail(server.store)
        #expect(trail.map(\.activity) == ["believe clock", "expire events", "erased events"])
        #expect(trail.first?.data.contains("It is 2033.") == true)
    }

    @Test(
        "a day takes a part of what has expired, a day later the next, and an administrator as many as the order says"
    )
    func share() async throws {
        let store = InMemoryEventStore()
        for number in UInt32(1)...3 {
            var device = SampleDevice(number)
            device.record((1...1000).map { "Rounds \($0)" })
            _ = try await store.accept(device.upload(1...1000))
        }
        let clock = ManualClock(start: EventInstant(microseconds: SampleDevice.received.microseconds + 1_000_000))
        let server = try await TestServer(
            store: store,
            configuration: ServerConfiguration(apps: ["ward-app": AppSettings(retention: try RetentionRule(days: 60))]),
            clock: clock
        )

        try await server.run { client async throws in
            func expire(_ body: String = "") async throws -> [UInt64?] {
                let response = try await client.post("/api/v1/retention", body, as: server.headers(.administrator))
                return try response.decoded([ErasureRecord].self).map { $0.result?.events }
            }
            #expect(try await expire() == [])
            clock.advance(microseconds: 61 * 86_400_000_000)
            #expect(try await expire() == [1000])
            #expect(try await expire() == [])
            let lines: [RetentionLine] =
                try await client.get("/api/v1/retention?count=yes", as: server.headers(.administrator)).decoded()
            #expect(lines.map(\.expired) == [2000])
            #expect(lines.map(\.allowed) == [0])
            for body in [
                #"{"events":0,"reason":"r"}"#, #"{"events":100001,"reason":"r"}"#, #"{"events":5}"#,
                #"{"reason":"r"}"#, #"{"events":5,"reason":""}"#, #"{"events":-1,"reason":"r"}"#, "[",
            ] {
                let refused = try await client.post("/api/v1/retention", body, as: server.headers(.administrator))
                #expect(refused.status == .badRequest, "\(body)")
            }
            #expect(try await expire(#"{"events":700,"reason":"The rule of May."}"#) == [700])
            clock.advance(microseconds: 86_400_000_000)
            #expect(try await expire() == [1000])
            clock.advance(microseconds: 86_400_000_000)
            #expect(try await expire() == [300])
        }
        let trail = try await Self.trail(store)
        #expect(trail.count { $0.activity == "order expiry" } == 1)
        #expect(trail.contains { $0.data.contains("up to 700 events") && $0.data.contains("The rule of May.") })
    }

    @Test("what a server that ended had begun to erase is erased by the next one, without what arrived since")
    func resuming() async throws {
        let folder = try TestFolder.made()
        let (server, _) = try await Self.filled(SQLiteEventStore(path: folder.file("db")))
        let act = LegalHold.Act(by: "a", at: server.clock.now().wall, reason: "r")
        let filter = KeepingFilter(activity: "Rounds", receivedUntil: server.clock.now().wall)
        _ = try await server.store.begin(ErasureOrder(kind: .request, begun: act, filter: filter))
        let store = try SQLiteEventStore(path: folder.file("db"))
        var later = SampleDevice(2)
        later.record(["Rounds"])
        let received = EventInstant(microseconds: server.clock.now().wall.microseconds + 1)
        _ = try await store.accept(
            EventUpload(
                later.stretch(1...1),
                owner: SampleDevice.owner,
                received: received,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )
        let index = try SearchIndex()
        let keeper = EventKeeper(
            store: store,
            index: index,
            trail: AuditTrail(store: store, index: index, key: server.key, clock: server.clock, ids: SequentialIds()),
            rules: server.configuration.apps.compactMapValues(\.retention),
            retentionShare: server.configuration.retentionShare,
            clock: server.clock
        )

        try await keeper.resume()
        try await keeper.resume()

        #expect(try await store.erasures(after: 0, limit: 9).map { $0.result?.events } == [2])
        let left = try await store.events(EventFilter(app: "ward-app"), after: nil, limit: 9, maximumBytes: 999)
        #expect(left.events.compactMap(\.event?.activity) == ["Handover", "Rounds"])
        #expect(try await Self.trail(store).map(\.activity) == ["erased events"])
    }

    @Test("a number of days below one is refused", arguments: [0, -1, 36_501])
    func days(days: Int) {
        #expect(throws: AuditServerError.self) { try RetentionRule(days: days) }
        #expect(throws: AuditServerError.self) { try RetentionRule(days: 30, events: ["read": days]) }
        #expect(throws: AuditServerError.self) { try RetentionRule(days: nil) }
    }
}
