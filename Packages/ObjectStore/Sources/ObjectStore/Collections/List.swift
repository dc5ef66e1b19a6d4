public import EventModel

/// An ordered collection of a persisted property.
///
/// The list of an unmanaged object is plain memory; once the object is managed the same list reads and writes the
/// realm. Assigning to the property replaces the contents, the list itself stays.
public final class List<Element: RealmCollectionValue> {
    /// The elements while unmanaged.
    private(set) var unmanaged: [Element] = []
    /// The elements in the realm.
    private(set) var managed: ManagedList<Element>?

    /// Creates an empty unmanaged list.
    public init() {}

    /// Creates the list of a managed object.
    public init(_core core: ObjectCore, _ slot: Int) {
        managed = ManagedList(core, slot)
    }

    /// Creates a list that lies inside a value of any type.
    init(nested key: Int64, of core: ObjectCore, _ slot: Int) {
        managed = ManagedList(core, slot, nested: key)
    }

    /// The realm that manages the list; nil while unmanaged.
    public var realm: Realm? { managed?.realm }

    /// Whether the object that the list belongs to was deleted.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    // MARK: Changing

    /// Adds an element at the end; an unmanaged object is added to the realm.
    public func append(_ object: Element) {
        if let managed {
            managed.append(object)
        } else {
            unmanaged.append(object)
        }
    }

    /// Adds elements at the end.
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        if let managed {
            managed.append(objects)
        } else {
            unmanaged.append(contentsOf: objects)
        }
    }

    /// Inserts an element.
    ///
    /// - Precondition: `0 <= index <= count`.
    public func insert(_ object: Element, at index: Int) {
        requirePlace(index)
        if let managed {
            managed.insert(object, at: index)
        } else {
            unmanaged.insert(object, at: index)
        }
    }

    /// Inserts elements.
    ///
    /// - Precondition: `0 <= index <= count`.
    public func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
        requirePlace(index)
        replace(index..<index, with: newElements)
    }

    /// Replaces an element.
    ///
    /// - Precondition: `0 <= index < count`.
    public func replace(index: Int, object: Element) {
        requireElement(index)
        replace(index..<(index + 1), with: CollectionOfOne(object))
    }

    /// Replaces a range of elements by any number of others.
    ///
    /// - Precondition: The range lies within the list.
    public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
    where C.Element == Element, R.Bound == Int {
        let range = subrange.relative(to: self)
        requireRange(range)
        replace(range, with: newElements)
    }

    /// Moves an element; those between its old and its new place make room.
    ///
    /// - Precondition: Both are places of elements.
    public func move(from: Int, to: Int) {
        requireElement(from)
        requireElement(to)
        if let managed {
            managed.move(from: from, to: to)
        } else {
            unmanaged.insert(unmanaged.remove(at: from), at: to)
        }
    }

    /// Exchanges two elements.
    ///
    /// - Precondition: Both are places of elements.
    public func swapAt(_ first: Int, _ second: Int) {
        requireElement(first)
        requireElement(second)
        if let managed {
            managed.rearrange([(first, second), (second, first)])
        } else {
            unmanaged.swapAt(first, second)
        }
    }

    /// Puts the elements of a range into another order, given as the place that each comes from.
    func rearrange(_ range: Range<Int>, _ order: [Int]) {
        if let managed {
            managed.rearrange(Array(zip(range, order)))
        } else {
            unmanaged.replaceSubrange(range, with: order.map { unmanaged[$0] })
        }
    }

    func replace(_ range: Range<Int>, with newElements: some Collection<Element>, isWhole: Bool = false) {
        if let managed {
            managed.replace(range, with: newElements, isWhole: isWhole)
        } else {
            unmanaged.replaceSubrange(range, with: newElements)
        }
    }
}

// MARK: - Checking

extension List {
    func requireElement(_ index: Int) {
        let count = count
        guard index >= 0, index < count else { misuse("The index \(index) is outside of a list of \(count) elements.") }
    }

    fileprivate func requirePlace(_ index: Int) {
        let count = count
        guard index >= 0, index <= count else {
            misuse("An element was inserted at index \(index) of a list of \(count) elements.")
        }
    }

    func requireRange(_ range: Range<Int>) {
        let count = count
        guard range.lowerBound >= 0, range.upperBound <= count else {
            misuse("The range \(range) is outside of a list of \(count) elements.")
        }
    }

    func requireRemovable(_ number: Int) {
        let count = count
        guard number >= 0, number <= count else {
            misuse("\(number) elements were removed from a list of \(count).")
        }
    }
}

// MARK: - Property

extension List: _CollectionProperty {
    /// A list.
    public static var _collection: PropertyShape.Collection { .list }
    /// What the store keeps for an element.
    public static var _valueType: _PropertyType { Element._elementType }
    /// Those that hand out the collection of an object, which reads and writes its own table.
    public static var _operations: _PropertyOperations { collectionOperations }
    /// Replaces the contents by those of another list; by those of the same list it changes nothing.
    public func _replaceContents(with other: List) {
        guard !isSame(as: other) else { return }
        replace(0..<count, with: other.elements, isWhole: true)
    }

    /// The elements, without telling an observer.
    var elements: [Element] { managed?.elements ?? unmanaged }
}

extension List: PersistedCollection {
    var owner: (core: ObjectCore, slot: Int)? { managed.map { ($0.core, $0.slot) } }

    var nestedKey: NestedKey? { managed?.nestedKey }

    var isGone: Bool { isInvalidated }

    static func make(_ core: ObjectCore, _ slot: Int, nested: NestedKey?) -> List {
        nested.map { List(nested: $0.key, of: core, slot) } ?? List(_core: core, slot)
    }

    /// Writes what the list holds as one inside a value of any type, and becomes that one unless it is copied.
    func write(nested key: Int64, in core: ObjectCore, _ slot: Int, _ writer: ObjectWriter) throws(Realm.Error) {
        let held = taken
        let list = ManagedList<Element>(core, slot, nested: key)
        if managed == nil, !writer.copies {
            managed = list
            unmanaged = []
        }
        try list.insert(held, writer)
    }

    var taken: TakenValues { TakenValues(elements: elements.lazy.map { $0 as Any }) }

    func attach(to core: ObjectCore, _ slot: Int) -> TakenValues? {
        guard canAttach(to: core, slot) else { return nil }
        let held = taken
        managed = ManagedList(core, slot)
        unmanaged = []
        return held
    }

    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try managed?.insert(values, writer)
    }

    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try managed?.assign(values, writer)
    }

    func fill(from values: TakenValues, at place: String, depth: Int) throws(Realm.Error) {
        unmanaged = try values.made(Element.self, at: place, depth: depth).map(\.element)
    }
}
