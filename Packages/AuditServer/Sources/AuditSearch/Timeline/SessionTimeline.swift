package import AuditModel
package import EventModel

/// A stretch of events as a person or a device went through them: the scopes, and the events with their places in these.
package struct SessionTimeline: Sendable, Encodable {
    /// A scope, as far as its events are in the stretch.
    ///
    /// Events do not say when their scope began: it was open at ``first`` and until ``committed``.
    package struct Scope: Sendable, Encodable {
        /// Its name.
        package let activity: String
        /// The app.
        package let app: String?
        /// The account.
        package let user: String?
        /// The run of the device's system.
        package let boot: String
        /// Its first event of the stretch, by the device's clock.
        fileprivate(set) var first: EventInstant
        /// Its last event of the stretch, by the device's clock.
        fileprivate(set) var last: EventInstant
        /// When it was committed; nil when its process ended before, and of a scope of which nobody knows it.
        package let committed: EventInstant?
        /// Whether it ended with its process and not by a commit.
        package let isInterrupted: Bool
        /// How many events it has in the stretch.
        fileprivate(set) var events = 0
        /// Whether the partition holds earlier events of it, which the filter or the page leaves out.
        fileprivate(set) var hasEarlier = false
        /// Whether the partition holds later events of it, which the filter or the page leaves out.
        fileprivate(set) var hasLater = false
    }

    /// An event and where it belongs.
    package struct Entry: Sendable, Encodable {
        /// The event in short.
        package let line: SearchLine
        /// The place of its scope in ``SessionTimeline/scopes``; nil of a custom event, which belongs to none.
        package let scope: Int?
        /// The run of the device's system; nil when the event is damaged.
        package let boot: String?
    }

    /// The scopes in the order of their first events.
    package let scopes: [Scope]
    /// The events in the order of the devices' clocks.
    package let events: [Entry]
}

extension SessionTimeline {
    /// What tells a scope apart: nothing else is written down about it.
    ///
    /// Interrupted scopes of one name in one partition are taken for one, as nothing says where the first of them ended.
    private struct Identity: Hashable {
        let owner: EventOwner?
        let boot: Boot
        let activity: ExactText
        let committed: EventInstant?
        let interrupted: PartitionID?

        init?(_ stored: StoredEvent) {
            guard let event = stored.event else { return nil }
            let isInterrupted = event.marks.contains(.interrupted)
            // A custom event belongs to no scope, also when one was open.
            guard event.scopeCommitted != nil || isInterrupted else { return nil }
            owner = stored.owner
            boot = event.clock.boot
            activity = ExactText(event.activity)
            committed = event.scopeCommitted
            interrupted = isInterrupted ? stored.partition : nil
        }
    }

    /// Where the first and the last event of a scope lie.
    private struct Ends {
        let identity: Identity
        var first: EventAddress
        var last: EventAddress
    }

    /// Groups results, which are in the order of the devices' clocks.
    ///
    /// - Parameters:
    ///   - hits: The results.
    ///   - labels: What objects are called.
    ///   - events: Returns events by where they lie, as many as are in memory at once; asked for the neighbours of each scope.
    package init(
        _ hits: [SearchPage.Hit],
        _ labels: ObjectLabels = .none,
        neighbours events: ([EventAddress]) async throws -> AddressedEvents
    ) async rethrows {
        var places: [Identity: Int] = [:]
        var scopes: [Scope] = []
        var ends: [Ends] = []
        self.events = hits.map { hit in
            let stored = hit.stored
            guard let event = stored.event, let identity = Identity(stored) else {
                return Entry(line: SearchLine(hit, labels), scope: nil, boot: stored.event?.clock.boot.hex)
            }
            let address = EventAddress(partition: stored.partition, sequence: stored.sequence)
            let place = places[identity] ?? scopes.count
            if place == scopes.count {
                places[identity] = place
                scopes.append(Scope(event, stored.owner))
                ends.append(Ends(identity: identity, first: address, last: address))
            }
            scopes[place].events += 1
            scopes[place].first = min(scopes[place].first, event.timestamp)
            scopes[place].last = max(scopes[place].last, event.timestamp)
            if address.partition == ends[place].first.partition {
                if address.sequence < ends[place].first.sequence { ends[place].first = address }
                if address.sequence > ends[place].last.sequence { ends[place].last = address }
            }
            return Entry(line: SearchLine(hit, labels), scope: place, boot: event.clock.boot.hex)
        }
        let addresses = ends.flatMap { [$0.first.moved(by: -1), $0.last.moved(by: 1)] }.compactMap(\.self)
        var identities: [EventAddress: Identity] = [:]
        var rest = addresses[...]
        while !rest.isEmpty {
            let neighbours = try await events(Array(rest))
            for stored in neighbours.events {
                identities[EventAddress(partition: stored.partition, sequence: stored.sequence)] = Identity(stored)
            }
            rest = rest.dropFirst(max(1, neighbours.looked))
        }
        for (place, end) in ends.enumerated() {
            scopes[place].hasEarlier = end.first.moved(by: -1).flatMap { identities[$0] } == end.identity
            scopes[place].hasLater = end.last.moved(by: 1).flatMap { identities[$0] } == end.identity
        }
        self.scopes = scopes
    }
}

extension SessionTimeline.Scope {
    fileprivate init(_ event: AuditEvent, _ owner: EventOwner?) {
        activity = event.activity
        app = owner?.app
        user = owner?.user
        boot = event.clock.boot.hex
        first = event.timestamp
        last = event.timestamp
        committed = event.scopeCommitted
        isInterrupted = event.marks.contains(.interrupted)
    }
}

extension EventAddress {
    fileprivate func moved(by distance: Int64) -> EventAddress? {
        let (moved, isOverflow) = Int64(clamping: sequence).addingReportingOverflow(distance)
        return moved > 0 && !isOverflow ? EventAddress(partition: partition, sequence: UInt64(moved)) : nil
    }
}
