import Dispatch
public import EventModel
import Synchronization

/// The rules that every ``/EventModel/EventSink`` keeps, to be run against live sinks and fakes alike.
///
/// ```swift
/// let kit = EventSinkConformance(make: { InMemoryEventSink() }, readBack: { $0.events })
/// #expect(kit.brokenRules() == [])
/// ```
public struct EventSinkConformance<Sink: EventSink> {
    private let make: () throws -> Sink
    private let readBack: (Sink) throws -> [AuditEvent]

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - make: Makes a new, empty sink for each rule.
    ///   - readBack: Returns all that a sink has stored, in the order of partitions and sequences.
    public init(make: @escaping () throws -> Sink, readBack: @escaping (Sink) throws -> [AuditEvent]) {
        self.make = make
        self.readBack = readBack
    }

    /// Runs every rule on a sink of its own and returns those that are broken, as sentences.
    public func brokenRules() -> [String] {
        let rules: [(sentence: String, check: (Sink) throws -> String?)] = [
            ("An empty batch stores nothing and has an empty receipt.", emptyBatch),
            ("A batch is readable when append returns, with every field, in order.", everyField),
            ("A later batch comes after an earlier one.", orderOfBatches),
            ("A receipt names one sequence for each stored event, consecutive within a partition.", sequences),
            ("Concurrent batches are all stored, each in one piece, those of a thread in order.", concurrency),
            ("Of some ids, those of stored events are found, and no others.", lookUp),
        ]
        return rules.compactMap { rule in
            do {
                return try rule.check(make()).map { "\(rule.sentence) \($0)" }
            } catch {
                return "\(rule.sentence) It threw: \(error)"
            }
        }
    }

    // MARK: - Rules

    private func emptyBatch(_ sink: Sink) throws -> String? {
        let receipt = try sink.append([])
        guard receipt.count == 0, receipt.rejections.isEmpty else { return "The receipt was \(receipt)." }
        return try difference(sink, from: [])
    }

    private func everyField(_ sink: Sink) throws -> String? {
        var ids = EventIds()
        let clock = ClockReading(
            wall: EventInstant(microseconds: -1),
            monotonicNanoseconds: .max,
            boot: Boot(high: 3, low: 4)
        )
        let events = [
            ids.event(activity: "plain"),
            ids.event(activity: ""),
            AuditEvent(
                id: ids.next(),
                clock: clock,
                activity: "\u{1F3E5} full",
                event: "read",
                data: Array(#"{"type":"Person","value":[]}"#.utf8),
                metadata: try EventMetadata(["user": "nurse", "ward": ""]),
                scopeCommitted: EventInstant(microseconds: 1_700_000_000_000_001),
                marks: [.interrupted, .incomplete]
            ),
            AuditEvent(id: ids.next(), clock: clock, activity: "empty texts", event: "", data: []),
            AuditEvent(
                id: ids.next(),
                clock: clock,
                activity: "large",
                data: [UInt8](repeating: 0x61, count: 300_000)
            ),
        ]
        let receipt = try sink.append(events)
        guard receipt.count == UInt64(events.count), receipt.rejections.isEmpty else {
            return "The receipt counts \(receipt.count) of \(events.count) events."
        }
        return try difference(sink, from: events)
    }

    private func orderOfBatches(_ sink: Sink) throws -> String? {
        var ids = EventIds()
        var events: [AuditEvent] = []
        for size in [1, 3, 2, 1] {
            let batch = (0..<size).map { _ in ids.event(activity: "batch of \(size)") }
            _ = try sink.append(batch)
            events += batch
        }
        return try difference(sink, from: events)
    }

    private func sequences(_ sink: Sink) throws -> String? {
        var ids = EventIds()
        var last: [PartitionID: UInt64] = [:]
        for size in [2, 1, 5] {
            let receipt = try sink.append((0..<size).map { _ in ids.event(activity: "sequence") })
            guard receipt.count == UInt64(size) else { return "\(size) events got \(receipt.count) sequences." }
            for place in receipt.places {
                let expected = (last[place.partition] ?? 0) + 1
                guard place.sequences.lowerBound == expected else {
                    return "Sequence \(place.sequences.lowerBound) follows \(expected - 1)."
                }
                last[place.partition] = place.sequences.upperBound
            }
        }
        return nil
    }

    private func concurrency(_ sink: Sink) throws -> String? {
        let threads = 8
        let batches = 25
        let batchSize = 3
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var ids = EventIds(thread: thread)
            for batch in 0..<batches {
                do {
                    _ = try sink.append((0..<batchSize).map { _ in ids.event(activity: "\(thread) \(batch)") })
                } catch {
                    failures.withLock { $0.append("Thread \(thread) got: \(error)") }
                }
            }
        }
        if let failure = failures.withLock({ $0.first }) { return failure }
        let stored = try readBack(sink)
        guard stored.count == threads * batches * batchSize else {
            return "\(stored.count) of \(threads * batches * batchSize) events are stored."
        }
        for start in stride(from: 0, to: stored.count, by: batchSize) {
            let activities = Set(stored[start..<(start + batchSize)].map(\.activity))
            guard activities.count == 1 else { return "Batches \(activities.sorted()) are mixed." }
        }
        for (thread, events) in Dictionary(grouping: stored, by: \.id.high) {
            guard events.map(\.id) == events.map(\.id).sorted() else {
                return "The events of thread \(thread) are out of order."
            }
        }
        return nil
    }

    private func lookUp(_ sink: Sink) throws -> String? {
        var ids = EventIds()
        let events = (0..<6).map { ids.event(activity: "event \($0)") }
        _ = try sink.append(Array(events[..<4]))
        let asked = [events[1].id...events[1].id, events[3].id...events[5].id]
        let found = try sink.storedEvents(among: asked).filter { id in asked.contains { $0.contains(id) } }
        let expected = [events[1].id, events[3].id]
        guard found == Set(expected) else { return "It found \(found.sorted()) instead of \(expected)." }
        return try sink.storedEvents(among: []).isEmpty ? nil : "It found events that nobody asked for."
    }

    private func difference(_ sink: Sink, from expected: [AuditEvent]) throws -> String? {
        let stored = try readBack(sink)
        guard stored.count == expected.count else { return "\(stored.count) of \(expected.count) events are stored." }
        let index = expected.indices.first { stored[$0] != expected[$0] }
        return index.map { "Event \($0) differs: \(stored[$0]) instead of \(expected[$0])." }
    }
}

/// Makes small events with ids that increase.
private struct EventIds {
    private let thread: UInt64
    private var last: UInt32 = 0

    init(thread: Int = 0) {
        self.thread = UInt64(thread)
    }

    mutating func next() -> ObjectId {
        last += 1
        return ObjectId(high: thread, low: last)
    }

    mutating func event(activity: String) -> AuditEvent {
        let clock = ClockReading(
            wall: EventInstant(microseconds: 1_700_000_000_000_000 + Int64(last)),
            monotonicNanoseconds: UInt64(last),
            boot: Boot(high: 1, low: 2)
        )
        return AuditEvent(id: next(), clock: clock, activity: activity)
    }
}
