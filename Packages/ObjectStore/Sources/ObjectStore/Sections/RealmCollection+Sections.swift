import ObjectQueries

// The block of a key is called again after each transaction, on whatever executor uses the sections, frozen ones on several at once: it
// must only use the element that it is given.
extension RealmCollection where Element: KeypathSortable {
    /// The elements in the order of a property and in sections of its values.
    ///
    /// - Parameters:
    ///   - keyPath: The property; it may lead through links.
    ///   - ascending: Whether small values come first.
    /// - Returns: The sections, which follow the collection.
    /// - Precondition: The property is persisted, and its values have an order.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>,
        ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The elements in an order of their own and in sections of what a key path leads to.
    ///
    /// - Parameters:
    ///   - keyPath: What makes the key of an element; it may compute it.
    ///   - sortDescriptors: The order of the elements, the most important first: the first element of each key decides the order of the
    ///     sections.
    /// - Returns: The sections, which follow the collection.
    /// - Precondition: As for `sorted(byKeyPath:ascending:)`.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>,
        sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(by: sortDescriptors)) { $0[keyPath: keyPath] }
    }

    /// The elements in an order of their own and in sections of what a block makes of them.
    ///
    /// - Parameters:
    ///   - block: Makes the key of an element, and uses nothing else: it is called on each executor that uses the sections.
    ///   - sortDescriptors: The order of the elements, the most important first: the first element of each key decides the order of the
    ///     sections.
    /// - Returns: The sections, which follow the collection.
    /// - Precondition: As for `sorted(byKeyPath:ascending:)`.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key,
        sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(by: sortDescriptors), block)
    }
}

extension RealmCollection {
    /// The values in their own order and in sections of what a block makes of them.
    ///
    /// - Parameters:
    ///   - block: Makes the key of a value, and uses nothing else: it is called on each executor that uses the sections.
    ///   - ascending: Whether small values come first.
    /// - Returns: The sections, which follow the collection.
    /// - Precondition: The elements are no objects.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key,
        ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        SectionedResults(sorted(ascending: ascending), block)
    }
}
