package import AuditModel
package import EventModel

/// Reads what a reconstruction is made of: the events about one object, as far as they matter at a moment.
package struct ReconstructionReader: Sendable {
    /// How many events before the moment are read, the newest first.
    package static let maximumEvents = 2000
    /// How many events are read whose clock says that they were later, although the server had them, or the monotonic clock
    /// says otherwise.
    private static let maximumOdd = 200
    /// How many are read at once: their payloads may be large, and are forgotten after each page.
    private static let pageCount = 50

    package let store: any EventReading
    package let index: any SearchEngine
    package let clock: any EventClock

    package init(store: any EventReading, index: any SearchEngine, clock: any EventClock) {
        self.store = store
        self.index = index
        self.clock = clock
    }

    /// What was read.
    package struct Material: Sendable {
        /// The events about the object.
        package fileprivate(set) var observations: [ObjectEvent] = []
        /// The same events in short, by where they lie.
        package fileprivate(set) var lines: [EventAddress: SearchLine] = [:]
        /// Whether that is everything the server has.
        package fileprivate(set) var isComplete = true
        /// How many events could not be read, because they are damaged.
        package fileprivate(set) var damaged = 0
    }

    /// Reads the events about an object.
    ///
    /// - Parameters:
    ///   - objectClass: The class.
    ///   - key: The primary key as text.
    ///   - subject: Whose view it is: what fits this filter is the person's or device's own.
    ///   - moment: The moment.
    /// - Returns: The events, and whether they are all.
    /// - Throws: `unavailable` when the store or the index fails.
    package func material(
        about objectClass: String,
        _ key: String,
        seenBy subject: EventFilter,
        at moment: ReconstructionMoment
    ) async throws -> Material {
        var material = Material()
        let all = EventFilter(app: subject.app, objectClass: objectClass, objectKey: key, access: subject.access)
        let (behind, isLast) = moment.wall.microseconds.addingReportingOverflow(1)
        let end = isLast ? nil : EventInstant(microseconds: behind)
        var before = all
        before.until = end
        try await read(before, Self.maximumEvents, subject, into: &material)
        guard let end else { return material }
        var received = all
        (received.since, received.receivedUntil) = (end, end)
        try await read(received, Self.maximumOdd, subject, into: &material)
        if let run = moment.run {
            var odd = all
            (odd.since, odd.boot) = (end, run.boot.hex)
            try await read(odd, Self.maximumOdd, subject, isNewestFirst: false, into: &material)
        }
        return material
    }

    private func read(
        _ filter: EventFilter,
        _ count: Int,
        _ subject: EventFilter,
        isNewestFirst: Bool = true,
        into material: inout Material
    ) async throws {
        var range = SearchRange(isNewestFirst: isNewestFirst, limit: Self.pageCount)
        var left = count
        repeat {
            let page = try await index.search(filter, range, in: store, clock: clock)
            for hit in page.hits { material.add(hit, filter, subject) }
            left -= max(1, page.hits.count)
            range.after = page.next
        } while range.after != nil && left > 0
        if range.after != nil { material.isComplete = false }
    }
}

extension ReconstructionReader.Material {
    fileprivate mutating func add(_ hit: SearchPage.Hit, _ filter: EventFilter, _ subject: EventFilter) {
        let address = EventAddress(partition: hit.stored.partition, sequence: hit.stored.sequence)
        guard lines[address] == nil else { return }
        lines[address] = SearchLine(hit)
        guard let event = hit.stored.event, let objectClass = filter.objectClass, let key = filter.objectKey else {
            damaged += 1
            return
        }
        observations.append(
            ObjectEvent(
                address: address,
                owner: hit.stored.owner,
                clock: event.clock,
                received: hit.stored.received,
                isOwn: subject.matches(hit.stored),
                sightings: ObjectSighting.all(of: objectClass, key, in: event)
            )
        )
    }
}
