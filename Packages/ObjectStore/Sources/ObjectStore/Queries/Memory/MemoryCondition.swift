import EventModel
import Geospatial
import ObjectQueries

/// A condition that is evaluated in memory, on the elements of a collection that no realm manages.
///
/// It finds what the compiled query would find if the elements were in a realm: a comparison with a missing value is
/// false, and its negation is true.
struct MemoryCondition {
    let predicate: QueryPredicate

    /// Whether an element fulfils the condition.
    ///
    /// - Complexity: O(*n*) in the size of the condition and of the collections that it leads through.
    func isFulfilled(by element: Any) -> Bool {
        switch predicate {
        case .always: true
        case .never: false
        case .not(let negated): !MemoryCondition(predicate: negated).isFulfilled(by: element)
        case .and(let parts): parts.allSatisfy { MemoryCondition(predicate: $0).isFulfilled(by: element) }
        case .or(let parts): parts.contains { MemoryCondition(predicate: $0).isFulfilled(by: element) }
        case .compare(let left, let comparison, let right, let options, _):
            compare(left, comparison, right, options, element)
        case .isIn(let term, let values, let options, _):
            MemoryTerm(term).values(of: element)
                .contains { found in
                    values.contains { MemoryComparison(.equal, options).holds(found, .value($0)) }
                }
        case .isWithin(let term, let region, _):
            MemoryTerm(term).values(of: element)
                .contains { found in
                    guard case .object(let object) = found else { return false }
                    return GeoArea(region).contains(object)
                }
        case .isBetween(let term, let lowest, let highest, _):
            MemoryTerm(term).values(of: element)
                .contains { found in
                    MemoryComparison(.greaterOrEqual, []).holds(found, .value(lowest))
                        && MemoryComparison(.lessOrEqual, []).holds(found, .value(highest))
                }
        }
    }

    private func compare(
        _ left: QueryPredicate.Term,
        _ comparison: QueryPredicate.Operator,
        _ right: QueryPredicate.Term,
        _ options: QueryPredicate.Options,
        _ element: Any
    ) -> Bool {
        if case .constant = left, let flipped = comparison.flipped {
            return compare(right, flipped, left, options, element)
        }
        let whole = MemoryTerm(left).values(of: element)
        if case .path(let path) = left, case .constant(.dictionary(let members)) = right,
            whole.allSatisfy(\.isObjectOrMissing)
        {
            let isEqual =
                whole.contains { $0 != .value(.null) }
                && members.allSatisfy { name, value in
                    compare(.path(path.appending(name)), .equal, .constant(value), [], element)
                }
            return isEqual == (comparison == .equal)
        }
        let comparison = MemoryComparison(comparison, options)
        let others = MemoryTerm(right).values(of: element)
        return
            whole
            .contains { found in others.contains { comparison.holds(found, $0) } }
    }
}

extension QueryPredicate {
    /// Checks the condition as the compiler would for managed objects.
    ///
    /// - Throws: ``QueryError`` when it names what the class does not have, or compares what cannot be compared.
    func check(on type: ObjectBase.Type) throws {
        let schema = try RealmSchema(reachableFrom: type)
        _ = try CompiledQueries.of(schema.queries).query(QueryPlan(ClassSchema.of(type).name, predicate: self))
    }
}

extension RealmSchema {
    /// Collects a class and those that its properties lead to.
    fileprivate init(reachableFrom type: ObjectBase.Type) throws(Realm.Error) {
        var classes: [ClassSchema] = []
        var seen: Set<ObjectIdentifier> = []
        var waiting = [type]
        while let next = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            let schema = try ClassSchema.of(next)
            classes.append(schema)
            waiting += schema.properties.compactMap(\.type.target) + schema.origins.map(\.target)
        }
        self.init(checked: classes)
    }
}
