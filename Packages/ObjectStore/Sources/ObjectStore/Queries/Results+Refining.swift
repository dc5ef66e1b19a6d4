import EventModel
import ObjectQueries

extension Results {
    /// The elements that also fulfil a condition that comes from outside of the program.
    ///
    /// - Throws: ``Realm/Error`` with `.invalidInput` when the condition does not follow the grammar, or names what the
    ///   class does not have.
    public func filter(parsing predicateFormat: String, _ arguments: [Any] = []) throws -> Results<Element> {
        do {
            let file = askedFile
            let predicate = try PredicateParser { Value(object: $0, in: file) }
                .parse(predicateFormat, arguments: arguments)
            guard let state else { return try rememberedElements(with: predicate) }
            let plan = narrowed(state.plan, predicate)
            try state.check(state.core.compiledQueries.query(plan).prepared.query)
            return refined(plan)
        } catch let error as Realm.Error {
            throw error
        } catch {
            throw Realm.Error(.invalidInput, "\(error)")
        }
    }

    /// The file that is asked; nil for the elements of an unmanaged collection.
    var askedFile: ObjectIdentifier? { state.map { ObjectIdentifier($0.core.file) } }

    /// The elements that also fulfil a condition of the program's own.
    func filtered(_ predicateFormat: String, _ arguments: [Any]) -> Results<Element> {
        do {
            return try filter(parsing: predicateFormat, arguments)
        } catch {
            misuse("The predicate cannot be used: \(error)")
        }
    }

    /// The elements that also fulfil a condition.
    func filtered(by predicate: QueryPredicate) -> Results<Element> {
        guard let state else {
            switch Result(catching: { try rememberedElements(with: predicate) }) {
            case .success(let found): return found
            case .failure(let error): misuse("The condition cannot be used: \(error)")
            }
        }
        return refined(narrowed(state.plan, predicate))
    }

    /// The elements of an unmanaged collection that fulfil a condition.
    private func rememberedElements(with predicate: QueryPredicate) throws -> Results<Element> {
        if let type = Element.self as? ObjectBase.Type { try predicate.check(on: type) }
        let condition = MemoryCondition(predicate: predicate)
        return Results(memory: memory.filter(condition.isFulfilled))
    }

    /// The elements in the order of paths; the order that was there before decides among equals.
    func ordered(by sort: [QuerySort]) -> Results<Element> {
        guard let state else { return Results(memory: memory.sorted(by: sort)) }
        var plan = state.plan
        plan.sort = sort + plan.sort
        return refined(plan)
    }

    /// The first element of each group that has the same values.
    func distinguished(by paths: [PropertyPath]) -> Results<Element> {
        guard let state else { return Results(memory: memory.distinct(by: paths)) }
        guard !paths.isEmpty else { return self }
        var plan = state.plan
        plan.distinct.append(QueryDistinct(paths, sort: plan.sort))
        return refined(plan)
    }

    /// The same elements under another plan.
    func refined(_ plan: QueryPlan) -> Results<Element> {
        switch content {
        case .objects(let state): Results(ObjectResultState(state.core, state.table, plan, parent: state.parent))
        case .values(let state): Results(ValueResultState(state.owner, state.slot, plan))
        case .memory: self
        }
    }

    private func narrowed(_ plan: QueryPlan, _ predicate: QueryPredicate) -> QueryPlan {
        var plan = plan
        plan.predicate = plan.predicate == .always ? predicate : plan.predicate && predicate
        return plan
    }
}

extension Value {
    /// Converts a value of a model; nil when it cannot be part of a condition.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - file: The file that is asked: an object of another one equals none of its own. Nil where every object counts.
    init?(persisted value: Any, in file: ObjectIdentifier? = nil) {
        self.init(predicateArgument: value) { Value(object: $0, in: file) }
    }

    /// Converts the types of models that queries do not know: objects, and what stands for another value.
    init?(object value: Any, in file: ObjectIdentifier?) {
        switch value {
        case let value as any PersistableEnum:
            self.init(predicateArgument: value.rawValue)
        case let value as AnyRealmValue:
            self.init(persisted: value.bare as Any, in: file)
        case let map as Map<String, AnyRealmValue>:
            var entries: [String: Value] = [:]
            for (key, value) in map.entries {
                guard let entry = Value(persisted: value, in: file) else { return nil }
                entries[key] = entry
            }
            self = .dictionary(entries)
        case let value as any FailableCustomPersistable:
            self.init(persisted: value.persistableValue, in: file)
        case let object as ObjectBase:
            guard let core = object._core else {
                let schema = Result { () throws(Realm.Error) in try ClassSchema.of(type(of: object)) }
                guard case .success(let schema) = schema else { return nil }
                self = .object(schema.blank)
                return
            }
            let schema = core.table.schema
            if let file, let realm = core.realmReference, ObjectIdentifier(realm.takeUnretainedValue().file) != file {
                // Rows have the same numbers in every file.
                self = .object(schema.blank)
            } else {
                self = .link(ObjectReference(className: schema.name, key: core.key))
            }
        default: return nil
        }
    }
}
