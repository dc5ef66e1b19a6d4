import ObjectQueries

extension _QuerySource {
    /// The elements that fulfil a condition in the language of `NSPredicate`.
    ///
    /// ```swift
    /// realm.objects(Person.self).filter("age >= %@ AND name BEGINSWITH[c] %@", 18, "b")
    /// ```
    ///
    /// - Precondition: The condition follows the grammar and names existing properties; see
    ///   ``Results/filter(parsing:_:)``.
    /// - Complexity: In an unmanaged collection O(*n*) in the count of elements, at once.
    public func filter(_ predicateFormat: String, _ arguments: Any...) -> Results<_Found> {
        _results.filtered(predicateFormat, arguments)
    }

    /// The elements that fulfil a condition that the compiler checks.
    ///
    /// - Complexity: In an unmanaged collection O(*n*) in the count of elements, at once.
    public func `where`(_ isIncluded: (Query<_Found>) -> Query<Bool>) -> Results<_Found> {
        _results.filtered(by: isIncluded(.root(in: _results.askedFile)).predicate)
    }

    // MARK: Order

    /// The elements in the order of a property; the path may lead through links to one object, `self` is the element.
    ///
    /// Nil comes first when ascending, text is ordered by its UTF-8 bytes. The order that was there before decides
    /// among equals.
    ///
    /// - Precondition: The class has the property, and its values have an order.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<_Found> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The elements in the order of several properties, the most important first.
    ///
    /// - Precondition: As for ``sorted(byKeyPath:ascending:)``.
    public func sorted<S: Sequence>(by descriptors: S) -> Results<_Found> where S.Element == SortDescriptor {
        _results.ordered(by: descriptors.map { QuerySort(PropertyPath(named: $0.keyPath), ascending: $0.ascending) })
    }

    /// The values in their own order: numbers and dates by size, text by its UTF-8 bytes, nil first when ascending.
    ///
    /// - Precondition: The elements are no objects.
    public func sorted(ascending: Bool = true) -> Results<_Found> {
        _results.ordered(by: [QuerySort(.itself, ascending: ascending)])
    }

    // MARK: Distinct

    /// The first element, in the present order, of those with the same values of the properties.
    ///
    /// - Precondition: The class has the properties, and they are single values.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<_Found> where S.Element == String {
        _results.distinguished(by: keyPaths.map(PropertyPath.init(named:)))
    }

    /// The first element of those that are equal: of values the same value, of objects the same object.
    public func distinct() -> Results<_Found> {
        _results.distinguished(by: [.itself])
    }
}

extension _QuerySource where _Found: KeypathSortable {
    /// The objects in the order of a property; see ``sorted(byKeyPath:ascending:)``.
    public func sorted<T: _Persistable>(by keyPath: KeyPath<_Found, T>, ascending: Bool = true) -> Results<_Found> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The first object, in the present order, of those with the same values of the properties.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<_Found> where S.Element == PartialKeyPath<_Found> {
        _results.distinguished(by: keyPaths.map { PropertyPath(_Found._names(of: $0)) })
    }
}

extension PropertyPath {
    /// Creates the path that a program names: `self` is the element.
    init(named text: String) {
        self.init(text == "self" || text == "SELF" ? [] : text.split(separator: ".").map(String.init))
    }
}
