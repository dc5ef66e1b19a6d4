import EventModel
import Foundation

/// What a value that was given for a collection holds, taken apart.
struct TakenValues {
    /// One element, or one entry of a map.
    struct Item {
        /// The key of an entry; empty otherwise.
        var key = ""
        let value: Any
    }

    let items: [Item]

    init(_ items: [Item]) { self.items = items }

    init(elements: some Sequence<Any>) {
        items = elements.map { Item(value: $0) }
    }

    /// Takes a value apart.
    ///
    /// Null is a collection without elements.
    ///
    /// - Throws: ``Realm/Error`` when the value is no sequence, a dictionary for what is no map or the other way round,
    ///   or a collection whose elements are of another type.
    init(_ value: Any, for type: _PropertyType, at place: String) throws(Realm.Error) {
        guard let given = unwrapped(value) else {
            self.init([])
            return
        }
        if let collection = given as? any PersistedCollection {
            // A collection of another element type is refused even when it is empty.
            guard type.accepts(Swift.type(of: collection)) else { throw .mismatch(value, type, at: place) }
            self = collection.taken
        } else if type.collection == .dictionary {
            guard let dictionary = given as? [String: Any] else { throw .mismatch(value, type, at: place) }
            self.init(dictionary.map { Item(key: $0.key, value: $0.value) })
        } else if let array = given as? [Any] {
            self.init(elements: array)
        } else {
            // Text and data are sequences, too, but not of elements; the pairs of a dictionary have no meaning here.
            guard let sequence = given as? any Sequence, !(given is any StringProtocol), !(given is Data),
                !(given is [String: Any])
            else { throw .mismatch(value, type, at: place) }
            self.init(elements: Array(erasing: sequence))
        }
    }
}

extension _PropertyType {
    /// Whether what a collection holds may be put into a property of this type.
    fileprivate func accepts(_ given: any PersistedCollection.Type) -> Bool {
        guard let given = (given as? any _CollectionProperty.Type)?._propertyType else { return false }
        return (given.collection == .dictionary) == (collection == .dictionary) && given.kind == kind
            && (given.target == target || given.target == DynamicObject.self) && (isOptional || !given.isOptional)
    }
}

extension Array where Element == Any {
    fileprivate init(erasing sequence: some Sequence) {
        self = sequence.map { $0 as Any }
    }
}

extension TakenValues {
    /// Converts the values to unmanaged elements; dictionaries and arrays become objects.
    func made<Element: RealmCollectionValue>(
        _ type: Element.Type,
        at place: String,
        depth: Int
    ) throws(Realm.Error) -> [(key: String, element: Element)] {
        var made: [(key: String, element: Element)] = []
        for item in items {
            made.append((item.key, try Self.element(type, from: item.value, at: place, depth: depth)))
        }
        return made
    }

    /// Converts a value to an unmanaged element.
    static func element<Element: RealmCollectionValue>(
        _: Element.Type,
        from value: Any,
        at place: String,
        depth: Int = 0
    ) throws(Realm.Error) -> Element {
        var value = value
        if Element._elementType.target != nil {
            value = try UnmanagedWriter().made(Element._elementType, from: value, at: place, depth: depth) as Any
        }
        guard let element = Element._convertedElement(value) else {
            throw .mismatch(value, Element._elementType, at: place)
        }
        return element
    }
}
