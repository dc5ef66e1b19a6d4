import EventModel
import ObjectQueries

/// One side of a comparison that is evaluated in memory.
struct MemoryTerm {
    /// What a term leads to.
    enum Found: Equatable {
        case value(Value)
        case object(ObjectBase)

        /// Whether this is no value.
        var isObjectOrMissing: Bool {
            switch self {
            case .value(let value): value == .null
            case .object: true
            }
        }

        static func == (left: Found, right: Found) -> Bool {
            switch (left, right) {
            case (.value(let left), .value(let right)): left == right
            case (.object(let left), .object(let right)): left === right || isSameRow(left, right)
            case (.value, .object), (.object, .value): false
            }
        }

        private static func isSameRow(_ left: ObjectBase, _ right: ObjectBase) -> Bool {
            guard let left = left._core, let right = right._core else { return false }
            return left.isSameRow(as: right)
        }
    }

    private let term: QueryPredicate.Term

    init(_ term: QueryPredicate.Term) { self.term = term }

    /// The values that the term stands for: one, which may be null, or those of the elements of a collection.
    func values(of element: Any) -> [Found] {
        switch term {
        case .constant(let value): [.value(value)]
        case .object: [Self.found(element)]
        case .path(let path): Self.values(at: path.components[...], of: element).map(Self.found)
        case .aggregate(let aggregate, let path, let inner):
            [.value(Self.aggregate(aggregate, Self.elements(at: path, of: element), inner))]
        case .subqueryCount(let path, let predicate):
            [
                .value(
                    .int(
                        Int64(
                            Self.elements(at: path, of: element)
                                .count { MemoryCondition(predicate: predicate).isFulfilled(by: $0) }
                        )
                    )
                )
            ]
        case .element(let path, let places, let rest):
            Self.values(at: places[...], of: value(at: path, of: element))
                .flatMap { Self.values(at: rest.components[...], of: $0) }
                .map(Self.found)
        case .keys(let path): Self.items(of: value(at: path, of: element)).map { .value(.string($0.key)) }
        }
    }

    /// What a path leads to: several values if a collection is on the way.
    private static func values(at path: ArraySlice<String>, of value: Any?) -> [Any?] {
        guard let value = value.flatMap({ unwrapped($0) }) else { return [nil] }
        if value is any PersistedCollection || value is any LinkingObjectsProtocol {
            return items(of: value).flatMap { values(at: path, of: $0.value) }
        }
        guard let name = path.first else { return [value] }
        guard let object = value as? ObjectBase else {
            misuse("'\(name)' was asked of a value of type '\(type(of: value))', which has no properties.")
        }
        let next = object.value(forKey: name)
        // A list or dictionary that a property of any type holds is one value.
        return path.count == 1 && object.isOfAnyType(name) ? [next] : values(at: path.dropFirst(), of: next)
    }

    /// What lies at places inside a collection, or inside a value that holds one.
    private static func values(at places: ArraySlice<QueryPredicate.Subscript>, of value: Any?) -> [Any?] {
        guard let place = places.first else { return [value] }
        let items = items(of: value)
        let found: [Any?] =
            switch place {
            case .any: items.map(\.value)
            // The elements of a list have no key, and the entries of a dictionary no index.
            case .key(let key): isKeyed(value) ? items.filter { $0.key == key }.map(\.value) : []
            case .index(let index): !isKeyed(value) && items.indices.contains(index) ? [items[index].value] : []
            }
        // A place that there is not is like one that holds nothing; of any number of places none may be there.
        guard place == .any || !found.isEmpty else { return [nil] }
        return found.flatMap { values(at: places.dropFirst(), of: $0) }
    }

    /// Whether a collection, or one that a value of any type holds, has keys.
    private static func isKeyed(_ value: Any?) -> Bool {
        switch value.flatMap({ unwrapped($0) }) {
        case is any RealmKeyedCollection: true
        case let any as AnyRealmValue: any.dictionaryValue != nil
        default: false
        }
    }

    private static func elements(at path: PropertyPath, of element: Any) -> [Any] {
        items(of: value(at: path, of: element)).map(\.value)
    }

    /// The elements of a collection, also of one that a value of any type holds.
    private static func items(of value: Any?) -> [TakenValues.Item] {
        switch value.flatMap({ unwrapped($0) }) {
        case let collection as any PersistedCollection: collection.taken.items
        case let linking as any LinkingObjectsProtocol & Sequence: linking.map { TakenValues.Item(value: $0) }
        case let any as AnyRealmValue:
            switch any {
            case .list(let list): list.taken.items
            case .dictionary(let map): map.taken.items
            default: []
            }
        default: []
        }
    }

    private static func found(_ value: Any?) -> Found {
        guard let value = value.flatMap({ unwrapped($0) }) else { return .value(.null) }
        if let object = value as? ObjectBase { return .object(object) }
        if case .object(let object) = value as? AnyRealmValue { return .object(object) }
        return .value(Value(persisted: value) ?? .null)
    }

    private static func aggregate(
        _ aggregate: QueryPredicate.Aggregate,
        _ elements: [Any],
        _ path: PropertyPath
    ) -> Value {
        guard let function = Aggregate(aggregate) else { return .int(Int64(elements.count)) }
        var fold = AggregateFold(function)
        for element in elements {
            for case .value(let value) in values(at: path.components[...], of: element).map(found) {
                // Whole numbers are added as fractions, as in the database, so that no sum is too large.
                if case .int(let number) = value, function == .sum || function == .average {
                    fold.add(.double(Double(number)))
                } else {
                    fold.add(value)
                }
            }
        }
        return fold.result ?? (aggregate == .sum ? .int(0) : .null)
    }
}

extension ObjectBase {
    /// Whether a property of a name holds one value of any type.
    func isOfAnyType(_ name: String) -> Bool {
        let property = classSchema.shape.property(named: name)
        return property?.kind == .any && property?.collection == PropertyShape.Collection.none
    }
}

extension Aggregate {
    /// The function of a query; nil for the count.
    fileprivate init?(_ aggregate: QueryPredicate.Aggregate) {
        switch aggregate {
        case .count: return nil
        case .min: self = .min
        case .max: self = .max
        case .sum: self = .sum
        case .avg: self = .average
        }
    }
}
