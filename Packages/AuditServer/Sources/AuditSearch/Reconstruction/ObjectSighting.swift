package import EventModel

/// What one event says about one object, once: its properties, or some of them.
package struct ObjectSighting: Sendable, Hashable {
    /// What happened to the object.
    package enum Kind: Sendable, Hashable {
        /// It was shown by itself or in the result of a query.
        case read
        /// It was inserted with these values.
        case inserted
        /// These of its values were written.
        case changed
        /// The device had these values before it changed or deleted the object; nobody says that they were shown.
        case held
        /// It was deleted.
        case deleted
        /// An object with this key lay inside another one, whose class and key are named. The event does not say of which class.
        case inside(objectClass: String, key: String?)
    }

    /// A property.
    package struct Field: Sendable, Hashable {
        /// Its name.
        package let name: String
        /// Its value as JSON, as it stands in the event.
        package let value: String

        /// The name as it is looked up: a twin in other bytes is another property.
        package var exactName: ExactText { ExactText(name) }
    }

    /// What happened.
    package let kind: Kind
    /// The properties in the order of the event.
    package let fields: [Field]
}

extension ObjectSighting {
    /// Returns what an event says about an object, in the order in which it became so.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    package static func all(of objectClass: String, _ key: String, in event: AuditEvent) -> [ObjectSighting] {
        guard let data = event.data, event.event == "read" || event.event == "write" else { return [] }
        return data.withUnsafeBufferPointer { bytes in
            var scan = SightingScan(bytes, objectClass, key)
            return scan.sightings()
        }
    }
}
