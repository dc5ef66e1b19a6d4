package import AuditModel
package import EventModel
package import EventProofs

/// What auditors keep together, as the entries of the trail say: views, notes, reviews and alerts.
///
/// A value that entries are folded into. In whichever order the entries of several servers come, and however often each does,
/// the same entries make the same book.
package struct ReviewBook: Sendable, Hashable {
    /// An entry with its place.
    package struct Placed<Value: Sendable & Hashable>: Sendable, Hashable {
        package let value: Value
        package let place: EntryPlace

        package init(value: Value, place: EntryPlace) {
            self.value = value
            self.place = place
        }
    }

    /// An alert, and what became of it.
    package struct Raised: Sendable, Hashable {
        package let alert: Alert
        /// The first event that raised it.
        package var place: EntryPlace
        /// The first acknowledgement.
        package var acknowledged: Placed<Acknowledgement>?
    }

    /// Whose reading an alert is about.
    private struct Reading: Sendable, Hashable {
        let rule: String
        let app: String?
        let person: ExactText?
    }

    /// How many acknowledged alerts are kept in mind; those before them are in the trail.
    package static let keptAlerts = 10_000

    /// Views by their ids; nil for those that were deleted, which stay so.
    private var allViews: [String: Placed<SavedView>?] = [:]  // TEXT: ids of the server's own making, here and below.
    /// Reviews by their ids; nil for those that ended.
    private var allReviews: [String: Placed<Review>?] = [:]  // TEXT: ids of the server's own making.
    /// The newest sign-offs of each review, the oldest first.
    package private(set) var signOffs: [String: [Placed<SignOff>]] = [:]  // TEXT: ids of the server's own making.
    /// Where the notes about a subject are, the oldest first; their texts stay in the trail.
    package private(set) var notes: [NoteSubject: [EntryPlace]] = [:]
    /// How many notes there are.
    package private(set) var noteCount = 0
    /// Alerts by their ids.
    package private(set) var alerts: [String: Raised] = [:]  // TEXT: ids of the server's own making.
    /// The times that alerts about much reading cover.
    private var readings: [Reading: [ClosedRange<EventInstant>]] = [:]
    /// Acknowledgements of alerts that did not come yet.
    private var early: [String: Placed<Acknowledgement>] = [:]  // TEXT: ids of the server's own making.
    /// Since when rules are in force, by their names.
    package private(set) var ruleStarts: [String: EventInstant] = [:]  // TEXT: names of the configuration's rules.
    /// What was said last of the keys of devices.
    package private(set) var keyStatements: [DeviceKeyName: Placed<KeyStatement>] = [:]
    /// Which keys of devices are registered.
    package private(set) var registrations = RegisteredKeys()
    /// The time of the newest alert that is not kept in mind any more.
    package private(set) var forgottenThrough: EventInstant?

    /// Folds an entry in.
    package mutating func apply(_ entry: ReviewEntry, at place: EntryPlace) {
        switch entry {
        case .view(let view):
            // What was saved last counts, and what was deleted stays so.
            guard let known = allViews[view.id] else {
                allViews[view.id] = Placed(value: view, place: place)
                return
            }
            if let known, known.place < place { allViews[view.id] = Placed(value: view, place: place) }
        case .viewDeletion(let id): allViews.updateValue(nil, forKey: id)
        case .review(let review):
            if allReviews[review.id] == nil { allReviews[review.id] = Placed(value: review, place: place) }
        case .reviewEnd(let id): allReviews.updateValue(nil, forKey: id)
        case .note(let note): add(note, at: place)
        case .signOff(let signOff): add(signOff, at: place)
        case .alert(let alert): add(alert, at: place)
        case .acknowledgement(let acknowledgement): add(Placed(value: acknowledgement, place: place))
        case .keyStatement(let statement):
            // What was said last counts.
            if let known = keyStatements[statement.name], place < known.place { return }
            keyStatements[statement.name] = Placed(value: statement, place: place)
        case .registration(let registration): registrations.add(registration.name, at: place)
        case .ruleStart(let start): ruleStarts[start.rule] = min(ruleStarts[start.rule] ?? start.since, start.since)
        }
    }

    private mutating func add(_ note: Note, at place: EntryPlace) {
        if notes[note.subject, default: []].insertInOrder(place, by: \.self) { noteCount += 1 }
    }

    private mutating func add(_ signOff: SignOff, at place: EntryPlace) {
        var known = signOffs[signOff.review] ?? []
        known.insertInOrder(Placed(value: signOff, place: place), by: \.place)
        signOffs[signOff.review] = known.suffix(SignOff.keptCount)
    }

    private mutating func add(_ alert: Alert, at place: EntryPlace) {
        if alert.kind == .massRead, alert.from <= alert.through {
            let reading = Reading(rule: alert.rule, app: alert.app, person: alert.person.map { ExactText($0) })
            let times = readings[reading, default: []]
            if !times.contains(alert.from...alert.through) {
                let place = times.firstIndex { $0.lowerBound > alert.from } ?? times.endIndex
                readings[reading, default: []].insert(alert.from...alert.through, at: place)
            }
        }
        if let known = alerts[alert.id] {
            // Two servers may have found the same; what they found first counts.
            guard place < known.place else { return }
            alerts[alert.id] = Raised(alert: alert, place: place, acknowledged: known.acknowledged)
        } else {
            let acknowledged = early.removeValue(forKey: alert.id)
            alerts[alert.id] = Raised(alert: alert, place: place, acknowledged: acknowledged)
        }
    }

    private mutating func add(_ acknowledgement: Placed<Acknowledgement>) {
        let id = acknowledgement.value.alert
        guard let raised = alerts[id] else {
            if early[id].map({ acknowledgement.place < $0.place }) ?? true { early[id] = acknowledgement }
            return
        }
        if raised.acknowledged.map({ acknowledgement.place < $0.place }) ?? true {
            alerts[id]?.acknowledged = acknowledgement
        }
    }

    /// Forgets the oldest acknowledged alerts beyond ``keptAlerts``.
    ///
    /// - Complexity: O(*n* log *n*) in the alerts, when there is something to forget.
    package mutating func trim(to kept: Int = ReviewBook.keptAlerts) {
        // Some more than is kept, so that not every alert costs a sort.
        guard alerts.count > kept + kept / 4 else { return }
        let closed = alerts.values.filter { $0.acknowledged != nil }.sorted { $0.place < $1.place }
        for raised in closed.prefix(max(0, closed.count - kept)) {
            alerts[raised.alert.id] = nil
            if raised.alert.kind == .massRead {
                let reading = Reading(
                    rule: raised.alert.rule,
                    app: raised.alert.app,
                    person: raised.alert.person.map { ExactText($0) }
                )
                readings[reading]?.removeAll { $0.lowerBound == raised.alert.from }
            }
            forgottenThrough = max(forgottenThrough ?? raised.place.time, raised.place.time)
        }
    }
}

// MARK: - Reading

extension ReviewBook {
    /// All views, by their names.
    package var views: [Placed<SavedView>] {
        allViews.values.compactMap(\.self).sorted { ($0.value.name, $0.value.id) < ($1.value.name, $1.value.id) }
    }

    /// How many views there are.
    package var viewCount: Int { allViews.values.count { $0 != nil } }

    /// How many reviews are done.
    package var reviewCount: Int { allReviews.values.count { $0 != nil } }

    /// Returns a view; nil when it was never saved, or was deleted.
    package func view(_ id: String) -> Placed<SavedView>? { allViews[id].flatMap(\.self) }

    /// All reviews that are done, by their names.
    package var reviews: [Placed<Review>] {
        allReviews.values.compactMap(\.self).sorted { ($0.value.name, $0.value.id) < ($1.value.name, $1.value.id) }
    }

    /// Returns a review; nil when it was never planned, or ended.
    package func review(_ id: String) -> Placed<Review>? { allReviews[id].flatMap(\.self) }

    /// What was said last of each key, whether it is revoked or believed again, in the order in which it was said.
    package var revocations: [Placed<KeyStatement>] { keyStatements.values.sorted { $0.place < $1.place } }

    /// Returns what was said of the key that sealed an entry, if it was revoked by the time that the entry was received.
    package func revocation(of entry: PartitionLogEntry) -> KeyStatement? {
        guard !keyStatements.isEmpty, let statement = keyStatements[DeviceKeyName(entry)]?.value,
            let since = statement.revokedSince, entry.received >= since
        else { return nil }
        return statement
    }

    /// Returns the time of receipt through which a review was signed off, or else from which it begins.
    package func covered(of review: Review) -> EventInstant {
        signOffs[review.id]?.map(\.value.through).max() ?? review.begins
    }

    /// Returns whether an alert about somebody's reading covers a part of a time.
    package func hasReading(rule: String, app: String, person: String, from: EventInstant, through: EventInstant)
        -> Bool
    {
        readings[Reading(rule: rule, app: app, person: ExactText(person))]?.contains { $0.overlaps(from...through) }
            ?? false
    }

    /// Returns the alerts that somebody may know of, the newest first.
    package func alerts(for access: EventAccess, isOpen: Bool?) -> [Raised] {
        alerts.values
            .filter { raised in
                (isOpen.map { $0 == (raised.acknowledged == nil) } ?? true) && raised.alert.isVisible(to: access)
            }
            .sorted { $1.place < $0.place }
    }
}

extension Array {
    /// Inserts an element where its place is, unless one is there with the same place.
    ///
    /// - Returns: Whether it was inserted.
    /// - Complexity: O(log *n*) behind the others, else O(*n*).
    @discardableResult
    fileprivate mutating func insertInOrder(_ element: Element, by place: (Element) -> EntryPlace) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if place(self[middle]) < place(element) { low = middle + 1 } else { high = middle }
        }
        if low < count, place(self[low]) == place(element) { return false }
        insert(element, at: low)
        return true
    }
}
