package import AuditModel
package import EventModel
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
package import Foundation
#endif

/// Places and lifts holds, erases events, and lets them expire.
///
/// Everything is entered in the ``AuditTrail`` before it is done, and what came of it after. The trail itself is never erased.
package final class EventKeeper: Sendable {
    /// The most events that one request or one run erases.
    package static let maximumEvents = 100_000
    /// The most holds that may hold at once.
    package static let maximumHolds = 1000
    /// How many events one transaction erases, so that uploads wait for a moment only.
    package static let stepCount = 500
    /// How many events and partitions are read at once.
    private static let pageCount = 1000
    /// A bound for the payloads of a page, in bytes.
    private static let pageBytes = 8_388_608
    /// How many ranges a record names; its hash is over all.
    private static let namedRanges = 40

    package let store: any EventReading & EventKeeping
    package let index: any SearchFilling
    package let trail: any TrailRecording
    /// After how long the events of an app expire, by the apps that have a rule.
    package let rules: [String: RetentionRule]  // TEXT: apps, which are ASCII.
    /// The part of an app's events that may expire in a day by itself.
    package let retentionShare: Double
    package let clock: any EventClock
    /// The logs of realms and how long they are kept; nil where there are no realms.
    package let history: RealmHistory?
    /// The exports; nil when there are none.
    package let exports: (any EventCopies)?
    /// Says whether anything may expire by the clock.
    package let clockGuard: ClockGuard
    /// Lets one erasure at a time through.
    package let turnstile = Turnstile()
    /// What expired in the last day, as far as it was looked at.
    let expiredLately = Mutex(RetentionDay())
    /// How many entries of the logs of realms went in the last day, since the server's start.
    let shortenedLately = Mutex(RetentionDay())
    /// What reviewers are to be alerted of, each once.
    private let concerns = Mutex<[Alert]>([])

    package init(
        store: any EventReading & EventKeeping,
        index: any SearchFilling,
        trail: any TrailRecording,
        rules: [String: RetentionRule],  // TEXT: as above.
        retentionShare: Double,
        clock: any EventClock,
        clockGuard: ClockGuard? = nil,
        exports: (any EventCopies)? = nil,
        history: RealmHistory? = nil
    ) {
        self.store = store
        self.index = index
        self.trail = trail
        self.rules = rules
        self.retentionShare = retentionShare
        self.clock = clock
        self.clockGuard = clockGuard ?? ClockGuard(clock: clock)
        self.exports = exports
        self.history = history
    }

    // MARK: - Concerns

    /// Notes what reviewers are to be alerted of.
    package func concern(_ alert: Alert) {
        concerns.withLock { alerts in if !alerts.contains(where: { $0.id == alert.id }) { alerts.append(alert) } }
    }

    /// Takes what was noted since the last time.
    package func takeConcerns() -> [Alert] {
        concerns.withLock { alerts in
            defer { alerts = [] }
            return alerts
        }
    }

    // MARK: - Holds

    /// Places a hold.
    package func placeHold(
        _ name: String,
        on filter: KeepingFilter,
        because reason: String,
        by actor: TrailActor
    ) async throws -> LegalHold {
        guard try await store.holds().count(where: { $0.lifted == nil }) < Self.maximumHolds else {
            throw AuditServerError.rejected(reason: "\(Self.maximumHolds) holds hold already")
        }
        try await trail.record("place hold", about: "\(name): \(try filter.text())", because: reason, by: actor)
        return try await store.placeHold(name, on: filter, act(actor, reason))
    }

    /// Lifts a hold.
    package func liftHold(_ number: Int64, because reason: String, by actor: TrailActor) async throws -> LegalHold {
        guard let hold = try await store.holds().first(where: { $0.number == number && $0.lifted == nil }) else {
            throw AuditServerError.missing(what: "there is no such hold, or it was lifted")
        }
        let subject = "\(hold.number) \(hold.name): \(try hold.filter.text())"
        try await trail.record("lift hold", about: subject, because: reason, by: actor)
        guard let lifted = try await store.liftHold(number, act(actor, reason)) else {
            throw AuditServerError.missing(what: "there is no such hold, or it was lifted")
        }
        return lifted
    }

    // MARK: - Erasing

    /// Counts and lists what an erasure would take.
    ///
    /// - Complexity: O(*n*) in the events of the partitions that the filter does not exclude.
    package func preview(_ filter: KeepingFilter, by actor: TrailActor) async throws -> ErasurePreview {
        try await trail.record("preview erasure", about: try filter.text(), because: nil, by: actor)
        var preview = ErasurePreview()
        try await find(filter) { stored, verdict in
            preview.add(stored, verdict)
            return true
        }
        return preview
    }

    /// Erases what fits a filter.
    ///
    /// - Parameters:
    ///   - filter: Which events; those that arrive from now on stay.
    ///   - count: How many events that were, by the preview.
    ///   - reason: Why.
    ///   - actor: Who wants it.
    /// - Returns: The record, with its result.
    /// - Throws: `AuditServerError.kept(reason:)` when a hold keeps any of the events, or others fit than the preview showed.
    package func erase(
        _ filter: KeepingFilter,
        expecting count: Int,
        because reason: String,
        by actor: TrailActor
    ) async throws -> ErasureRecord {
        try await turnstile.pass {
            let begun = act(actor, reason)
            var filter = filter
            filter.receivedUntil = min(filter.receivedUntil ?? begun.at, begun.at)
            var preview = ErasurePreview()
            var places: [EventAddress] = []
            try await find(filter) { stored, verdict in
                preview.add(stored, verdict)
                if verdict == .erase { places.append(stored.address) }
                return places.count <= Self.maximumEvents
            }
            if let hold = preview.held.keys.min() {
                throw AuditServerError.kept(reason: "the hold '\(hold)' keeps \(preview.held[hold] ?? 0) of them")
            }
            guard places.count <= Self.maximumEvents else {
                throw AuditServerError.rejected(
                    reason: "one erasure takes \(Self.maximumEvents) events at most; narrow it by time"
                )
            }
            guard places.count == count else {
                throw AuditServerError.kept(reason: "\(places.count) events fit, and not \(count); look at them again")
            }
            let subject = "\(count) events: \(try filter.text())"
            try await trail.record("erase events", about: subject, because: reason, by: actor)
            let erasure = try await store.begin(ErasureOrder(kind: .request, begun: begun, filter: filter))
            return try await finish(erasure, places, by: actor)
        }
    }

    /// Goes on with what a server that ended had begun.
    package func resume() async throws {
        try await turnstile.pass {
            var last: Int64 = 0
            while true {
                let page = try await store.erasures(after: last, limit: Self.pageCount)
                for erasure in page where erasure.result == nil {
                    var places: [EventAddress] = []
                    // What expires is found again by the next run.
                    if erasure.order.kind == .request {
                        try await find(erasure.order.filter) { stored, verdict in
                            if verdict == .erase { places.append(stored.address) }
                            return places.count < Self.maximumEvents
                        }
                    }
                    _ = try await finish(erasure, places, by: .server)
                }
                guard let end = page.last, page.count == Self.pageCount else { return }
                last = end.number
            }
        }
    }

    /// Erases events step by step, ends the erasure and records what it took.
    package func finish(
        _ erasure: ErasureRecord,
        _ places: [EventAddress],
        by actor: TrailActor
    ) async throws -> ErasureRecord {
        index.willErase(erasure.number)
        defer { index.didErase(erasure.number) }
        var total = ErasureStep()
        for start in stride(from: 0, to: places.count, by: Self.stepCount) {
            let step = places[start..<min(start + Self.stepCount, places.count)]
            total.add(try await store.erase(Array(step), for: erasure.number))
        }
        let ranges = try await store.ranges(of: erasure.number)
        // Both before it counts as ended, so that no erasure ends with a copy in an export, or without the word of the trail.
        try exports?.forget(ranges)
        try await trail.record(
            TrailEvent.erased,
            about: summary(erasure.number, ranges, total),
            because: erasure.order.begun.reason,
            by: actor
        )
        let record = try await store.finish(erasure.number)
        try await index.refresh(from: store, maximumEvents: 0)
        return record
    }

    private func summary(_ erasure: Int64, _ ranges: ErasedRanges, _ total: ErasureStep) -> String {
        let named = ranges.ranges.prefix(Self.namedRanges)
            .map { "\($0.partition)/\($0.first)\($0.last > $0.first ? "-\($0.last)" : "")" }
        let more = ranges.ranges.count > named.count ? ["and \(ranges.ranges.count - named.count) more ranges"] : []
        let held = total.held.sorted { $0.key < $1.key }.map { "; \($0.value) kept by '\($0.key)'" }.joined()
        let head = "\(ranges.result.text(of: erasure))\(held)"
        return ([head] + named + more).joined(separator: " ")
    }

    // MARK: - Finding

    /// Calls the closure with each event that fits until it returns false, and says what may be done with it.
    package func find(
        _ filter: KeepingFilter,
        _ body: (StoredEvent, ErasureJudge.Verdict) throws -> Bool
    ) async throws {
        let judge = ErasureJudge(try await store.holds())
        try await partitions(filter) { partition in
            try await events(of: partition, filter.eventFilter) { stored in
                guard stored.erasure == nil, filter.fits(stored) else { return true }
                return try body(stored, judge.verdict(on: stored))
            }
        }
    }

    /// Calls the closure with each partition of a filter until it returns false.
    package func partitions(_ filter: KeepingFilter, _ body: (PartitionID) async throws -> Bool) async throws {
        if let partition = filter.partition {
            _ = try await body(partition)
            return
        }
        var last: PartitionID?
        repeat {
            let page = try await store.partitions(after: last, limit: Self.pageCount)
            for record in page where filter.app == nil || filter.app == record.app {
                if let prefix = filter.prefix, !record.partition.prefix.utf8.starts(with: prefix.utf8) { continue }
                if try await !body(record.partition) { return }
            }
            last = page.last?.partition
        } while last != nil
    }

    /// Calls the closure with the events of a partition that fit until it returns false; returns whether it never did.
    package func events(
        of partition: PartitionID,
        _ filter: EventFilter,
        _ body: (StoredEvent) throws -> Bool
    ) async throws -> Bool {
        var filter = filter
        filter.partition = partition
        var cursor: EventCursor?
        repeat {
            let page = try await store.events(
                filter,
                after: cursor,
                limit: Self.pageCount,
                maximumBytes: Self.pageBytes
            )
            for stored in page.events where try !body(stored) { return false }
            cursor = page.next
        } while cursor != nil
        return true
    }

    package func act(_ actor: TrailActor, _ reason: String) -> LegalHold.Act {
        LegalHold.Act(by: actor.name, at: clock.now().wall, reason: reason)
    }
}

extension StoredEvent {
    /// Where the event lies.
    package var address: EventAddress { EventAddress(partition: partition, sequence: sequence) }
}

extension KeepingFilter {
    /// The filter as JSON, its keys in order.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
