package import AuditModel
import EventModel

/// A record as somebody had been shown it at a moment, and what others' events held of it that this person had not been shown.
///
/// Nothing is made up: each value names the event that it stands in, and a property that no event shows is not there.
///
/// ```swift
/// let record = Reconstruction(of: observations, at: ReconstructionMoment(instant))
/// ```
package struct Reconstruction: Sendable, Hashable {
    /// Where a value comes from.
    package enum Origin: String, Sendable, Hashable, Encodable {
        /// It was on the screen.
        case shown
        /// It was written.
        case written
        /// A device had it before it changed or deleted the object.
        case held
    }

    /// A value and the event that it stands in.
    package struct Claim: Sendable, Hashable {
        /// The value as JSON.
        package let value: String
        /// How the event came to hold it.
        package let origin: Origin
        /// The event.
        package let source: EventAddress

        /// Returns whether another claim has the same value, in the same bytes.
        fileprivate func says(_ other: Claim?) -> Bool { other.map { $0.value.hasSameBytes(as: value) } ?? false }
    }

    /// What is known of one property.
    package struct Field: Sendable, Hashable {
        /// Its name.
        package let name: String
        /// What the person had been shown last, or had written; nil when nothing.
        package var shown: Claim?
        /// Whether the last time that the record was shown, this property was not: an app may show a part of a record.
        package var isOlder = false
        /// What the events of others, or the person's own device, held by then and the person had not been shown.
        package var known: Claim?
        /// Whether ``known`` is from before ``shown``: it was written elsewhere, and the screen still showed something else.
        package var isKnownEarlier = false
    }

    /// An object with the same key inside another one, which the event does not name the class of.
    package struct Mention: Sendable, Hashable {
        /// The class of the outer object.
        package let objectClass: String
        /// The key of the outer object.
        package let key: String?
        /// What stood there.
        package let fields: [ObjectSighting.Field]
        /// The event.
        package let source: EventAddress
    }

    /// What the person last knew of the record as a whole.
    package enum State: String, Sendable, Hashable, Encodable {
        /// It had not been shown.
        case unseen
        /// It had been shown or written.
        case seen
        /// The person had deleted it.
        case deleted
    }

    /// The record as a whole.
    package private(set) var state = State.unseen
    /// The event by which the person deleted it, for a record that was.
    package private(set) var deletion: EventAddress?
    /// The event by which somebody else had deleted it, and the person was not shown that.
    package private(set) var knownDeletion: EventAddress?
    /// The properties by name.
    package private(set) var fields: [Field] = []
    /// Objects with the same key inside others that the person was shown, the last ones.
    package private(set) var mentions: [Mention] = []

    /// How many mentions are kept.
    private static let maximumMentions = 20

    // What the walk remembers of each property, by name.
    private var shown: [ExactText: Claim] = [:]
    private var latest: [ExactText: Claim] = [:]
    private var writtenElsewhere: [ExactText: Claim] = [:]
    private var older: Set<ExactText> = []

    /// Folds observations in their order.
    ///
    /// - Parameters:
    ///   - observations: Everything that is known about the object, in any order.
    ///   - moment: The moment; what had not happened by then is left out, unless the server had received it.
    package init(of observations: [ObjectEvent], at moment: ReconstructionMoment) {
        let relevant = observations.filter { observation in
            moment.includes(observation) || (!observation.isOwn && moment.hasReceived(observation))
        }
        for observation in ClockOrder.sorted(relevant) {
            for sighting in observation.sightings {
                if observation.isOwn {
                    add(own: sighting, observation.address)
                } else {
                    add(foreign: sighting, observation.address)
                }
            }
        }
        finish()
    }

    private mutating func add(own sighting: ObjectSighting, _ source: EventAddress) {
        switch sighting.kind {
        case .read:
            if state == .deleted { shown = [:] }
            (state, deletion) = (.seen, nil)
            older = Set(shown.keys).subtracting(sighting.fields.map(\.exactName))
            for field in sighting.fields {
                shown[field.exactName] = Claim(value: field.value, origin: .shown, source: source)
                latest[field.exactName] = nil
                if writtenElsewhere[field.exactName]?.value.hasSameBytes(as: field.value) ?? false {
                    writtenElsewhere[field.exactName] = nil
                }
            }
        case .inserted:
            (shown, latest, writtenElsewhere, older) = ([:], [:], [:], [])
            (state, deletion, knownDeletion) = (.seen, nil, nil)
            write(sighting, source)
        case .changed:
            if state == .deleted { shown = [:] }
            (state, deletion) = (.seen, nil)
            write(sighting, source)
        case .held:
            for field in sighting.fields {
                latest[field.exactName] = Claim(value: field.value, origin: .held, source: source)
            }
        case .deleted:
            (state, deletion, knownDeletion) = (.deleted, source, nil)
        case .inside(let outer, let key):
            let mention = Mention(objectClass: outer, key: key, fields: sighting.fields, source: source)
            mentions = (mentions + [mention]).suffix(Self.maximumMentions)
        }
    }

    private mutating func write(_ sighting: ObjectSighting, _ source: EventAddress) {
        for field in sighting.fields {
            shown[field.exactName] = Claim(value: field.value, origin: .written, source: source)
            older.remove(field.exactName)
            // Whatever others had written before is not the record's value any more.
            latest[field.exactName] = nil
            writtenElsewhere[field.exactName] = nil
        }
    }

    private mutating func add(foreign sighting: ObjectSighting, _ source: EventAddress) {
        func claims(_ origin: Origin) -> [(ExactText, Claim)] {
            sighting.fields.map { ($0.exactName, Claim(value: $0.value, origin: origin, source: source)) }
        }
        switch sighting.kind {
        case .read: latest.merge(claims(.shown)) { $1 }
        case .held: latest.merge(claims(.held)) { $1 }
        case .inserted, .changed:
            latest.merge(claims(.written)) { $1 }
            writtenElsewhere.merge(claims(.written)) { $1 }
            if sighting.kind == .inserted { knownDeletion = nil }
        case .deleted: knownDeletion = source
        case .inside: break
        }
    }

    private mutating func finish() {
        fields = Set(shown.keys).union(latest.keys).union(writtenElsewhere.keys)
            .sorted()
            .compactMap { name in
                var field = Field(name: name.string, shown: shown[name])
                field.isOlder = older.contains(name)
                if let claim = latest[name], !claim.says(field.shown) {
                    field.known = claim
                } else if let claim = writtenElsewhere[name], !claim.says(field.shown) {
                    field.known = claim
                    field.isKnownEarlier = field.shown != nil
                }
                return field.shown == nil && field.known == nil ? nil : field
            }
        (shown, latest, writtenElsewhere, older) = ([:], [:], [:], [])
    }
}
