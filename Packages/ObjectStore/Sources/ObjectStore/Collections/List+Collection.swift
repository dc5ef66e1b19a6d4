public import Foundation

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
            if let managed { return managed.read(position) }
            requireElement(position)
            return unmanaged[position]
        }
        set { replace(index: position, object: newValue) }
    }

    /// Reads some elements, or replaces them by any number of others.
    ///
    /// - Precondition: The range lies within the list.
    public subscript(bounds: Range<Int>) -> Slice<List> {
        get {
            requireRange(bounds)
            return Slice(base: self, bounds: bounds)
        }
        set {
            requireRange(bounds)
            // What a slice of this list changes is in the list already.
            if newValue.base === self, newValue.indices == bounds { return }
            replace(bounds, with: Array(newValue))
        }
    }

    /// Iterates over the elements as they are now: changes that are made meanwhile do not disturb it.
    public func makeIterator() -> AnyIterator<Element> {
        managed?.makeIterator() ?? AnyIterator(unmanaged.makeIterator())
    }

    /// The elements at several places.
    ///
    /// - Precondition: Each is the place of an element.
    public func objects(at indexes: IndexSet) -> [Element] {
        indexes.map { self[$0] }
    }
}

// MARK: - Removing and moving

extension List {
    /// Removes an element.
    ///
    /// - Precondition: `0 <= index < count`.
    public func remove(at index: Int) {
        requireElement(index)
        if let managed { managed.remove(at: index) } else { replace(index..<(index + 1), with: []) }
    }

    /// Removes all elements; embedded objects are deleted, others stay in the realm.
    public func removeAll() {
        replace(0..<count, with: [], isWhole: true)
    }

    /// Removes the first elements.
    ///
    /// - Precondition: `0 <= number <= count`.
    public func removeFirst(_ number: Int = 1) {
        requireRemovable(number)
        replace(0..<number, with: [])
    }

    /// Removes the last elements.
    ///
    /// - Precondition: `0 <= number <= count`.
    public func removeLast(_ number: Int = 1) {
        requireRemovable(number)
        let count = count
        replace((count - number)..<count, with: [])
    }

    /// Removes a range of elements.
    ///
    /// - Precondition: The range lies within the list.
    public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
        replaceSubrange(bounds, with: [])
    }

    /// Removes the elements at several places, as SwiftUI's `onDelete` hands them over.
    ///
    /// - Precondition: Each is the place of an element.
    public func remove(atOffsets offsets: IndexSet) {
        guard let last = offsets.last else { return }
        requireElement(last)
        for range in offsets.rangeView.reversed() { replace(range, with: []) }
    }

    /// Moves the elements at several places together, as SwiftUI's `onMove` hands them over.
    ///
    /// - Parameters:
    ///   - offsets: The places; the elements keep their order among each other.
    ///   - destination: The place before which they come, counted before the move.
    /// - Precondition: Each is the place of an element, and `0 <= destination <= count`.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        guard let first = offsets.first, let last = offsets.last else { return }
        requireElement(last)
        requireRange(destination..<destination)
        let range = Swift.min(first, destination)..<Swift.max(last + 1, destination)
        let (before, behind) = (range.lowerBound..<destination, destination..<range.upperBound)
        let order =
            before.filter { !offsets.contains($0) } + Array(offsets) + behind.filter { !offsets.contains($0) }
        rearrange(range, order)
    }
}

// MARK: - Conformances

extension List: ExpressibleByArrayLiteral {
    /// Creates an unmanaged list.
    public convenience init(arrayLiteral elements: Element...) {
        self.init()
        append(objectsIn: elements)
    }
}

extension List: Hashable {
    /// Whether both are the same list of the same object, or two unmanaged lists of equal elements in the same order.
    ///
    /// - Complexity: O(*n*) for unmanaged ones.
    public static func == (left: List, right: List) -> Bool {
        left.isSame(as: right) || left.hasEqualContents(as: right)
    }

    /// Feeds the identity of the list to the hasher; unmanaged ones, whose contents may change, all have one hash.
    public func hash(into hasher: inout Hasher) { hashOwner(into: &hasher) }
}

extension List: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String {
        "List<\(Element.self)> \(isInvalidated ? "(deleted)" : "\(Array(self).map { ShownValue($0) })")"
    }
}

extension List {
    /// Reads a property of every element.
    ///
    /// - Returns: The values in order, nil as an optional; `self` gives the elements.
    /// - Precondition: The class has the property.
    /// - Complexity: O(*n*) in the count of elements.
    public func value(forKey key: String) -> [Any] {
        let values: Any? = value(forKeyPath: key)
        return values as? [Any] ?? []
    }
}
