import AuditModel
import EventModel
import EventProofs
import SQLiteStore

/// What a search asks of a store, checked against any implementation.
struct SearchConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    func violations() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let (older, younger) = try await Self.fill(store)
        try await check(store, rules, older, younger)
        try await checkSearch(store, rules)
        return rules.broken
    }

    private static func fill(_ store: any AuditStore) async throws -> (older: SampleDevice, younger: SampleDevice) {
        var (older, younger) = (SampleDevice(1), SampleDevice(2, prefix: "clinic"))
        older.record(
            older.event(
                "a",
                data: #"{"type":"Person","value":[{"_id":7}]}"#,
                metadata: try EventMetadata(["nurse": "bob"])
            )
        )
        older.record(["b", "c", "d"])
        younger.record(younger.event("a", data: nil))
        younger.record(["zero \u{0} byte", "b"])
        _ = try await store.accept(younger.upload(1...3))
        _ = try await store.accept(older.upload(1...4))
        return (older, younger)
    }

    private func check(
        _ store: any AuditStore,
        _ rules: Rules,
        _ older: SampleDevice,
        _ younger: SampleDevice
    ) async throws {
        let addresses = [
            EventAddress(partition: younger.partition, sequence: 3),
            EventAddress(partition: older.partition, sequence: 1),
            EventAddress(partition: older.partition, sequence: 5),
            EventAddress(partition: SampleDevice(9).partition, sequence: 1),
            EventAddress(partition: younger.partition, sequence: 0),
            EventAddress(partition: younger.partition, sequence: .max),
            EventAddress(partition: younger.partition, sequence: 2),
        ]
        let found = try await store.events(at: addresses)
        rules.expect(
            found.compactMap(\.event) == [younger.events[2], older.events[0], younger.events[1]],
            "events are found by where they lie, in the order of the addresses, and others are left out"
        )
        rules.expect(
            found.map(\.sequence) == [3, 1, 2] && found.allSatisfy { $0.owner == SampleDevice.owner },
            "events that are found keep their sequences and their owner"
        )
        var rest = addresses[...]
        var parts: [StoredEvent] = []
        while !rest.isEmpty {
            let part = try await store.events(at: Array(rest), maximumBytes: 1)
            rules.expect(part.events.count <= 1 && part.looked > 0, "events beyond a bound of bytes are left for later")
            parts += part.events
            rest = rest.dropFirst(max(1, part.looked))
        }
        rules.expect(parts == found, "whoever goes on behind what was looked at gets every event once")
        let none = try await store.events(at: [])
        rules.expect(none.isEmpty, "no address finds no event")

        let hashes = older.events.map { MerkleHash.leaf($0.encoded) }
        let all = try await store.leaves(of: older.partition, 1...4)
        rules.expect(all == hashes, "leaf hashes come in the order of their events")
        let some = try await store.leaves(of: older.partition, 3...(.max))
        rules.expect(some == Array(hashes[2...]), "leaf hashes that are not stored are left out")
        let others = try await store.leaves(of: SampleDevice(9).partition, 1...4)
        rules.expect(others.isEmpty, "a partition that never came has no leaf hashes")
    }

    /// Compares what the index finds with what looking at all events finds.
    private func checkSearch(_ store: any AuditStore, _ rules: Rules) async throws {
        let index = try SearchIndex()
        let isCurrent = try await index.refresh(from: store)
        rules.expect(isCurrent, "the index has what the store has")
        let all = try await store.events(EventFilter(), after: nil, limit: 100, maximumBytes: 1_000_000).events
        let filters = [
            EventFilter(), EventFilter(activity: "a"), EventFilter(person: "bob"),
            EventFilter(metadata: ["nurse": "bob"]),
            EventFilter(objectClass: "Person", objectKey: "7"), EventFilter(activity: "zero \u{0} byte"),
            EventFilter(partition: SampleDevice(2, prefix: "clinic").partition), EventFilter(text: "ZERO"),
            EventFilter(person: "nobody"),
        ]
        for filter in filters {
            var found: [StoredEvent] = []
            var cursor: SearchCursor?
            repeat {
                let range = SearchRange(after: cursor, limit: 2)
                let page = try await index.search(filter, range, in: store, clock: SystemClock())
                found += page.hits.map(\.stored)
                cursor = page.next
            } while cursor != nil
            rules.expect(
                found.count == Set(found).count && Set(found) == Set(all.filter(filter.matches)),
                "a search finds what looking at all events finds"
            )
        }
    }
}
