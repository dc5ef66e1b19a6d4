import AuditModel
import EventModel
import EventProofs

/// The part of the contract of ``/AuditModel/EventReading`` about an event that has the id of another one.
struct ConflictConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    func violations() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b"])
        _ = try await store.accept(device.upload(1...2))

        var other = SampleDevice(2)
        other.record(device.events[0])
        other.record(["c"])
        let id = device.events[1].id
        let twin = AuditEvent(id: id, clock: device.events[1].clock, activity: "another with this id")
        other.record(twin)
        other.record(["d"])
        let proof = try await store.accept(other.upload(1...4, seal: other.seal()))
        rules.expect(
            proof.durableThrough == 4 && proof.isSealed && proof.root == other.frontier(through: 4).root,
            "a partition with an event that has a stored id is stored as a whole"
        )
        let again = try await store.accept(other.upload(3...4))
        rules.expect(again == proof, "an event that has a stored id may come again")
        let page = try await store.events(
            EventFilter(partition: other.partition),
            after: nil,
            limit: 10,
            maximumBytes: 1_000_000
        )
        rules.expect(page.events.map(\.sequence) == [2, 3, 4], "an event that has a stored id is listed")
        rules.expect(page.events.dropFirst().first?.event == twin, "an event that has a stored id comes back as it was")
        let places = [
            EventAddress(partition: device.partition, sequence: 2),
            EventAddress(partition: other.partition, sequence: 3),
        ]
        let found = try await store.addresses(of: id)
        rules.expect(found == places, "both events are found by their id")
        let listed = try await store.conflicts(after: 0, limit: 10)
        rules.expect(
            listed.map(\.address) == [places[1]] && listed.map(\.owner) == [SampleDevice.owner]
                && listed.map(\.id) == [id] && listed.map(\.received) == [SampleDevice.received],
            "an event that has a stored id is told of once"
        )
        let none = try await store.conflicts(after: listed.last?.number ?? 0, limit: 10)
        rules.expect(none == [], "there is nothing behind the last conflict")
        return rules.broken
    }
}
