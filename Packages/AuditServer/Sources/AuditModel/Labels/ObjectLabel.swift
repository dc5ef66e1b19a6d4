package import EventModel

/// What an object was called in an event: the label that its class has, with the values that the event has.
package struct ObjectLabel: Sendable, Hashable {
    /// The class.
    package let objectClass: ExactText
    /// The primary key as text.
    package let key: ExactText
    /// The label.
    package let text: ExactText

    package init(objectClass: String, key: String, text: String) {
        self.objectClass = ExactText(objectClass)
        self.key = ExactText(key)
        self.text = ExactText(text)
    }
}

extension EventObject {
    /// Returns the objects of an event with what they are called in it, in the order of its payload.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    package static func all(in stored: StoredEvent, _ labels: ObjectLabels) -> [EventObject] {
        guard let event = stored.event else { return [] }
        let objects = all(in: event)
        let found = labels.all(in: stored)
        if found.isEmpty { return objects }
        // An object that changed its name is called what it is called afterwards.
        let names = Dictionary(found.map { ([$0.objectClass, $0.key], $0.text.string) }) { $1 }
        return objects.map { object in
            guard let name = object.objectClass else { return object }
            var object = object
            object.label = names[[ExactText(name), ExactText(object.key)]]
            return object
        }
    }
}
