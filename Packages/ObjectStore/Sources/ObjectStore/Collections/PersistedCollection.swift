/// A collection of a property whose element type is known at run time only.
protocol PersistedCollection: AnyObject {
    /// The object and the slot that the collection belongs to; nil while unmanaged.
    var owner: (core: ObjectCore, slot: Int)? { get }

    /// The key of a collection that lies inside a value of any type.
    var nestedKey: NestedKey? { get }

    /// Whether its object is gone, or it is no longer inside that.
    var isGone: Bool { get }

    /// Makes the collection of a property, or one inside a value of any type of the property.
    static func make(_ core: ObjectCore, _ slot: Int, nested: NestedKey?) -> Self

    /// What it holds, without telling an observer.
    var taken: TakenValues { get }

    /// Makes an unmanaged collection the one of a property of a managed object.
    ///
    /// - Returns: What it held, still to be written; nil when it is managed already or the property has another one.
    func attach(to core: ObjectCore, _ slot: Int) -> TakenValues?

    /// Writes values into the managed collection of a new object.
    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error)

    /// Replaces the contents of a managed collection by values; under `.modified` it changes what differs.
    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error)

    /// Replaces the contents of an unmanaged collection by converted values.
    func fill(from values: TakenValues, at place: String, depth: Int) throws(Realm.Error)
}

extension PersistedCollection {
    /// Nil: only lists and maps lie inside values of any type.
    var nestedKey: NestedKey? { nil }

    /// Whether this is the collection of a key that lies inside a value of an object's realm.
    func isNested(_ key: Int64, in core: ObjectCore) -> Bool {
        nestedKey?.key == key && owner?.core.realm === core.realm
    }

    /// Whether both are the same property of the same object.
    func isSame(as other: any PersistedCollection) -> Bool {
        if self === other { return true }
        guard let owner, let otherOwner = other.owner else { return false }
        return owner.slot == otherOwner.slot && nestedKey == other.nestedKey
            && owner.core.isSameRow(as: otherOwner.core)
    }

    /// Feeds what makes two collections equal to a hasher.
    func hashOwner(into hasher: inout Hasher) {
        if let owner {
            hasher.combine(owner.core.key)
            hasher.combine(owner.slot)
            hasher.combine(nestedKey)
        } else {
            hasher.combine(0)
        }
    }
}
