import EventModel
import EventProofs

/// What auditors do not see of the events of each app.
public struct EventMasks: Sendable, Hashable {
    /// Nothing is masked.
    public static let none = EventMasks(apps: [:])

    // TEXT: apps, which are ASCII.
    private let apps: [String: EventMask]
    /// What is masked of every other app.
    private let others: EventMask

    /// Describes what is masked.
    ///
    /// - Parameters:
    ///   - apps: The masks by app.
    ///   - others: What is masked of every other app; nothing by default.
    public init(apps: [String: EventMask], others: EventMask = .none) {  // TEXT: apps, which are ASCII.
        self.apps = apps.filter { !$0.value.isEmpty || !others.isEmpty }
        self.others = others
    }

    /// Whether nothing is masked.
    public var isEmpty: Bool { apps.isEmpty && others.isEmpty }

    /// A text that is another one when something else is masked.
    package var fingerprint: String {
        let masks = apps.sorted { $0.key < $1.key } + (others.isEmpty ? [] : [("", others)])
        return masks.map { app, mask in ([app] + mask.fields.map(\.text)).joined(separator: "\u{0}") }
            .joined(separator: "\n")
    }

    /// Returns what is masked of an app's events.
    package func mask(of app: String) -> EventMask {
        // What auditors do is no user's data.
        app == TrailEvent.app ? .none : apps[app] ?? others
    }

    /// Returns an event as auditors see it, with the values of an object that is named.
    ///
    /// - Complexity: O(*n*) in the bytes of the event.
    package func shown(_ stored: StoredEvent, but named: NamedObject? = nil) -> StoredEvent {
        guard !isEmpty, !stored.isMasked, let event = stored.event, let app = stored.owner?.app,
            let shown = mask(of: app).shown(event, but: named)
        else { return stored }
        return StoredEvent(
            partition: stored.partition,
            sequence: stored.sequence,
            owner: stored.owner,
            event: shown,
            leaf: stored.leaf,
            received: stored.received,
            mark: stored.mark,
            isRepeated: stored.isRepeated,
            maskedHash: MerkleHash.leaf(event.encoded)
        )
    }

    /// Checks that a filter asks for no value of a masked column: whether something is found would tell the value.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` with the column and the app.
    package func check(_ filter: EventFilter) throws(AuditServerError) {
        if isEmpty { return }
        let named = filter.app.map { [$0] } ?? apps.keys.filter(filter.access.includes).sorted()
        for column in filter.metadata.keys.sorted().map(\.string) {
            let masking = named.first { mask(of: $0).hides(column: column) }
            if let masking {
                throw .rejected(
                    reason: "the column '\(column)' is masked in '\(masking)', so that nobody searches by it"
                )
            }
            guard filter.app != nil || !others.hides(column: column) else {
                throw .rejected(reason: "the column '\(column)' is masked, so that nobody searches by it")
            }
        }
    }
}
