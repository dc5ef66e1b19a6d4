import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Something that events are found by: an exact value of one kind.
struct SearchTerm: Hashable {
    /// What a value is.
    enum Kind: Int64, CaseIterable {
        /// Every event of an app.
        case all = 0
        /// Every record of what an auditor did.
        case audit = 1
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
    }

    /// The most bytes of a value that are kept; what is longer is told apart by reading the event.
    static let maximumBytes = 256

    let kind: Kind
    let bytes: [UInt8]

    init(_ kind: Kind, _ text: String = "") {
        self.kind = kind
        bytes = Array(text.utf8.prefix(Self.maximumBytes))
    }

    /// The term of a metadata column and its value.
    static func metadata(_ key: String, _ value: String) -> SearchTerm {
        // Keys have no control characters, so that the zero byte ends the key.
        SearchTerm(.metadata, "\(key)\u{0}\(value)")
    }
}

extension SearchTerm {
    /// Returns the terms that an event is found by, each once.
    static func all(of stored: StoredEvent) -> Set<SearchTerm> {
        var terms: Set<SearchTerm> = [
            SearchTerm(stored.owner?.app == AuditTrail.app ? .audit : .all),
            SearchTerm(.partition, stored.partition.value),
            SearchTerm(.outcome, stored.outcome.rawValue),
        ]
        if let owner = stored.owner {
            terms.insert(SearchTerm(.app, owner.app))
            terms.insert(SearchTerm(.person, owner.user))
        }
        guard let event = stored.event else { return terms }
        terms.insert(SearchTerm(.activity, event.activity))
        terms.insert(SearchTerm(.boot, event.clock.boot.hex))
        if let type = event.event { terms.insert(SearchTerm(.event, type)) }
        for entry in event.metadata.entries {
            terms.insert(.metadata(entry.key, entry.value))
            if entry.value != EventMask.text { terms.insert(SearchTerm(.person, entry.value)) }
        }
        for name in EventObject.classes(in: event) { terms.insert(SearchTerm(.objectClass, name)) }
        for object in EventObject.all(in: event) { terms.insert(SearchTerm(.objectKey, object.key)) }
        return terms
    }

    /// Returns the terms that every event of a filter has.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - isCounting: Whether events are counted by their terms alone and not read, so that objects of other classes with the same
    ///     key must be kept out; an object that only lies in another one is missed then.
    /// - Returns: The terms.
    static func all(of filter: EventFilter, isCounting: Bool = false) -> Set<SearchTerm> {
        var terms: Set<SearchTerm> = []
        func add(_ kind: Kind, _ text: String?) {
            if let text { terms.insert(SearchTerm(kind, text)) }
        }
        add(.app, filter.app)
        add(.person, filter.person)
        add(.activity, filter.activity)
        add(.event, filter.event)
        add(.outcome, filter.outcome?.rawValue)
        add(.partition, filter.partition?.value)
        add(.boot, filter.boot)
        add(.device, filter.device.map { Hexadecimal.text($0) })
        add(.objectKey, filter.objectKey)
        // An object inside another one is found by its key alone, as nothing says what it is.
        if filter.objectKey == nil || (isCounting && !filter.isCountedExactly) { add(.objectClass, filter.objectClass) }
        for (key, value) in filter.metadata { terms.insert(.metadata(key, value)) }
        // What auditors do has no objects, no metadata and no device, so that nothing needs to keep it out of such a search.
        let kinds: Set<Kind> = [.app, .objectKey, .objectClass, .metadata, .device]
        if !terms.contains(where: { kinds.contains($0.kind) }) { terms.insert(SearchTerm(.all)) }
        return terms
    }
}

extension EventFilter {
    /// Whether the terms of an event tell alone that it fits.
    ///
    /// A text does not, and neither does the class of an object whose key others may have too: an id or a UUID is nobody else's.
    var isCountedExactly: Bool {
        guard text == nil else { return false }
        guard objectClass != nil, let objectKey else { return true }
        return (try? ObjectId(string: objectKey)) != nil || UUID(uuidString: objectKey) != nil
    }
}
