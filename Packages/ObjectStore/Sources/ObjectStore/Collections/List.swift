/// An ordered collection of a persisted property.
///
/// The list of an unmanaged object is plain memory; once the object is managed the same list reads and writes the
/// realm. Assigning to the property replaces the contents, the list itself stays.
public final class List<Element: RealmCollectionValue> {
    /// The elements while unmanaged.
    private var unmanaged: [Element] = []
    /// The elements in the realm.
    private var managed: ManagedList<Element>?

    /// Creates an empty unmanaged list.
    public init() {}

    init(_ managed: ManagedList<Element>) {
        self.managed = managed
    }

    /// The realm that manages the list; nil while unmanaged.
    public var realm: Realm? {
        managed.flatMap { list in list.core.isValid ? list.core.realm.map(Realm.init(core:)) : nil }
    }

    /// Whether the object that the list belongs to was deleted.
    public var isInvalidated: Bool { managed.map { !$0.core.isValid } ?? false }

    /// What a query over the elements needs to know; nil while unmanaged.
    var querySource: (realm: RealmCore, owner: String, key: Int64, property: String)? {
        guard let managed else { return nil }
        let core = managed.core
        return (core.confinedRealm, core.table.schema.name, core.key, core.table.schema.properties[managed.slot].name)
    }

    /// The object and the slot that the list belongs to; nil while unmanaged.
    var managedProperty: (core: ObjectCore, slot: Int)? { managed.map { ($0.core, $0.slot) } }

    // MARK: Changing

    /// Adds an element at the end; an unmanaged object is added to the realm.
    public func append(_ object: Element) {
        append(objectsIn: CollectionOfOne(object))
    }

    /// Adds elements at the end.
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        if let managed {
            managed.append(Array(objects))
        } else {
            unmanaged.append(contentsOf: objects)
        }
    }

    /// Inserts an element.
    ///
    /// - Precondition: `0 <= index <= count`.
    /// - Complexity: O(*n*) in the count of elements behind it.
    public func insert(_ object: Element, at index: Int) {
        requireInsertable(index)
        replaceSubrange(index..<index, with: CollectionOfOne(object))
    }

    /// Removes an element.
    ///
    /// - Precondition: `0 <= index < count`.
    public func remove(at index: Int) {
        requireElement(index)
        replaceSubrange(index..<(index + 1), with: [])
    }

    /// Removes all elements.
    public func removeAll() {
        replaceSubrange(0..<count, with: [])
    }

    /// Removes the first elements.
    ///
    /// - Precondition: `0 <= number <= count`.
    public func removeFirst(_ number: Int = 1) {
        requireRemovable(number)
        replaceSubrange(0..<number, with: [])
    }

    /// Removes the last elements.
    ///
    /// - Precondition: `0 <= number <= count`.
    public func removeLast(_ number: Int = 1) {
        requireRemovable(number)
        let count = count
        replaceSubrange((count - number)..<count, with: [])
    }

    /// Replaces an element.
    ///
    /// - Precondition: `0 <= index < count`.
    public func replace(index: Int, object: Element) {
        requireElement(index)
        replaceSubrange(index..<(index + 1), with: CollectionOfOne(object))
    }

    /// Moves an element.
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
        guard first != second else { return requireElement(first) }
        let (low, high) = (Swift.min(first, second), Swift.max(first, second))
        move(from: high, to: low)
        move(from: low + 1, to: high)
    }

    /// Replaces a range of elements.
    ///
    /// - Precondition: The range lies within the list.
    public func replaceSubrange<C: Collection>(_ range: Range<Int>, with newElements: C) where C.Element == Element {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            misuse("The range \(range) was replaced in a list of \(count) elements.")
        }
        if let managed {
            managed.replace(range, with: Array(newElements))
        } else {
            unmanaged.replaceSubrange(range, with: newElements)
        }
    }

    private func requireElement(_ index: Int) {
        guard index >= 0, index < count else { misuse("The index \(index) is outside of a list of \(count) elements.") }
    }

    private func requireInsertable(_ index: Int) {
        guard index >= 0, index <= count else {
            misuse("An element was inserted at index \(index) of a list of \(count) elements.")
        }
    }

    private func requireRemovable(_ number: Int) {
        guard number >= 0, number <= count else {
            misuse("\(number) elements were removed from a list of \(count).")
        }
    }
}

// MARK: - Collection

extension List: RandomAccessCollection, MutableCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { managed?.count ?? unmanaged.count }
    /// Reads or replaces an element.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element {
        get {
            requireElement(position)
            return managed?.element(position) ?? unmanaged[position]
        }
        set { replace(index: position, object: newValue) }
    }

    /// Iterates over the elements as they are now: changes that are made meanwhile do not disturb it.
    public func makeIterator() -> AnyIterator<Element> {
        guard let managed else { return AnyIterator(unmanaged.makeIterator()) }
        return managed.makeIterator()
    }
}

extension List: ExpressibleByArrayLiteral {
    /// Creates an unmanaged list.
    public convenience init(arrayLiteral elements: Element...) {
        self.init()
        unmanaged = elements
    }
}

extension List: Hashable {
    /// Whether both are the same list of the same object, or the same unmanaged instance.
    public static func == (left: List, right: List) -> Bool {
        if left === right { return true }
        guard let first = left.managed, let second = right.managed else { return false }
        return first.slot == second.slot && first.core.isSameRow(as: second.core)
    }

    /// Feeds the identity of the list to the hasher.
    public func hash(into hasher: inout Hasher) {
        if let managed {
            hasher.combine(managed.core.key)
            hasher.combine(managed.slot)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}

extension List: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { "List<\(Element.self)> \(Array(self))" }
}

// MARK: - Property

extension List: _Persistable {
    /// What the store keeps for a list.
    public static var _propertyType: _PropertyType {
        let element = Element._elementType
        return _PropertyType(
            kind: element.kind,
            collection: .list,
            isOptional: element.isOptional,
            target: element.target
        )
    }
    /// True: the list of an object stays the same instance.
    public static var _keepsDefault: Bool { true }
    /// An empty list.
    public static func _defaultValue() -> List { List() }
    /// The list of a managed object, always the same instance.
    public static func _read(_ core: ObjectCore, _ slot: Int) -> List {
        core.collection(slot) { List(ManagedList(core, slot)) }
    }
    /// Replaces the contents.
    public static func _assign(_ value: List, _ core: ObjectCore, _ slot: Int) {
        let list = _read(core, slot)
        guard list !== value else { return }
        list.replaceSubrange(0..<list.count, with: Array(value))
    }
    /// The operations on a property of this type.
    public static var _operations: _PropertyOperations {
        let operations = CollectionOperations(
            stored: { field in
                let wrapper = field.assumingMemoryBound(to: Persisted<List>.self)
                if let list = wrapper.pointee.stored { return list }
                let list = List()
                wrapper.pointee.stored = list
                return list
            },
            managed: { core, slot in List._read(core, slot) }
        )
        return _PropertyOperations(role: .collection(operations)) { core, slot in List._read(core, slot) }
    }
}

extension List: PersistedCollection {
    var values: [Any] { map { $0 as Any } }
    var elementType: _PropertyType { Element._elementType }

    func promote(to core: ObjectCore, _ slot: Int, _ writer: ObjectWriter) throws(Realm.Error) {
        let list = core.collection(slot) { self }
        guard list === self else { return }
        let elements = unmanaged
        let managed = ManagedList<Element>(core, slot)
        self.managed = managed
        unmanaged = []
        try managed.insert(elements.map { $0 as Any }, writer)
    }

    func assign(_ value: Any, at place: String, _ writer: ObjectWriter) throws(Realm.Error) {
        guard let managed, value as? List<Element> !== self else { return }
        try managed.assign(try elements(of: value, Self._propertyType, at: place), at: place, writer)
    }

    func fill(from value: Any, at place: String, depth: Int) throws(Realm.Error) {
        var filled: [Element] = []
        let given = try elements(of: value, Self._propertyType, at: place)
        for element in given {
            var made: Any? = element
            if Element._elementType.target != nil {
                made = try UnmanagedWriter().made(Element._elementType, from: element, at: place, depth: depth)
            }
            guard let made, let converted = Element._convertedElement(made) else {
                throw .mismatch(element, Element._elementType, at: place)
            }
            filled.append(converted)
        }
        unmanaged = filled
    }
}
