public import EventModel

/// A collection of a persisted property that holds each element once.
///
/// Two elements are the same when they are equal; texts when their bytes are, objects when they are the same row, and
/// NaN is the same as NaN. The order has no meaning. The set of an unmanaged object is plain memory; once the object
/// is managed the same set reads and writes the realm. Assigning to the property replaces the contents, the set itself
/// stays.
public final class MutableSet<Element: RealmCollectionValue> {
    /// The elements while unmanaged.
    private(set) var unmanaged = UnmanagedSet<Element>()
    /// The elements in the realm.
    private(set) var managed: ManagedSet<Element>?

    /// Creates an empty unmanaged set.
    public init() {}

    /// Creates the set of a managed object.
    public init(_core core: ObjectCore, _ slot: Int) {
        managed = ManagedSet(core, slot)
    }

    /// The realm that manages the set; nil while unmanaged.
    public var realm: Realm? { managed?.realm }

    /// Whether the object that the set belongs to was deleted.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    // MARK: Comparing

    /// Whether an element is in the set.
    public func contains(_ object: Element) -> Bool {
        managed?.contains(object) ?? unmanaged.contains(object)
    }

    /// Whether every element is in the other set, too.
    public func isSubset(of possibleSuperset: MutableSet) -> Bool {
        shownIdentities.isSubset(of: possibleSuperset.shownIdentities)
    }

    /// Whether an element is in both sets.
    public func intersects(_ otherSet: MutableSet) -> Bool {
        !shownIdentities.isDisjoint(with: otherSet.shownIdentities)
    }

    // MARK: Changing

    /// Adds an element unless it is there; an unmanaged object is added to the realm.
    public func insert(_ object: Element) {
        insert(objectsIn: CollectionOfOne(object))
    }

    /// Adds the elements that are not there.
    public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        if let managed {
            managed.insert(objects)
        } else {
            for object in objects { unmanaged.insert(object) }
        }
    }

    /// Removes an element; nothing happens when it is not there.
    public func remove(_ object: Element) {
        remove(CollectionOfOne(object))
    }

    /// Removes all elements; objects stay in the realm.
    public func removeAll() {
        keepOnly([])
    }

    /// Removes the elements that are not in the other set.
    public func formIntersection(_ other: MutableSet) {
        keepOnly(other.identities)
    }

    /// Adds the elements of the other set.
    public func formUnion(_ other: MutableSet) {
        insert(objectsIn: other.elements)
    }

    /// Removes the elements that are in the other set.
    public func subtract(_ other: MutableSet) {
        remove(other.elements)
    }

    private func remove(_ objects: some Sequence<Element>) {
        if let managed {
            managed.remove(objects)
        } else {
            unmanaged.remove(Set(objects.map(\._identity)))
        }
    }

    private func keepOnly(_ kept: Set<Element._Identity>) {
        if let managed {
            managed.removeAll(except: kept)
        } else {
            unmanaged.keepOnly(kept)
        }
    }

    private var identities: Set<Element._Identity> { Set(elements.map(\._identity)) }

    /// The same, for an answer that shows something of them.
    private var shownIdentities: Set<Element._Identity> {
        let identities = identities
        managed?.show()
        return identities
    }
}

// MARK: - Collection

extension MutableSet: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { managed?.count ?? unmanaged.elements.count }

    /// Reads an element; which one is at a place has no meaning, but is the same until the set changes.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element {
        if let managed { return managed.read(position) }
        guard unmanaged.elements.indices.contains(position) else {
            misuse("The index \(position) is outside of a set of \(count) elements.")
        }
        return unmanaged.elements[position]
    }

    /// Iterates over the elements as they are now: changes that are made meanwhile do not disturb it.
    public func makeIterator() -> AnyIterator<Element> {
        managed?.makeIterator() ?? AnyIterator(unmanaged.elements.makeIterator())
    }
}

extension MutableSet: ExpressibleByArrayLiteral {
    /// Creates an unmanaged set.
    public convenience init(arrayLiteral elements: Element...) {
        self.init()
        insert(objectsIn: elements)
    }
}

extension MutableSet: Hashable {
    /// Whether both are the same set of the same object, or two unmanaged sets of equal elements.
    ///
    /// - Complexity: O(*n*) for unmanaged ones.
    public static func == (left: MutableSet, right: MutableSet) -> Bool {
        left.isSame(as: right) || left.hasEqualContents(as: right)
    }

    /// Feeds the identity of the set to the hasher; unmanaged ones, whose contents may change, all have one hash.
    public func hash(into hasher: inout Hasher) { hashOwner(into: &hasher) }
}

extension MutableSet: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String {
        "MutableSet<\(Element.self)> \(isInvalidated ? "(deleted)" : "\(Array(self).map { ShownValue($0) })")"
    }
}

// MARK: - Property

extension MutableSet: _CollectionProperty {
    /// A set.
    public static var _collection: PropertyShape.Collection { .set }
    /// What the store keeps for an element.
    public static var _valueType: _PropertyType { Element._elementType }
    /// Those that hand out the collection of an object, which reads and writes its own table.
    public static var _operations: _PropertyOperations { collectionOperations }
    /// Replaces the contents by those of another set; by those of the same set it changes nothing.
    public func _replaceContents(with other: MutableSet) {
        guard !isSame(as: other) else { return }
        let elements = other.elements
        removeAll()
        insert(objectsIn: elements)
    }

    /// The elements, without telling an observer.
    var elements: [Element] { managed?.elements ?? unmanaged.elements }
}

extension MutableSet: PersistedCollection {
    var owner: (core: ObjectCore, slot: Int)? { managed.map { ($0.core, $0.slot) } }

    var isGone: Bool { isInvalidated }

    /// Makes the set of a property: none lies inside a value of any type.
    static func make(_ core: ObjectCore, _ slot: Int, nested: NestedKey?) -> MutableSet {
        MutableSet(_core: core, slot)
    }

    var taken: TakenValues { TakenValues(elements: elements.lazy.map { $0 as Any }) }

    func attach(to core: ObjectCore, _ slot: Int) -> TakenValues? {
        guard canAttach(to: core, slot) else { return nil }
        let held = taken
        managed = ManagedSet(core, slot)
        unmanaged = UnmanagedSet()
        return held
    }

    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try managed?.insert(values, writer)
    }

    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try managed?.assign(values, writer)
    }

    func fill(from values: TakenValues, at place: String, depth: Int) throws(Realm.Error) {
        unmanaged.replaceAll(try values.made(Element.self, at: place, depth: depth).map(\.element))
    }
}
