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
@testable import AuditModel
@testable import AuditReview
@testable import AuditSearch
@testable import SQLiteStore

/// Texts that are one to Unicode and two in bytes, wherever a device or a person can put them.
@Suite("Text from outside")
struct OutsideTextTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    /// Two devices that say the same in other bytes, each with one event.
    private static func devices(sharedPrefix: Bool = true) throws -> [SampleDevice] {
        try [composed, decomposed].enumerated()
            .map { number, text in
                var device = SampleDevice(UInt32(sharedPrefix ? number + 1 : 1), prefix: sharedPrefix ? "ward" : text)
                // Their events have ids of their own.
                device.record(
                    SampleDevice(UInt32(number + 1))
                        .event(
                            text,
                            event: text,
                            data: nil,
                            metadata: try EventMetadata([text: "1", "userId": text])
                        )
                )
                return device
            }
    }

    private static let questions: [@Sendable (String) -> EventFilter] = [
        { EventFilter(activity: $0) }, { EventFilter(event: $0) }, { EventFilter(person: $0) },
        { EventFilter(metadata: [ExactText($0): "1"]) }, { EventFilter(metadata: ["userId": $0]) },
    ]

    @Test("an event is found by its own bytes alone, whatever it is asked for by", arguments: questions.indices)
    func filters(question: Int) async throws {
        let store = InMemoryEventStore()
        let devices = try Self.devices()
        for device in devices { _ = try await store.accept(device.upload(1...1)) }
        let index = try SearchIndex()
        try await index.refresh(from: store)

        for (device, text) in zip(devices, [Self.composed, Self.decomposed]) {
            let filter = Self.questions[question](text)
            let listed = try await store.events(filter, after: nil, limit: 10, maximumBytes: 100_000)
            let found = try await index.search(filter, SearchRange(), in: store, clock: ManualClock())
            #expect(listed.events.map(\.partition) == [device.partition])
            #expect(found.hits.map(\.stored.partition) == [device.partition])
            let volume = try await index.volume(of: filter, bars: 1, clock: ManualClock())
            #expect(volume.counts.reduce(0, +) == 1)
        }
    }

    @Test("objects of classes and with keys in other bytes are found by their own", arguments: [false, true])
    func objects(byClass: Bool) async throws {
        let store = InMemoryEventStore()
        for (number, text) in [Self.composed, Self.decomposed].enumerated() {
            var device = SampleDevice(UInt32(number + 1))
            device.record(device.event("a", data: #"{"type":"\#(text)","value":[{"_id":"\#(text)"}]}"#))
            _ = try await store.accept(device.upload(1...1))
        }
        let index = try SearchIndex()
        try await index.refresh(from: store)

        for (number, text) in [Self.composed, Self.decomposed].enumerated() {
            let filter = byClass ? EventFilter(objectClass: text) : EventFilter(objectKey: text)
            let listed = try await store.events(filter, after: nil, limit: 10, maximumBytes: 100_000)
            let found = try await index.search(filter, SearchRange(), in: store, clock: ManualClock())
            #expect(listed.events.map(\.partition) == [SampleDevice(UInt32(number + 1)).partition])
            #expect(found.hits.map(\.stored.partition) == [SampleDevice(UInt32(number + 1)).partition])
        }
    }

    @Test(
        "two partitions of one id, whose prefixes are one to Unicode, are both stored, listed, indexed and alerted of"
    )
    func prefixes() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        let devices = try Self.devices(sharedPrefix: false)
        let rule = AlertRule("everybody", app: "ward-app", .breakGlass(EventPattern()))
        let server = try await TestServer(
            store: store,
            configuration: ServerConfiguration(alerts: AlertSettings(rules: [rule]))
        )
        let index = try SearchIndex()
        let desk = try server.service.parts(index).desk
        try await index.refresh(from: store)
        for device in devices { _ = try await store.accept(device.upload(1...1)) }

        index.invalidate()
        try await index.refresh(from: store)

        #expect(try await store.partitions(after: nil, limit: 10).filter { $0.app == "ward-app" }.count == 2)
        for device in devices {
            let filter = EventFilter(partition: device.partition)
            let found = try await index.search(filter, SearchRange(), in: store, clock: ManualClock())
            #expect(found.hits.map(\.stored.event) == [device.events[0]])
        }
        #expect(desk.read { Set($0.alerts.values.compactMap(\.alert.partition)) } == Set(devices.map(\.partition)))
    }

    @Test("a record that is watched by name is known by its own bytes")
    func namedRecords() {
        let records: Set<NamedRecord> = [
            NamedRecord(objectClass: "P", key: Self.composed), NamedRecord(objectClass: "P", key: Self.decomposed),
        ]

        #expect(records.count == 2)
    }

    @Test("of properties that are one to Unicode, a reconstruction shows both")
    func reconstruction() {
        let data = #"{"type":"P","value":[{"_id":"p1","\#(Self.composed)":1,"\#(Self.decomposed)":2}]}"#
        var device = SampleDevice()
        device.record(device.event("a", data: data))
        let sightings = ObjectSighting.all(of: "P", "p1", in: device.events[0])
        let observation = ObjectEvent(
            address: EventAddress(partition: device.partition, sequence: 1),
            owner: SampleDevice.owner,
            clock: device.events[0].clock,
            received: SampleDevice.received,
            isOwn: true,
            sightings: sightings
        )
        let record = Reconstruction(of: [observation], at: ReconstructionMoment(EventInstant(microseconds: .max)))

        #expect(record.fields.filter { $0.name != "_id" }.map { $0.shown?.value } == ["2", "1"])
    }

    @Test("a name that stands twice in a payload hides no object", arguments: ["_id", "id"])
    func duplicateNames(name: String) {
        var device = SampleDevice()
        device.record(
            device.event(
                "a",
                data: #"{"type":"P","value":[{"\#(name)":"p1","\#(name)":"p2"}],"type":"Q","value":[{"_id":"p3"}]}"#
            )
        )

        #expect(Set(EventObject.all(in: device.events[0]).map(\.key)) == ["p1", "p2", "p3"])
        #expect(EventObject.classes(in: device.events[0]) == ["P", "Q"])
    }

    @Test("an app in other characters than ASCII is refused, so that none is another one's twin")
    func apps() async throws {
        let server = try await TestServer(configuration: ServerConfiguration(apps: ["Kardio": AppSettings()]))

        try await server.run { client async throws in
            // The Kelvin sign is a K to Unicode.
            for app in ["\u{212A}ardio", Self.composed] {
                let path = app.addingPercentEncoding(withAllowedCharacters: []) ?? ""
                let response = try await client.post("/api/v1/apps/\(path)/login", #"{"provider":"anon-user"}"#)
                #expect(response.status == .badRequest)
            }
        }
    }
}
