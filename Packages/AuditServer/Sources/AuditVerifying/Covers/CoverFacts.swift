import AuditFormats
package import AuditModel
import EventModel
import EventProofs

/// What the cover of an export tells of its events, gathered from the lines of the proofs, in their order.
///
/// Of an event that is masked or erased nothing is taken but its place: whoever verifies has no more, and the page must be the same.
package struct CoverFacts: Sendable {
    /// How many events are shown.
    package static let maximumRows = 200
    /// How many persons, and how many partitions, are shown.
    static let maximumGroups = 50
    /// How many persons are told from each other.
    private static let maximumPersons = 10_000

    /// Whose events they are.
    struct Person: Hashable {
        let account: ExactText?
        let app: ExactText?
        /// The name that the app recorded.
        let name: ExactText?
    }

    /// One event.
    struct Row {
        let partition: String
        let sequence: UInt64
        let time: EventInstant?
        let received: EventInstant?
        let person: Person
        let what: String
        let activity: String?
        let objects: [String]
        let moreObjects: Int
        /// What is to be known of it, in words of ours; nil when there is nothing.
        let remark: String?
    }

    /// How many partitions a key that was revoked has sealed.
    struct KeyUse: Hashable {
        /// Those that were received when it was not believed any more.
        var late: UInt64 = 0
        /// Those that were received before.
        var early: UInt64 = 0
        /// Those of which the log does not say when they were.
        var unknown: UInt64 = 0

        var all: UInt64 { late + early + unknown }
    }

    /// One partition.
    struct Partition {
        let line: ExportedPartition
        var events: UInt64 = 0
    }

    private(set) var persons: [Person: UInt64] = [:]
    /// The events of persons who were too many.
    private(set) var otherPersons: UInt64 = 0
    private(set) var rows: [Row] = []
    private(set) var partitions: [Partition] = []
    private(set) var partitionCount: UInt64 = 0
    private(set) var events: UInt64 = 0
    private(set) var sealed: UInt64 = 0
    private(set) var logged: UInt64 = 0
    /// The places in the log of the partitions that have one.
    package private(set) var entries: [UInt64] = []
    /// What keys that were revoked have sealed of it.
    private(set) var uses: [RevokedKey: KeyUse] = [:]
    private var revoked: [[UInt8]: [RevokedKey]] = [:]
    private(set) var receipted: UInt64 = 0
    private(set) var times: ClosedRange<EventInstant>?
    private(set) var receipts: ClosedRange<EventInstant>?
    private var current: ExportedPartition?

    /// Begins with nothing.
    ///
    /// - Parameter revoked: The keys that are not believed from a time on.
    package init(revoked: [RevokedKey] = []) {
        self.revoked = Dictionary(grouping: revoked, by: \.publicKey)
    }

    /// The keys that were revoked and have sealed partitions of the export, in an order of their own.
    package var usedKeys: [RevokedKey] {
        uses.keys.sorted { first, second in
            let (a, b) = (first.owner, second.owner)
            if a.app != b.app { return a.app.precedesInBytes(b.app) }
            if a.user != b.user { return a.user.precedesInBytes(b.user) }
            return first.publicKey.lexicographicallyPrecedes(second.publicKey)
        }
    }

    /// Takes the line of a partition.
    package mutating func add(_ partition: ExportedPartition) {
        current = partition
        partitionCount += 1
        if partition.seal != nil { sealed += 1 }
        if let logged = partition.logged {
            self.logged += 1
            entries.append(logged.entry.index)
        }
        if partition.receipt != nil { receipted += 1 }
        if let seal = partition.seal { addUse(of: seal, partition) }
        if partitions.count < Self.maximumGroups { partitions.append(Partition(line: partition)) }
    }

    private mutating func addUse(of seal: PartitionSeal, _ partition: ExportedPartition) {
        for key in revoked[seal.publicKey] ?? [] where key.sealed(seal, of: partition.owner) {
            guard let entry = partition.logged?.entry else {
                uses[key, default: KeyUse()].unknown += 1
                continue
            }
            if entry.received >= key.since {
                uses[key, default: KeyUse()].late += 1
            } else {
                uses[key, default: KeyUse()].early += 1
            }
        }
    }

    /// Takes an event of the partition that came last.
    package mutating func add(_ stored: StoredEvent, isMasked: Bool) {
        events += 1
        if partitionCount == UInt64(partitions.count), !partitions.isEmpty {
            partitions[partitions.count - 1].events += 1
        }
        let event = isMasked ? nil : stored.event
        let seen = StoredEvent(
            partition: stored.partition,
            sequence: stored.sequence,
            owner: current?.owner,
            event: event,
            leaf: stored.leaf,
            received: stored.received,
            erasure: stored.erasure
        )
        Self.widen(&times, by: event?.timestamp)
        Self.widen(&receipts, by: stored.received)
        let isAudited = event?.event == TrailEvent.event && current?.app == TrailEvent.app
        let named = EventPerson(seen, isAudited ? AuditedRequest(event) : nil)
        let person = Person(
            account: named.account.map { ExactText(CoverText.cut($0)) },
            app: current?.app.map { ExactText(CoverText.cut($0)) },
            name: named.name.map { ExactText(CoverText.cut($0)) }
        )
        if persons[person] != nil || persons.count < Self.maximumPersons {
            persons[person, default: 0] += 1
        } else {
            otherPersons += 1
        }
        if rows.count < Self.maximumRows { rows.append(Self.row(seen, person, isMasked: isMasked)) }
    }

    private static func widen(_ range: inout ClosedRange<EventInstant>?, by instant: EventInstant?) {
        guard let instant else { return }
        range = min(range?.lowerBound ?? instant, instant)...max(range?.upperBound ?? instant, instant)
    }

    private static func row(_ seen: StoredEvent, _ person: Person, isMasked: Bool) -> Row {
        let objects = seen.event.map { EventObject.all(in: $0) } ?? []
        // What hung on another object, and was not asked for, comes behind.
        let own = objects.filter { $0.action != .shown }
        let told = (own.isEmpty ? objects : own).map { ($0.objectClass.map { "\($0) " } ?? "") + $0.key }
        let names = told.isEmpty ? seen.event.map { EventObject.classes(in: $0, atMost: 4) } ?? [] : told
        return Row(
            partition: seen.partition.value,
            sequence: seen.sequence,
            time: seen.event?.timestamp,
            received: seen.received,
            person: person,
            what: CoverText.cut(word(EventAction(seen), seen.event)),
            activity: (seen.event?.activity).map(CoverText.cut),
            objects: names.prefix(3).map(CoverText.cut),
            moreObjects: max(0, names.count - 3),
            remark: remark(seen, isMasked: isMasked)
        )
    }

    private static func word(_ action: EventAction, _ event: AuditEvent?) -> String {
        switch action {
        case .read: "looked at"
        case .query: "searched or listed"
        case .create: "entered"
        case .update: "changed"
        case .delete: "deleted"
        case .write: "entered, changed or deleted several"
        case .audit: "auditor"
        case .custom: event?.event ?? "told by the app"
        case .unknown: ""
        }
    }

    private static func remark(_ seen: StoredEvent, isMasked: Bool) -> String? {
        if isMasked { return "values are masked for whoever exported" }
        switch seen.outcome {
        case .erased: return "erased before the export"
        case .damaged: return "can no longer be read"
        case .interrupted: return "the app ended meanwhile"
        case .incomplete: return "its content could not be recorded"
        case .nothingFound, .complete:
            return seen.contentHash == seen.leaf ? nil : "NOT what was received: it was changed on the server"
        }
    }
}
