import EventModel
import ObjectQueries

extension Results {
    /// The objects that also fulfil a condition in the language of `NSPredicate`.
    ///
    /// ```swift
    /// realm.objects(Person.self).filter("age >= %@ AND name BEGINSWITH[c] %@", 18, "b")
    /// ```
    ///
    /// - Precondition: The condition follows the grammar and names existing properties; see ``filter(parsing:_:)``.
    public func filter(_ predicateFormat: String, _ arguments: Any...) -> Results<Element> {
        do {
            return try filter(parsing: predicateFormat, arguments)
        } catch {
            misuse("The predicate cannot be used: \(error)")
        }
    }

    /// The objects that also fulfil a condition that comes from outside of the program.
    ///
    /// - Throws: ``Realm/Error`` with `.invalidInput` when the condition does not follow the grammar, or names what the
    ///   class does not have.
    public func filter(parsing predicateFormat: String, _ arguments: [Any] = []) throws -> Results<Element> {
        do throws(QueryError) {
            let predicate = try PredicateParser(convert: Value.init(persisted:))
                .parse(predicateFormat, arguments: arguments)
            var plan = state.plan
            plan.predicate = plan.predicate == .always ? predicate : plan.predicate && predicate
            _ = try QueryCompiler(schema: state.core.schema.queries).compile(plan)
            return refined(plan)
        } catch {
            throw Realm.Error(.invalidInput, "\(error)")
        }
    }

    /// The objects in the order of a property; the path may lead through links to one object.
    ///
    /// Nil comes first when ascending, text is ordered by its UTF-8 bytes. The order that was there before decides
    /// among equals.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The objects in the order of a property.
    public func sorted<T: _Persistable>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The objects in the order of several properties, the most important first.
    public func sorted<S: Sequence>(by descriptors: S) -> Results<Element> where S.Element == SortDescriptor {
        var plan = state.plan
        plan.sort =
            descriptors.map { QuerySort(PropertyPath(dotted: $0.keyPath), ascending: $0.ascending) } + plan.sort
        return refined(plan)
    }

    func refined(_ plan: QueryPlan) -> Results<Element> {
        Results(ResultState(state.core, state.table, plan))
    }
}

extension Value {
    /// Converts the types of models that queries do not know: enumerations and managed objects.
    init?(persisted value: Any) {
        switch value {
        case let value as any PersistableEnum:
            self.init(predicateArgument: value.rawValue)
        case let object as ObjectBase:
            guard let core = object._core else { return nil }
            self = .link(ObjectReference(className: core.table.schema.name, key: core.key))
        default: return nil
        }
    }
}
