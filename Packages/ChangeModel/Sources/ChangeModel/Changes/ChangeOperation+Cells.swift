public import EventModel

extension ChangeOperation {
    /// Values by the stored names of properties, in the order of the names' bytes.
    ///
    /// An object has few properties, and formats have them in this order: to read, write and compare them takes no hashing.
    ///
    /// ```swift
    /// var cells: ChangeOperation.Cells = ["name": "Ada"]
    /// cells["age"] = 36
    /// for (name, value) in cells { … }   // age, name
    /// ```
    public struct Cells: Sendable {
        /// A name and its value.
        public typealias Element = (key: ExactText, value: CellValue)

        /// The elements, each name once and in order.
        @usableFromInline
        var elements: [Element]

        /// Creates cells without values.
        @inlinable
        public init() { elements = [] }

        /// Makes room for so many values.
        public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

        /// Takes values whose names are known to be in order.
        init(inOrder elements: [Element]) { self.elements = elements }

        /// Whether each name comes before the next one.
        static func areInOrder(_ elements: [Element]) -> Bool {
            for (left, right) in zip(elements, elements.dropFirst()) where left.key >= right.key { return false }
            return true
        }

        /// The names, in order.
        public var keys: some RandomAccessCollection<ExactText> { elements.lazy.map(\.key) }

        /// The values, in the order of their names.
        public var values: some RandomAccessCollection<CellValue> { elements.lazy.map(\.value) }

        /// The value of a property; nil where none is.
        ///
        /// - Complexity: O(log *n*) to read, and to add a name behind all others; O(*n*) to add another one.
        @inlinable
        public subscript(name: ExactText) -> CellValue? {
            get {
                let index = firstIndex(from: name)
                return index < elements.endIndex && elements[index].key == name ? elements[index].value : nil
            }
            set {
                if let newValue, elements.last.map({ $0.key < name }) ?? true {
                    // As whoever reads them in order does: an array is not asked to make room in its middle.
                    elements.append((name, newValue))
                    return
                }
                let index = firstIndex(from: name)
                let isThere = index < elements.endIndex && elements[index].key == name
                switch newValue {
                case .some(let value) where isThere: elements[index].value = value
                case .some(let value): elements.insert((name, value), at: index)
                case nil: if isThere { elements.remove(at: index) }
                }
            }
        }

        /// The index of the first name that is not before another one.
        @inlinable
        func firstIndex(from name: ExactText) -> Int {
            guard let last = elements.last, name <= last.key else { return elements.endIndex }
            var (low, high) = (elements.startIndex, elements.endIndex - 1)
            while low < high {
                let middle = (low + high) / 2
                if elements[middle].key < name { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// Returns these values with others, which count where both have a name.
        ///
        /// - Complexity: O(*n*) in both.
        public func updated(with others: Cells) -> Cells {
            guard !others.isEmpty else { return self }
            var all: [Element] = []
            all.reserveCapacity(count + others.count)
            var rest = elements[...]
            for other in others {
                while let own = rest.first, own.key < other.key { all.append(rest.removeFirst()) }
                if rest.first?.key == other.key { rest.removeFirst() }
                all.append(other)
            }
            return Cells(inOrder: all + rest)
        }

        /// Returns the values that fulfil a condition.
        @inlinable
        public func only(where isIncluded: (Element) throws -> Bool) rethrows -> Cells {
            var cells = self
            cells.elements = try elements.filter(isIncluded)
            return cells
        }
    }
}

extension ChangeOperation.Cells: RandomAccessCollection {
    /// Where the elements begin.
    @inlinable
    public var startIndex: Int { elements.startIndex }

    /// Where the elements end.
    @inlinable
    public var endIndex: Int { elements.endIndex }

    /// The element at a place in the order of the names.
    @inlinable
    public subscript(position: Int) -> Element { elements[position] }
}

extension ChangeOperation.Cells: Hashable {
    /// Compares names and values.
    public static func == (left: ChangeOperation.Cells, right: ChangeOperation.Cells) -> Bool {
        left.elements.elementsEqual(right.elements) { $0.key == $1.key && $0.value == $1.value }
    }

    /// Feeds names and values to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (name, value) in elements {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}

extension ChangeOperation.Cells: ExpressibleByDictionaryLiteral {
    /// Takes the values of a literal, of which the last counts where a name is there twice.
    public init(dictionaryLiteral elements: (ExactText, CellValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
