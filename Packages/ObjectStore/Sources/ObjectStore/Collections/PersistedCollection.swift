/// A collection of a property whose element type is known at run time only.
protocol PersistedCollection: AnyObject {
    /// Makes an unmanaged collection the one of a property, writing its elements.
    func promote(to core: ObjectCore, _ slot: Int, _ writer: ObjectWriter) throws(Realm.Error)

    /// Replaces the contents of a managed collection by converted values.
    func assign(_ value: Any, at place: String, _ writer: ObjectWriter) throws(Realm.Error)

    /// Replaces the contents of an unmanaged collection by converted values.
    func fill(from value: Any, at place: String, depth: Int) throws(Realm.Error)

    /// The elements, each of the element's type.
    var values: [Any] { get }

    /// The type of an element.
    var elementType: _PropertyType { get }
}

/// Takes a value apart into elements.
///
/// - Returns: An empty array for null.
func elements(of value: Any, _ type: _PropertyType, at place: String) throws(Realm.Error) -> [Any] {
    switch unwrapped(value) {
    case nil: return []
    case let collection as any PersistedCollection:
        // A collection of another element type is refused even when it is empty.
        let given = collection.elementType
        guard given.kind == type.kind, given.target == type.target, type.isOptional || !given.isOptional else {
            throw .mismatch(value, type, at: place)
        }
        return collection.values
    case let sequence as [Any]: return sequence
    case is String: throw .mismatch(value, type, at: place)
    case let sequence as any Sequence: return Array(erasing: sequence)
    default: throw .mismatch(value, type, at: place)
    }
}

extension Array where Element == Any {
    fileprivate init(erasing sequence: some Sequence) {
        self = sequence.map { $0 as Any }
    }
}
