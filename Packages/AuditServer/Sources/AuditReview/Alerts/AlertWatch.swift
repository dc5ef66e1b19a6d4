package import AuditModel
package import EventModel

/// Looks for what the rules describe in one event after the other.
///
/// A value without any store: what it must know of the past it asks for, with ``missing(for:)`` and ``learn(_:_:since:)``. An
/// event that is seen twice changes nothing. Its memory is bounded; who was not seen for long is asked for again.
package struct AlertWatch: Sendable {
    /// A person whom a rule about much reading counts.
    package struct Reader: Sendable, Hashable {
        /// The place of the rule.
        package let rule: Int
        /// The app.
        package let app: String
        /// The person.
        package let person: ExactText
    }

    private struct Memory: Sendable {
        var marks: ReadingMarks
        var lastUse: UInt64
    }

    /// The most marks of all persons together.
    package static let maximumMarks = 400_000

    package let settings: AlertSettings
    /// The named records of each rule by their keys, as there may be thousands, and thousands of objects in one event.
    private let records: [[ExactText: [NamedRecord]]]
    private var readers: [Reader: Memory] = [:]
    private var markCount = 0
    private var uses: UInt64 = 0

    package init(_ settings: AlertSettings) {
        self.settings = settings
        records = settings.rules.map { rule in
            guard case .namedRecords(let records) = rule.condition else { return [:] }
            return Dictionary(grouping: records) { ExactText($0.key) }
        }
    }

    /// Returns what has to be learned before an event can be judged: a person, and since when.
    package func missing(for event: WatchedEvent) -> [(reader: Reader, since: EventInstant)] {
        readings(event)
            .compactMap { reader, reading in
                let since = event.time.microseconds - reading.microseconds
                if let known = readers[reader], known.marks.knownSince <= since { return nil }
                return (reader, EventInstant(microseconds: since))
            }
    }

    /// Learns what a person has read since a time.
    package mutating func learn(_ reader: Reader, _ events: [WatchedEvent], since: EventInstant) {
        // What was seen and is not stored yet stays.
        var marks = readers[reader]?.marks ?? ReadingMarks(knownSince: since.microseconds)
        forget(reader)
        marks.extend(to: since.microseconds)
        if case .massRead(let reading) = settings.rules[reader.rule].condition {
            for event in events where ExactText(event.person) == reader.person {
                reading.mark(event, EventObject.all(in: event.event), in: &marks)
            }
        }
        keep(marks, of: reader)
    }

    /// Looks at an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isRaised: Whether a rule has an alert for a reader that covers a time already.
    /// - Returns: The alerts that it gives reason for.
    package mutating func alerts(
        for event: WatchedEvent,
        isRaised: (_ rule: String, _ event: WatchedEvent, _ from: EventInstant, _ through: EventInstant) -> Bool
    ) -> [Alert] {
        var found: [Alert] = []
        // Read once for all rules, and not at all when none asks for them.
        lazy var objects = EventObject.all(in: event.event)
        for (index, rule) in settings.rules.enumerated() where rule.app == nil || rule.app == event.owner.app {
            switch rule.condition {
            case .afterHours(let hours): found += hours.alert(rule.name, event).map { [$0] } ?? []
            case .breakGlass(let pattern): found += pattern.alert(rule.name, event).map { [$0] } ?? []
            case .namedRecords: found += Self.alerts(rule.name, records[index], event, objects)
            case .massRead(let reading):
                let reader = Reader(rule: index, app: event.owner.app, person: ExactText(event.person))
                guard event.event.event == "read", !isRaised(rule.name, event, event.time, event.time) else { continue }
                found += excess(reading, rule.name, reader, event, objects, isRaised).map { [$0] } ?? []
            }
        }
        return found
    }

    private mutating func excess(
        _ reading: MassRead,
        _ name: String,
        _ reader: Reader,
        _ event: WatchedEvent,
        _ objects: [EventObject],
        _ isRaised: (String, WatchedEvent, EventInstant, EventInstant) -> Bool
    ) -> Alert? {
        let length = reading.microseconds
        var marks = readers[reader]?.marks ?? ReadingMarks(knownSince: event.time.microseconds - length)
        forget(reader)
        reading.mark(event, objects, in: &marks)
        let excess = marks.excess(over: reading.limit, within: length, around: event.time.microseconds)
        keep(marks, of: reader)
        guard let excess else { return nil }
        let (from, through) = (EventInstant(microseconds: excess.from), EventInstant(microseconds: excess.through))
        // What was told once is not told again for a time that begins within it.
        guard !isRaised(name, event, from, through) else { return nil }
        var alert = Alert(
            rule: name,
            .massRead,
            of: event.owner,
            subject: [event.person, "\(excess.from)"],
            from: from,
            through: through
        )
        alert.person = event.person
        alert.partition = event.address.partition
        alert.sequence = event.address.sequence
        alert.objectClass = reading.objectClass
        alert.count = UInt64(excess.count)
        return alert
    }

    private func readings(_ event: WatchedEvent) -> [(Reader, MassRead)] {
        guard event.event.event == "read" else { return [] }
        return settings.rules.enumerated()
            .compactMap { index, rule in
                guard rule.app == nil || rule.app == event.owner.app, case .massRead(let reading) = rule.condition
                else { return nil }
                return (Reader(rule: index, app: event.owner.app, person: ExactText(event.person)), reading)
            }
    }

    private static func alerts(
        _ rule: String,
        _ records: [ExactText: [NamedRecord]],
        _ event: WatchedEvent,
        _ objects: [EventObject]
    ) -> [Alert] {
        let day = event.time.microseconds / 86_400_000_000
        // TEXT: ids of alerts, which are ours.
        var seen: Set<String> = []
        return
            objects.compactMap { object in
                // An object inside another one is known by its key alone.
                let record = records[ExactText(object.key)]?
                    .first { object.objectClass == nil || object.isOf($0.objectClass) }
                guard let record else { return nil }
                var alert = event.alert(rule, .namedRecord, [event.person, record.objectClass, record.key, "\(day)"])
                alert.objectClass = record.objectClass
                alert.key = record.key
                return seen.insert(alert.id).inserted ? alert : nil
            }
    }

    // MARK: - Memory

    private mutating func forget(_ reader: Reader) {
        if let memory = readers.removeValue(forKey: reader) { markCount -= memory.marks.count }
    }

    private mutating func keep(_ marks: ReadingMarks, of reader: Reader) {
        uses += 1
        readers[reader] = Memory(marks: marks, lastUse: uses)
        markCount += marks.count
        guard markCount > Self.maximumMarks else { return }
        // Half of them at once, so that not every event costs a sort.
        for (reader, _) in readers.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix(readers.count / 2) {
            forget(reader)
        }
    }
}

extension MassRead {
    /// The time that is looked at, in microseconds.
    package var microseconds: Int64 { Int64(minutes) * 60_000_000 }

    /// Marks what an event read.
    fileprivate func mark(_ event: WatchedEvent, _ all: [EventObject], in marks: inout ReadingMarks) {
        let time = event.time.microseconds
        let objects = all.filter { object in
            object.action == .read && (objectClass == nil || object.isOf(objectClass))
        }
        switch unit {
        case .objects:
            for object in objects { marks.insert(.init(time: time, item: Self.item(object.objectClass, object.key))) }
        case .events where objectClass == nil || !objects.isEmpty:
            marks.insert(.init(time: time, item: event.address.hashValue))
        case .events: break
        }
    }

    private static func item(_ objectClass: String?, _ key: String) -> Int {
        var hasher = Hasher()
        objectClass?.hashBytes(into: &hasher)
        key.hashBytes(into: &hasher)
        return hasher.finalize()
    }
}

extension WorkingHours {
    fileprivate func alert(_ rule: String, _ event: WatchedEvent) -> Alert? {
        guard let closing = closed(at: event.time) else { return nil }
        return event.alert(rule, .afterHours, [event.person, "\(closing)"])
    }
}

extension EventPattern {
    fileprivate func alert(_ rule: String, _ watched: WatchedEvent) -> Alert? {
        let found = watched.event
        guard activity?.hasSameBytes(as: found.activity) ?? true,
            event.map({ found.event?.hasSameBytes(as: $0) ?? false }) ?? true
        else { return nil }
        let fits = metadata.allSatisfy { key, value in
            found.metadata.entries.contains { entry in
                entry.key.hasSameBytes(as: key.string) && (value == "*" || entry.value.hasSameBytes(as: value))
            }
        }
        return fits ? watched.alert(rule, .breakGlass, [found.id.stringValue]) : nil
    }
}

extension WatchedEvent {
    /// Makes an alert about this event.
    fileprivate func alert(_ rule: String, _ kind: Alert.Kind, _ subject: [String]) -> Alert {
        var alert = Alert(rule: rule, kind, of: owner, subject: subject, from: time, through: time)
        alert.person = person
        alert.partition = address.partition
        alert.sequence = address.sequence
        return alert
    }
}
