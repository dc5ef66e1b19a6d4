public import EventModel

/// An object that an event shows, or says to have changed.
public struct EventObject: Sendable, Hashable, Codable {
    /// What happened to the object.
    public enum Action: String, Sendable, Hashable, Codable {
        /// It was read by itself or as the result of a query.
        case read
        /// It was shown inside another object, because a link was followed or an object is embedded.
        case shown
        /// It was inserted.
        case inserted
        /// It was changed.
        case modified
        /// It was deleted.
        case deleted
    }

    /// The class; nil when the event does not name it, as for an object inside another one.
    public let objectClass: String?
    /// The primary key as text.
    public let key: String
    /// What happened.
    public let action: Action
    /// What the object was called in the event; nil when its class has no label, or a value of the label is missing or masked.
    public internal(set) var label: String?

    /// Describes an object.
    public init(objectClass: String?, key: String, action: Action, label: String? = nil) {
        self.objectClass = objectClass
        self.key = key
        self.action = action
        self.label = label
    }

    private enum CodingKeys: String, CodingKey {
        case objectClass = "class"
        case key, action, label
    }
}

extension EventObject {
    /// Returns the objects of an event in the order of its payload.
    ///
    /// The primary key is the property `_id`, or else `id`; an object without either is left out, and so is what an app's own
    /// representation hides. A payload that is not JSON has no objects.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload, and O(*m* log *m*) in objects of which some lie in others.
    public static func all(in event: AuditEvent) -> [EventObject] {
        guard let data = event.data, event.event == "read" || event.event == "write" else { return [] }
        return all(in: data)
    }

    /// Returns the objects of an event that is known by its type and its payload.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    public static func all(event: String?, data: String?) -> [EventObject] {
        guard let data, event == "read" || event == "write" else { return [] }
        return all(in: Array(data.utf8))
    }

    private static func all(in data: [UInt8]) -> [EventObject] {
        var objects: [EventObject] = []
        var places: [Int] = []
        var isInOrder = true
        data.withUnsafeBufferPointer { bytes in
            var scan = PayloadScan(bytes) { object, place in
                if let last = places.last, place < last { isInOrder = false }
                objects.append(object)
                places.append(place)
                return true
            }
            _ = scan.objects()
        }
        // An inner object is found before the one that it lies in; of two keys of one object the first stays the first.
        if isInOrder { return objects }
        return objects.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { objects[$0] }
    }

    /// Calls the closure with each object of an event until it returns false, an inner one before the one that it lies in.
    ///
    /// - Returns: Whether the closure never returned false.
    /// - Complexity: O(*n*) in the bytes of the payload.
    @discardableResult
    package static func visit(in event: AuditEvent, _ body: @escaping (EventObject) -> Bool) -> Bool {
        guard let data = event.data, event.event == "read" || event.event == "write" else { return true }
        return data.withUnsafeBufferPointer { bytes in
            var scan = PayloadScan(bytes) { object, _ in body(object) }
            return scan.objects()
        }
    }

    /// Returns the names of the classes that an event is about, also of those whose objects have no key that is known.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - limit: The largest number of them; all by default.
    /// - Returns: The names, in the order of the payload.
    public static func classes(in event: AuditEvent, atMost limit: Int = .max) -> [String] {
        guard let data = event.data, event.event == "read" || event.event == "write" else { return [] }
        return data.withUnsafeBufferPointer { bytes in
            var scan = PayloadScan(bytes)
            return scan.classes(atMost: limit)
        }
    }
}
