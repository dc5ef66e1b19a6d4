import ObjectQueries

extension List where Element: Object {
    /// The elements that fulfil a condition in the language of `NSPredicate`; see ``Results/filter(_:_:)``.
    ///
    /// - Precondition: The list is managed.
    public func filter(_ predicateFormat: String, _ arguments: Any...) -> Results<Element> {
        do {
            return try results.filter(parsing: predicateFormat, arguments)
        } catch {
            misuse("The predicate cannot be used: \(error)")
        }
    }

    /// The elements that fulfil a condition.
    ///
    /// - Precondition: The list is managed.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        results.where(isIncluded)
    }

    /// The elements in the order of a property.
    ///
    /// - Precondition: The list is managed.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        results.sorted(byKeyPath: keyPath, ascending: ascending)
    }

    /// The elements in the order of a property.
    ///
    /// - Precondition: The list is managed.
    public func sorted<T: _Persistable>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element> {
        results.sorted(by: keyPath, ascending: ascending)
    }

    private var results: Results<Element> {
        guard let source = querySource else {
            misuse("A list was queried that belongs to an unmanaged object; add the object to a realm first.")
        }
        let table = source.realm.requireTable(Element.self)
        let plan = QueryPlan(
            table.schema.name,
            source: .elements(owner: source.owner, key: source.key, property: source.property)
        )
        return Results(ResultState(source.realm, table, plan))
    }
}
