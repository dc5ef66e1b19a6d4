import AuditModel
import EventModel
import EventModelTesting
import EventProofs
import SQLiteStore

/// The volume of searches in any store, checked against counting the events one by one.
struct VolumeConformance: Sendable {
    /// Owners whose events a filter may tell apart.
    private static let owners = [SampleDevice.owner, EventOwner(app: "other-app", user: "bb")]
    private static let start: Int64 = 1_700_000_000_000_000
    private static let eventCount = 60

    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    func violations() async throws -> [String] {
        let rules = Rules()
        var generator = SeededGenerator(seed: 7)
        let store = try await make()
        // Blocks of three postings are cut, added to and counted in parts again and again.
        let index = try SearchIndex(tallySize: 3)
        var devices = (1...4 as ClosedRange<UInt32>).map { SampleDevice($0) }
        for number in devices.indices { try Self.record(&devices[number], &generator) }
        for first in stride(from: 1, through: Self.eventCount, by: 20) {
            for (number, device) in devices.enumerated() {
                let owner = Self.owners[number % 2]
                let last = first + 19
                let seal = last == Self.eventCount && number < 3 ? try device.seal(of: owner) : nil
                _ = try await store.accept(device.upload(first...last, owner: owner, seal: seal))
                index.didStore(device.partition)
            }
            try await index.refresh(from: store)
            try await compare(index, store, devices, rules, &generator, "while events arrive")
        }
        try await erase(devices, in: store)
        try await index.refresh(from: store)
        try await compare(index, store, devices, rules, &generator, "after events were erased")
        let again = try SearchIndex(tallySize: 3)
        try await again.refresh(from: store)
        try await compare(again, store, devices, rules, &generator, "in an index that is made anew")
        return rules.broken
    }

    /// Records events whose times lie close together, far apart, and on one another.
    private static func record(_ device: inout SampleDevice, _ generator: inout SeededGenerator) throws {
        for number in 1...eventCount {
            let time: Int64
            switch generator.below(20) {
            case 0: time = start + 500
            case 1: time = start + Int64(generator.below(1_000_000_000))
            case 2 where number < 30: time = .min
            case 2 where number > 50: time = .max
            default: time = start + Int64(generator.below(1000))
            }
            let key = generator.below(6)
            device.record(
                AuditEvent(
                    id: ObjectId(high: UInt64(device.partition.id.low), low: UInt32(number)),
                    clock: ClockReading(
                        wall: EventInstant(microseconds: time),
                        monotonicNanoseconds: UInt64(number),
                        boot: Boot(high: 1, low: UInt64(generator.below(2)))
                    ),
                    activity: ["Rounds", "Handover", "Pause"][generator.below(3)],
                    event: ["read", "read", "read", "write"][generator.below(4)],
                    data: Array(#"{"type":"Patient","value":[{"_id":"65f0c0ffee0000000000000\#(key)"}]}"#.utf8),
                    metadata: try EventMetadata(["nurse": ["ada", "bob"][generator.below(2)]]),
                    marks: generator.once(in: 5) ? [.interrupted] : []
                )
            )
        }
    }

    private func erase(_ devices: [SampleDevice], in store: any AuditStore) async throws {
        let act = LegalHold.Act(by: "somebody", at: SampleDevice.received, reason: "why")
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(activity: "Rounds"))
        let erasure = try await store.begin(order).number
        for device in devices {
            let sequences = device.events.indices.filter { device.events[$0].activity == "Rounds" || $0 < 9 }
            let places = sequences.map { EventAddress(partition: device.partition, sequence: UInt64($0 + 1)) }
            _ = try await store.erase(places, for: erasure)
        }
        _ = try await store.finish(erasure)
    }

    // MARK: - Comparing

    private func compare(
        _ index: SearchIndex,
        _ store: any AuditStore,
        _ devices: [SampleDevice],
        _ rules: Rules,
        _ generator: inout SeededGenerator,
        _ moment: String
    ) async throws {
        let all = try await store.events(EventFilter(), after: nil, limit: 10_000, maximumBytes: 10_000_000).events
        var sealed: [PartitionID: [UInt8]] = [:]
        for device in devices {
            sealed[device.partition] = try await store.partition(device.partition)?.seal?.publicKey
        }
        for filter in Self.filters(devices) {
            let times =
                all.filter { stored in
                    // A listing has what was erased, a search only where it is asked for; the device is the partition's.
                    (stored.erasure != nil) == (filter.outcome == .erased) && filter.matches(stored)
                        && (filter.device == nil || filter.device == sealed[stored.partition])
                }
                .compactMap { ($0.event?.timestamp ?? $0.received)?.microseconds }
            for _ in 0..<3 {
                var filter = filter
                if generator.once(in: 2) { filter.since = Self.time(&generator) }
                if generator.once(in: 2) { filter.until = Self.time(&generator) }
                let bars = 2 + generator.below(40)
                let found = try await index.volume(of: filter, bars: bars, clock: ManualClock())
                rules.expect(
                    found.isExact && found.counts == Self.counts(times, filter, bars),
                    "\(moment) the volume is what counting one by one says, of \(filter) in \(bars) bars"
                )
            }
        }
    }

    private static func filters(_ devices: [SampleDevice]) -> [EventFilter] {
        let key = "65f0c0ffee00000000000001"
        return [
            EventFilter(), EventFilter(app: "ward-app"), EventFilter(person: "bb"), EventFilter(person: "ada"),
            EventFilter(activity: "Rounds"), EventFilter(event: "read"), EventFilter(outcome: .complete),
            EventFilter(outcome: .interrupted), EventFilter(event: "read", outcome: .complete),
            EventFilter(outcome: .erased), EventFilter(app: "other-app", outcome: .erased),
            EventFilter(person: "bb", outcome: .erased), EventFilter(partition: devices[1].partition, outcome: .erased),
            EventFilter(outcome: .erased, device: devices[0].key.publicKey),
            EventFilter(activity: "Rounds", outcome: .erased), EventFilter(objectClass: "Patient"),
            EventFilter(objectClass: "Patient", objectKey: key), EventFilter(objectKey: key, event: "write"),
            EventFilter(metadata: ["nurse": "bob"]), EventFilter(partition: devices[0].partition),
            EventFilter(boot: Boot(high: 1, low: 1).hex), EventFilter(device: devices[2].key.publicKey),
            EventFilter(app: "ward-app", event: "read", metadata: ["nurse": "ada"]),
            EventFilter(person: "bb", activity: "Handover", event: "read"), EventFilter(person: "nobody"),
            EventFilter(receivedSince: SampleDevice.received), EventFilter(receivedUntil: SampleDevice.received),
            EventFilter(access: EventAccess(apps: ["ward-app", "other-app"])),
            EventFilter(event: "write", access: EventAccess(apps: ["other-app"])),
            EventFilter(access: EventAccess(apps: [])),
        ]
    }

    private static func time(_ generator: inout SeededGenerator) -> EventInstant {
        let times = [
            start + Int64(generator.below(1000)), start + 500, start + 501, start + 1_000_000_000, .max, .min + 1,
            SampleDevice.received.microseconds,
        ]
        return EventInstant(microseconds: times[generator.below(times.count)])
    }

    /// Counts one by one.
    private static func counts(_ all: [Int64], _ filter: EventFilter, _ bars: Int) -> [Int64] {
        let times = all.filter { time in
            filter.since.map { time >= $0.microseconds } ?? true && filter.until.map { time < $0.microseconds } ?? true
        }
        guard let oldest = times.min(), let newest = times.max() else { return [] }
        let first = filter.since?.microseconds ?? oldest
        let last = max(first, filter.until.map { $0.microseconds - 1 } ?? newest)
        let width = UInt64(bitPattern: last &- first) / UInt64(bars) + 1
        return times.reduce(into: [Int64](repeating: 0, count: bars)) { counts, time in
            counts[Int(UInt64(bitPattern: time &- first) / width)] += 1
        }
    }
}
