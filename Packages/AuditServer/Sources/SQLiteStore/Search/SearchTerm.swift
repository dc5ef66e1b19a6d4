import AuditModel
import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Something that events are found by: an exact value of one kind.
struct SearchTerm: Hashable {
    /// What a value is; fewer than sixteen kinds, as ``PackedTerms`` has it.
    enum Kind: Int64, CaseIterable {
        /// Every event of a realm.
        case all = 0
        case app = 2
        case person = 3
        case activity = 4
        case event = 5
        case outcome = 6
        case partition = 7
        case objectClass = 8
        case objectKey = 9
        case metadata = 10
        case boot = 11
        case device = 12
        /// An event that shows more objects than it has terms: whether it shows an object is known by reading it.
        case more = 13
        /// What an object was called, see ``LabelTerm``.
        case label = 14

        /// Whether an event may have more values of the kind than terms.
        var isBounded: Bool { self == .objectClass || self == .objectKey }
    }

    /// Which events a search looks at: each is in one realm, and each search asks one.
    ///
    /// The values of each realm are terms of their own, so that no search needs to keep events of others out.
    enum Realm: Int64 {
        /// What devices recorded.
        case recorded = 0
        /// What auditors did.
        case audit = 1
        /// What was erased.
        case erased = 2
    }

    /// The most bytes of a value that are kept; what is longer is told apart by reading the event.
    static let maximumBytes = 256

    /// The most terms of one event.
    ///
    /// Of an event with more objects the first are entered: a million of them would keep everybody's searches waiting.
    static let maximumCount = 10_000

    let kind: Kind
    let realm: Realm
    let bytes: [UInt8]

    init(_ kind: Kind, _ text: String = "", in realm: Realm = .recorded) {
        self.kind = kind
        // An app has a realm by itself, and the one of the auditors is listed with the others.
        self.realm = kind == .app && realm == .audit ? .recorded : realm
        bytes = Array(text.utf8.prefix(Self.maximumBytes))
    }

    /// The kind and the realm in one number, as the index keeps them.
    var column: Int64 { realm.rawValue << 4 | kind.rawValue }

    /// Joins a metadata column and its value; keys have no control characters, so that the zero byte ends the key.
    private static func entry(_ key: String, _ value: String) -> String { "\(key)\u{0}\(value)" }
}

extension SearchTerm {
    /// Returns the terms that an event is found by, each once; one of kind `more` stands for those above ``maximumCount``.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    static func all(of stored: StoredEvent) -> Set<SearchTerm> {
        if stored.erasure != nil { return all(ofErasedIn: stored.partition, stored.owner) }
        let realm: Realm = stored.owner?.app == TrailEvent.app ? .audit : .recorded
        var terms: Set<SearchTerm> = []
        func add(_ kind: Kind, _ text: String = "") { terms.insert(SearchTerm(kind, text, in: realm)) }
        add(.all)
        add(.partition, stored.partition.value)
        add(.outcome, stored.outcome.rawValue)
        if let owner = stored.owner {
            add(.app, owner.app)
            add(.person, owner.user)
        }
        guard let event = stored.event else { return terms }
        add(.activity, event.activity)
        add(.boot, event.clock.boot.hex)
        if let type = event.event { add(.event, type) }
        for column in event.metadata.entries {
            add(.metadata, entry(column.key, column.value))
            if column.value != EventMask.text { add(.person, column.value) }
        }
        func addIfRoom(_ kind: Kind, _ text: String) -> Bool {
            let term = SearchTerm(kind, text, in: realm)
            guard terms.count < maximumCount || terms.contains(term) else { return false }
            terms.insert(term)
            return true
        }
        // An event has few classes, so that they are found without reading it in all cases but odd ones.
        let hasAllClasses = EventObject.classes(in: event, atMost: maximumCount + 1)
            .allSatisfy { addIfRoom(.objectClass, $0) }
        let hasAllKeys = EventObject.visit(in: event) { addIfRoom(.objectKey, $0.key) }
        if !hasAllKeys || !hasAllClasses { add(.more) }
        return terms
    }

    /// Returns what the objects of an event are called in it, up to a number of terms; the later of two names of an object comes later.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    static func labels(of stored: StoredEvent, _ labels: ObjectLabels, atMost limit: Int) -> [SearchTerm] {
        guard limit > 0, stored.erasure == nil, let app = stored.owner?.app else { return [] }
        var known: Set<SearchTerm> = []
        return labels.all(in: stored, atMost: limit).compactMap { LabelTerm.text(of: $0, app: app) }
            .map { SearchTerm(.label, $0) }
            // Two that were cut may be one now.
            .filter { known.insert($0).inserted }
    }

    /// Returns the terms of an erased event: what is known of it is where it lies and whose it was.
    static func all(ofErasedIn partition: PartitionID, _ owner: EventOwner?) -> Set<SearchTerm> {
        var terms = [SearchTerm(.all, in: .erased), SearchTerm(.partition, partition.value, in: .erased)]
        if let owner {
            terms += [SearchTerm(.app, owner.app, in: .erased), SearchTerm(.person, owner.user, in: .erased)]
        }
        return Set(terms)
    }

    /// Returns the terms that every event of a filter has.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - isCounting: Whether events are counted by their terms alone and not read, so that objects of other classes with the same
    ///     key must be kept out; an object that only lies in another one is missed then.
    /// - Returns: The terms, one or more.
    static func all(of filter: EventFilter, isCounting: Bool = false) -> Set<SearchTerm> {
        let realm = filter.realm
        var terms: Set<SearchTerm> = []
        func add(_ kind: Kind, _ text: String?) {
            if let text { terms.insert(SearchTerm(kind, text, in: realm)) }
        }
        add(.app, filter.app)
        add(.person, filter.person)
        add(.activity, filter.activity)
        add(.event, filter.event)
        if realm != .erased { add(.outcome, filter.outcome?.rawValue) }
        add(.partition, filter.partition?.value)
        add(.boot, filter.boot)
        add(.device, filter.device.map { Hexadecimal.text($0) })
        add(.objectKey, filter.objectKey)
        // An object inside another one is found by its key alone, as nothing says what it is.
        if filter.objectKey == nil || (isCounting && !filter.isCountedExactly) { add(.objectClass, filter.objectClass) }
        for (key, value) in filter.metadata { add(.metadata, entry(key.string, value)) }
        if terms.isEmpty { add(.all, "") }
        return terms
    }
}

extension EventFilter {
    /// Which events it looks at: what was erased when it asks for that, what auditors did when it names their app.
    var realm: SearchTerm.Realm {
        if outcome == .erased { return .erased }
        return app == TrailEvent.app ? .audit : .recorded
    }

    /// Whether the terms of an event tell alone that it fits.
    ///
    /// A text does not, and neither does the class of an object whose key others may have too: an id or a UUID is nobody else's.
    var isCountedExactly: Bool {
        guard text == nil else { return false }
        guard objectClass != nil, let objectKey else { return true }
        return (try? ObjectId(string: objectKey)) != nil || UUID(uuidString: objectKey) != nil
    }
}
