public import EventModel

/// The rules of every sink about what it does not store, to be run against live sinks and fakes alike.
///
/// ```swift
/// let kit = LossLedgerConformance(
///     make: { InMemoryEventSink(maximumEventBytes: $1, quota: $0) }, readBack: { $0.events }, losses: { $0.losses })
/// #expect(kit.brokenRules() == [])
/// ```
public struct LossLedgerConformance<Sink: EventSink> {
    private static var eventBytes: Int { 2000 }

    private let make: (EventQuota, Int) throws -> Sink
    private let readBack: (Sink) throws -> [AuditEvent]
    private let losses: (Sink) throws -> [LossEntry]

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - make: Makes a new, empty sink with a quota and the largest encoding of an event that it accepts, in bytes.
    ///   - readBack: Returns all that a sink has stored, in order.
    ///   - losses: Returns the loss ledger of a sink.
    public init(
        make: @escaping (EventQuota, Int) throws -> Sink,
        readBack: @escaping (Sink) throws -> [AuditEvent],
        losses: @escaping (Sink) throws -> [LossEntry]
    ) {
        self.make = make
        self.readBack = readBack
        self.losses = losses
    }

    /// Runs every rule on a sink of its own and returns those that are broken, as sentences.
    public func brokenRules() -> [String] {
        let rules: [(sentence: String, quota: EventQuota, check: (Sink) throws -> String?)] = [
            ("What is noted is in the ledger when the call returns.", .unlimited, noting),
            ("An event that is too large is named, entered, and costs the others nothing.", .unlimited, tooLarge),
            ("At the limit the first events are stored, the rest is named and entered.", Self.quota, refusing),
            ("What is stored and what is refused add up, call by call.", Self.quota, addingUp),
        ]
        return rules.compactMap { rule in
            do {
                return try rule.check(make(rule.quota, Self.eventBytes)).map { "\(rule.sentence) \($0)" }
            } catch {
                return "\(rule.sentence) It threw: \(error)"
            }
        }
    }

    // MARK: - Rules

    private static var quota: EventQuota { EventQuota(bytes: 20_000) }

    private func noting(_ sink: Sink) throws -> String? {
        let entry = LossEntry(
            reason: .encodingFailed,
            count: 3,
            noticed: EventInstant(microseconds: 5),
            first: EventInstant(microseconds: 1),
            last: EventInstant(microseconds: 2)
        )
        sink.note([entry])
        sink.note([])
        let found = try losses(sink)
        return found == [entry] ? nil : "It was \(found)."
    }

    private func tooLarge(_ sink: Sink) throws -> String? {
        let events = [event(1, byteCount: 10), event(2, byteCount: Self.eventBytes), event(3, byteCount: 10)]
        let receipt = try sink.append(events)
        guard receipt.rejections.map(\.index) == [1], receipt.rejections.map(\.reason) == [.tooLarge] else {
            return "The receipt was \(receipt)."
        }
        guard try readBack(sink) == [events[0], events[2]] else { return "Other events are stored." }
        let found = try losses(sink)
        let isRight = found.count == 1 && found[0].reason == .tooLarge && found[0].count == 1
        return isRight && found[0].first == events[1].timestamp ? nil : "The ledger was \(found)."
    }

    private func refusing(_ sink: Sink) throws -> String? {
        let events = (0..<40).map { event($0, byteCount: 1000) }
        let receipt = try sink.append(events)
        let stored = Int(receipt.count)
        guard stored > 0, stored < 40, receipt.rejections.map(\.index) == Array(stored..<40),
            receipt.rejections.allSatisfy({ $0.reason == .quota && $0.limit == Self.quota.bytes })
        else { return "The receipt was \(receipt)." }
        guard try readBack(sink) == Array(events[..<stored]) else { return "Other events are stored." }
        let found = try losses(sink).filter { $0.reason == .quota }
        let isRight =
            found.reduce(0) { $0 + $1.count } == UInt64(40 - stored) && found.first?.first == events[stored].timestamp
            && found.last?.last == events[39].timestamp
        return isRight ? nil : "The ledger was \(found)."
    }

    private func addingUp(_ sink: Sink) throws -> String? {
        var refused = 0
        for number in 0..<100 {
            refused += try sink.append([event(number, byteCount: 700 + number)]).rejections.count
        }
        let stored = try readBack(sink).count
        let entered = try losses(sink).reduce(0) { $0 + $1.count }
        guard stored > 0, refused > 0 else { return "\(stored) events are stored, \(refused) refused." }
        return stored + refused == 100 && entered == UInt64(refused)
            ? nil : "\(stored) events are stored, \(refused) were refused, \(entered) entered."
    }

    /// An event whose payload no compression makes much smaller.
    private func event(_ number: Int, byteCount: Int) -> AuditEvent {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        let data = (0..<byteCount)
            .map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state)
            }
        return AuditEvent(
            id: ObjectId(high: 0, low: UInt32(number)),
            clock: ClockReading(
                wall: EventInstant(microseconds: Int64(number)),
                monotonicNanoseconds: UInt64(number),
                boot: Boot(high: 1, low: 2)
            ),
            activity: "event",
            data: data
        )
    }
}
