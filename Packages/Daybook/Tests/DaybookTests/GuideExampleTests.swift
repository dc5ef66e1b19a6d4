import Daybook
import ObjectStoreTesting
import Testing

/// The examples of the Event Library's guide, through the real store, recorder, encoder and files.
@MainActor
@Suite("The guide's examples")
struct GuideExampleTests {
    private let id = ObjectId("62b38b3c10846041166f5deb")

    private func openWithAnthony(_ place: RecordingRealm) throws -> Realm {
        let realm = try place.open()
        try realm.write { realm in
            realm.add(Person(id: id, name: "Anthony", employeeId: 2))
        }
        return realm
    }

    @Test("a read is recorded with the payload that the guide shows")
    func read() async throws {
        let place = try RecordingRealm()
        let realm = try openWithAnthony(place)
        let events = try #require(realm.events)

        let scope = events.beginScope(activity: "read object")
        let person = try #require(realm.objects(Person.self).first)
        #expect(person.name == "Anthony")
        try await scope.commit()

        let stored = try place.storedEvents()
        #expect(stored.map(\.activity) == ["read object"])
        #expect(stored.map(\.event) == ["read"])
        #expect(
            stored.map(\.dataText) == [
                #"{"type":"Person","value":[{"_id":"62b38b3c10846041166f5deb","_partition":"","employeeId":2,"#
                    + #""name":"Anthony","userId":null}]}"#
            ]
        )
    }

    @Test("a write is recorded with the payload that the guide shows")
    func write() async throws {
        let place = try RecordingRealm()
        let realm = try openWithAnthony(place)
        let person = try #require(realm.objects(Person.self).first)
        let events = try #require(realm.events)

        let scope = events.beginScope(activity: "mutate object")
        try realm.write { _ in
            person.name = "Tony"
        }
        try await scope.commit()

        #expect(
            try place.storedEvents().map(\.dataText) == [
                #"{"Person":{"modifications":[{"newValue":{"name":"Tony"},"oldValue":{"#
                    + #""_id":"62b38b3c10846041166f5deb","_partition":"","employeeId":2,"name":"Anthony","#
                    + #""userId":null}}]}}"#
            ]
        )
    }

    @Test("a custom event is recorded beside scopes, with the metadata of the moment")
    func custom() async throws {
        let place = try RecordingRealm()
        let realm = try place.open(
            EventConfiguration(metadata: ["username": "Jason Bourne"], partitionPrefix: "event-")
        )
        let events = try #require(realm.events)

        try await events.persistEvent(activity: "event", eventType: "custom event")
        events.updateMetadata(["username": "John Michael Kane"])
        try await events.persistEvent(activity: "event")

        let stored = try place.storedEvents()
        #expect(stored.map(\.event) == ["custom event", nil])
        #expect(stored.map { $0.metadata["username"] } == ["Jason Bourne", "John Michael Kane"])
        #expect(try #require(realm.eventDestination).partitionsWritten.map(\.prefix) == ["event-"])
    }

    @Test("a reason is merged into the metadata for a while, and the name of the user stays")
    func reason() async throws {
        let place = try RecordingRealm()
        let realm = try place.open(EventConfiguration(metadata: ["username": "Jason Bourne"]))
        let events = try #require(realm.events)

        try events.mergeMetadata(["reason": "fall in the corridor"])
        try await events.persistEvent(activity: "break glass")
        try events.mergeMetadata(["reason": nil])
        try await events.persistEvent(activity: "event")

        #expect(
            try place.storedEvents().map(\.metadata.dictionary) == [
                ["username": "Jason Bourne", "reason": "fall in the corridor"], ["username": "Jason Bourne"],
            ]
        )
    }

    @Test("a class that represents itself is stored as the page about it shows")
    func customRepresentation() async throws {
        let place = try TemporaryRealm([Clerk.self]) { $0.eventConfiguration = EventConfiguration() }
        let realm = try place.open()
        try realm.write { realm in realm.create(Clerk.self, value: ["name": "Anthony", "employeeId": 2]) }

        let scope = try #require(realm.events).beginScope(activity: "read object")
        _ = realm.objects(Clerk.self).first
        try await scope.commit()

        #expect(try place.storedEvents().map(\.dataText) == [#"{"type":"Clerk","value":[{"int":2}]}"#])
    }

    @Test("a cancelled scope leaves nothing")
    func cancelled() async throws {
        let place = try RecordingRealm()
        let realm = try openWithAnthony(place)
        let events = try #require(realm.events)

        let scope = events.beginScope(activity: "read object")
        _ = realm.objects(Person.self).first
        #expect(scope.isActive)
        scope.cancel()
        #expect(!scope.isActive)
        await events.flush()

        #expect(try place.storedEvents() == [])
    }
}

private class Clerk: Object, CustomEventRepresentable {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name: String
    @Persisted var employeeId: Int

    func customEventRepresentation() -> String { "{\"int\": \(employeeId)}" }
}
