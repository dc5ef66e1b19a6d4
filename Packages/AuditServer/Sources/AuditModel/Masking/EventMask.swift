package import EventModel

/// What auditors do not see of one app's events.
public struct EventMask: Sendable, Hashable {
    /// Nothing is masked.
    public static let none = EventMask([])
    /// What stands for the value of a masked metadata column; an empty value stays empty.
    public static let text = "$masked"

    /// The fields, each once, sorted by their texts.
    public let fields: [MaskedField]
    // TEXT: what Unicode takes for a masked name is masked, too, here and below: hiding more is the safe side.
    private var classes: [String: MaskTree] = [:]
    /// What is masked in objects inside others, which do not say their class.
    private var anywhere = MaskTree()
    // TEXT: as above.
    private var types: [String: MaskTree] = [:]
    // TEXT: as above.
    private var activities: [String: MaskTree] = [:]
    // TEXT: as above.
    private var columns: Set<String> = []

    /// Masks fields.
    public init(_ fields: [MaskedField]) {
        self.fields = Set(fields).sorted { $0.text < $1.text }
        for field in fields {
            switch field.place {
            case .object(let name):
                classes[name, default: MaskTree()].add(field.path[...])
                anywhere.add(field.path[...])
            case .event(let type): types[type, default: MaskTree()].add(field.path[...])
            case .activity(let name): activities[name, default: MaskTree()].add(field.path[...])
            case .column(let name): columns.insert(name)
            }
        }
    }

    /// Whether nothing is masked.
    public var isEmpty: Bool { fields.isEmpty }

    /// Returns whether the values of a metadata column are masked.
    public func hides(column: String) -> Bool { columns.contains(column) }

    /// Returns an event without its masked values; nil when it has none.
    ///
    /// The values of an object that is named stay; those of metadata are not its own.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    package func shown(_ event: AuditEvent, but named: NamedObject? = nil) -> AuditEvent? {
        let data = payload(of: event, but: named)
        let metadata = metadata(of: event)
        if data == nil && metadata == nil { return nil }
        return AuditEvent(
            id: event.id,
            clock: event.clock,
            activity: event.activity,
            event: event.event,
            data: data ?? event.data,
            metadata: metadata ?? event.metadata,
            scopeCommitted: event.scopeCommitted,
            marks: event.marks,
            sync: event.sync
        )
    }

    private func payload(of event: AuditEvent, but named: NamedObject?) -> [UInt8]? {
        guard let data = event.data else { return nil }
        if event.event == "read" || event.event == "write" {
            // Of a payload that could not be made the recorder says why, without user data.
            guard !classes.isEmpty, !event.marks.contains(.incomplete) else { return nil }
            return PayloadMask.recorded(data, classes: classes, anywhere: anywhere, but: named)
        }
        let trees = [event.event.flatMap { types[$0] }, activities[event.activity]].compactMap(\.self)
        return trees.isEmpty ? nil : PayloadMask.custom(data, trees)
    }

    private func metadata(of event: AuditEvent) -> EventMetadata? {
        guard event.metadata.entries.contains(where: { columns.contains($0.key) && !$0.value.isEmpty }) else {
            return nil
        }
        let values = event.metadata.dictionary.map { key, value in
            (key, columns.contains(key) && !value.isEmpty ? Self.text : value)
        }
        do {
            return try EventMetadata(Dictionary(uniqueKeysWithValues: values))
        } catch {
            // Keys were checked when they arrived; what somebody made of them since is not shown.
            return .empty
        }
    }
}
