import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditModel
@testable import AuditReview

@Suite("Rules about events")
struct AlertWatchTests {
    private static let start: Int64 = 1_769_760_000_000_000

    /// An event of a device, some minutes after 08:00 UTC of Friday the 30th of January 2026.
    private static func event(
        _ number: Int,
        minute: Int,
        _ data: String? = nil,
        event: String = "read",
        activity: String = "Rounds",
        metadata: [String: String] = ["userId": "ada"],
        app: String = "ward-app"
    ) throws -> WatchedEvent {
        let wall = EventInstant(microseconds: start + Int64(minute) * 60_000_000)
        let made = AuditEvent(
            id: ObjectId(high: 3, low: UInt32(number)),
            clock: ClockReading(wall: wall, monotonicNanoseconds: 1, boot: Boot(high: 1, low: 1)),
            activity: activity,
            event: event,
            data: data.map { Array($0.utf8) },
            metadata: try EventMetadata(metadata)
        )
        let stored = StoredEvent(
            partition: SampleDevice().partition,
            sequence: UInt64(number),
            owner: EventOwner(app: app, user: "0000000000000000000000aa"),
            event: made,
            leaf: MerkleHash.leaf(made.encoded),
            received: wall
        )
        return try #require(WatchedEvent(stored, personColumn: "userId"))
    }

    private static func patients(_ keys: some Sequence<Int>) -> String {
        let objects = keys.map { #"{"_id":"p\#($0)"}"# }.joined(separator: ",")
        return #"{"type":"Patient","value":[\#(objects)]}"#
    }

    private static func alerts(_ rules: [AlertRule], _ events: [WatchedEvent]) -> [Alert] {
        var watch = AlertWatch(AlertSettings(rules: rules))
        var book = ReviewBook()
        var raised: [Alert] = []
        for (number, event) in events.enumerated() {
            for (reader, since) in watch.missing(for: event) { watch.learn(reader, [], since: since) }
            let found = watch.alerts(for: event) { [book] rule, event, from, through in
                book.hasReading(rule: rule, app: event.owner.app, person: event.person, from: from, through: through)
            }
            for alert in found where book.alerts[alert.id] == nil {
                let place = EntryPlace(
                    time: event.time,
                    id: ObjectId(high: 4, low: UInt32(number)),
                    address: event.address
                )
                book.apply(.alert(alert), at: place)
                raised.append(alert)
            }
        }
        return raised
    }

    private static func massRead(_ limit: Int, _ minutes: Int, _ unit: MassRead.Unit = .objects) -> AlertRule {
        AlertRule("many", .massRead(MassRead(objectClass: "Patient", limit: limit, minutes: minutes, unit: unit)))
    }

    @Test("more different objects than allowed in the time raise one alert, in whichever order their events come")
    func massRead() throws {
        let events = try (0..<6).map { try Self.event($0 + 1, minute: $0 * 2, Self.patients([$0])) }
        var generator = SeededGenerator(seed: 7)

        #expect(Self.alerts([Self.massRead(6, 60)], events).isEmpty)
        for _ in 0..<20 {
            let late = events.shuffled(using: &generator)
            let found = Self.alerts([Self.massRead(5, 60)], late + late)
            #expect(found.map(\.kind) == [.massRead])
            #expect(found.first?.count == 6)
            #expect(found.first?.person == "ada")
            #expect(found.first?.from == events.first?.time && found.first?.through == events.last?.time)
        }
        #expect(Self.alerts([Self.massRead(5, 10)], events).isEmpty, "ten minutes hold five of the six")
        #expect(Self.alerts([Self.massRead(4, 10)], events).count == 1)
    }

    @Test("one query may be too much, an object counts once, and who reads on is told of again behind the first time")
    func massReadCounts() throws {
        let query = try Self.event(1, minute: 0, Self.patients(0..<10))
        let again = try (0..<20).map { try Self.event($0 + 1, minute: $0, Self.patients([1])) }
        let on = try (0..<40).map { try Self.event($0 + 1, minute: $0 * 5, Self.patients([$0])) }

        #expect(Self.alerts([Self.massRead(9, 1)], [query]).count == 1)
        #expect(Self.alerts([Self.massRead(10, 1)], [query]).isEmpty)
        #expect(Self.alerts([Self.massRead(1, 60)], again).isEmpty)
        #expect(Self.alerts([Self.massRead(19, 60, .events)], again).count == 1)
        #expect(Self.alerts([Self.massRead(20, 60, .events)], again).isEmpty)
        let times = Self.alerts([Self.massRead(5, 60)], on)
        #expect(times.count > 1)
        for (before, after) in zip(times, times.dropFirst()) { #expect(before.through < after.from) }
    }

    @Test("people, apps, classes and kinds of events are counted apart")
    func massReadApart() throws {
        let people = try (0..<8)
            .map {
                try Self.event($0 + 1, minute: 0, Self.patients([$0]), metadata: ["userId": "nurse\($0 % 2)"])
            }
        let apps = try (0..<8).map { try Self.event($0 + 1, minute: 0, Self.patients([$0]), app: "app\($0 % 2)") }
        let others = try (0..<8)
            .map {
                try Self.event($0 + 1, minute: 0, #"{"type":"Room","value":[{"_id":"r\#($0)"}]}"#)
            }
        let writes = try (0..<8)
            .map {
                try Self.event($0 + 1, minute: 0, #"{"Patient":{"insertions":[{"_id":"p\#($0)"}]}}"#, event: "write")
            }

        for events in [people, apps, others, writes] { #expect(Self.alerts([Self.massRead(4, 60)], events).isEmpty) }
        #expect(Self.alerts([Self.massRead(3, 60)], people).count == 2)
        #expect(Self.alerts([AlertRule("x", app: "app1", Self.massRead(3, 60).condition)], apps).map(\.app) == ["app1"])
    }

    @Test("what somebody read before counts once it is learned, and is asked for once")
    func past() throws {
        var watch = AlertWatch(AlertSettings(rules: [Self.massRead(3, 60)]))
        let past = try (0..<3).map { try Self.event($0 + 1, minute: $0, Self.patients([$0])) }
        let next = try Self.event(9, minute: 10, Self.patients([9]))
        let missing = watch.missing(for: next)

        #expect(missing.map(\.since.microseconds) == [Self.start - 50 * 60_000_000])
        for (reader, since) in missing { watch.learn(reader, past, since: since) }
        #expect(watch.missing(for: next).isEmpty)
        #expect(watch.missing(for: try Self.event(10, minute: 30)).isEmpty)
        #expect(watch.missing(for: try Self.event(11, minute: -30)).count == 1, "it is older than what is known")
        let found = watch.alerts(for: next) { _, _, _, _ in false }
        #expect(found.map(\.count) == [4])
    }

    @Test("an event after hours raises one alert for each person and each time between the hours")
    func afterHours() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        let hours = WorkingHours(days: [.friday, .monday], opening: 7 * 60, closing: 19 * 60, zone: zone)
        let rule = AlertRule("nights", .afterHours(hours))
        let night = 12 * 60
        let events = try [0, night, night + 5, night + 60 * 30, -120].enumerated()
            .map { try Self.event($0.offset + 1, minute: $0.element) }
        let other = try Self.event(9, minute: night, metadata: ["userId": "ben"])

        let found = Self.alerts([rule], events + [other] + events)
        #expect(found.map(\.person) == ["ada", "ada", "ben"])
        #expect(found.map(\.sequence) == [2, 5, 9])
    }

    @Test(
        "an emergency access is an event that fits, each of its own",
        arguments: [
            (EventPattern(activity: "Break glass"), 2), (EventPattern(event: "emergency"), 1),
            (EventPattern(activity: "Break glass", event: "emergency"), 1),
            (EventPattern(metadata: ["purpose": "emergency"]), 1), (EventPattern(metadata: ["purpose": "*"]), 2),
            (EventPattern(metadata: ["reason": "*"]), 0), (EventPattern(activity: "break glass"), 0),
        ]
    )
    func breakGlass(pattern: EventPattern, count: Int) throws {
        let events = [
            try Self.event(1, minute: 0, activity: "Break glass", metadata: ["purpose": "emergency"]),
            try Self.event(2, minute: 0, event: "emergency", activity: "Break glass", metadata: ["purpose": "care"]),
            try Self.event(3, minute: 0),
        ]

        let found = Self.alerts([AlertRule("glass", .breakGlass(pattern))], events + events)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.kind == .breakGlass })
    }

    @Test(
        "a named record raises one alert for each person and day, whether it is read, changed or shown inside another"
    )
    func namedRecords() throws {
        let records: Set = [NamedRecord(objectClass: "Patient", key: "p1")]
        let rule = AlertRule("names", .namedRecords(records))
        let day = 24 * 60
        let change = #"{"Patient":{"modifications":[{"newValue":{"a":1},"oldValue":{"_id":"p1","a":0}}]}}"#
        let nested = #"{"type":"Room","value":[{"_id":"r1","patient":{"_id":"p1"}}]}"#
        let events = [
            try Self.event(1, minute: 0, Self.patients([0, 1, 2])), try Self.event(2, minute: 1, Self.patients([1])),
            try Self.event(3, minute: 1, Self.patients([2])),
            try Self.event(4, minute: 2, #"{"type":"Room","value":[{"_id":"p1"}]}"#),
            try Self.event(5, minute: day, change, event: "write"), try Self.event(6, minute: 2 * day, nested),
            try Self.event(7, minute: 0, Self.patients([1]), metadata: [:]),
        ]

        let found = Self.alerts([rule], events)
        #expect(found.map(\.sequence) == [1, 5, 6, 7])
        #expect(found.allSatisfy { $0.objectClass == "Patient" && $0.key == "p1" })
        #expect(found.last?.person == "0000000000000000000000aa")
    }

    @Test("a device whose clock says anything at all stops no rule", arguments: [Int64.min, -1, 0, Int64.max])
    func oddClock(microseconds: Int64) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
        let hours = WorkingHours(days: [.monday], opening: 0, closing: 60, zone: zone)
        let rules = [
            Self.massRead(2, 10_080), AlertRule("nights", .afterHours(hours)),
            AlertRule("names", .namedRecords([NamedRecord(objectClass: "Patient", key: "p1")])),
        ]
        let made = AuditEvent(
            id: ObjectId(high: 3, low: 1),
            clock: ClockReading(
                wall: EventInstant(microseconds: microseconds),
                monotonicNanoseconds: 1,
                boot: Boot(high: 1, low: 1)
            ),
            activity: "Rounds",
            event: "read",
            data: Array(Self.patients(0..<3).utf8)
        )
        let stored = StoredEvent(
            partition: SampleDevice().partition,
            sequence: 1,
            owner: SampleDevice.owner,
            event: made,
            leaf: nil,
            received: SampleDevice.received
        )
        let odd = try #require(WatchedEvent(stored, personColumn: nil))
        let usual = try Self.event(2, minute: 0, Self.patients(0..<3), metadata: [:])

        let found = Self.alerts(rules, [usual, odd, usual, odd])
        #expect(Set(found.map(\.kind)) == [.massRead, .afterHours, .namedRecord])
        #expect(found.count == 6)
    }

    @Test("people whose names are masked are told apart by their accounts")
    func maskedPeople() throws {
        let event = try Self.event(1, minute: 0, metadata: ["userId": EventMask.text])
        #expect(event.person == event.owner.user)
    }

    @Test("what rules do not look at: the trail itself, repeated and damaged events")
    func unwatched() throws {
        let owner = EventOwner(app: TrailEvent.app, user: "aa")
        let made = SampleDevice().event("x")
        func stored(_ owner: EventOwner?, _ event: AuditEvent?, repeated: Bool = false) -> StoredEvent {
            StoredEvent(
                partition: SampleDevice().partition,
                sequence: 1,
                owner: owner,
                event: event,
                leaf: nil,
                received: nil,
                isRepeated: repeated
            )
        }

        #expect(WatchedEvent(stored(owner, made), personColumn: nil) == nil)
        #expect(WatchedEvent(stored(SampleDevice.owner, made, repeated: true), personColumn: nil) == nil)
        #expect(WatchedEvent(stored(SampleDevice.owner, nil), personColumn: nil) == nil)
        #expect(WatchedEvent(stored(nil, made), personColumn: nil) == nil)
        #expect(WatchedEvent(stored(SampleDevice.owner, made), personColumn: nil) != nil)
    }
}
