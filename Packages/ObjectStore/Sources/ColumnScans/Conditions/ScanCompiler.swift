package import EventModel
package import ObjectQueries

/// Turns plans into scans of columns, where columns answer as SQLite would.
package struct ScanCompiler {
    private let shape: ClassShape
    private let schema: QuerySchema
    /// The slots that the scan needs.
    private var slots: Set<Int> = []
    /// The forms of text that it needs, by slot.
    private var folds: [Int: Set<Int>] = [:]

    private init(_ shape: ClassShape, _ schema: QuerySchema) {
        self.shape = shape
        self.schema = schema
    }

    /// Returns the scan that answers a plan.
    ///
    /// - Parameters:
    ///   - plan: A plan that ``QueryCompiler`` accepts.
    ///   - schema: The classes.
    /// - Returns: nil where SQLite must answer, or an index lets it answer sooner.
    /// - Complexity: O(*n*) in the size of the plan.
    package static func scan(_ plan: QueryPlan, _ schema: QuerySchema) -> ColumnScan? {
        guard plan.source == .all, plan.limit == nil, let shape = schema[plan.className] else { return nil }
        var compiler = ScanCompiler(shape, schema)
        guard !compiler.isIndexed(plan.predicate), let condition = compiler.condition(plan.predicate),
            let sort = compiler.terms(plan.sort)
        else { return nil }
        var steps: [ColumnScan.Distinct] = []
        for step in plan.distinct {
            guard let order = compiler.terms(step.sort) else { return nil }
            var groups: [Int] = []
            for path in step.paths {
                guard let property = compiler.property(path), property.shape.kind != .link else { return nil }
                compiler.slots.insert(property.slot)
                groups.append(property.slot)
            }
            steps.append(ColumnScan.Distinct(slots: groups, order: order))
        }
        return ColumnScan(
            condition: condition,
            isOrderIndexed: plan.predicate == .always && plan.distinct.isEmpty
                && plan.sort.first.map { compiler.isIndexed($0.path) } ?? false,
            distinct: steps,
            order: sort,
            slots: compiler.slots,
            folds: compiler.folds.mapValues { options in options.map { QueryPredicate.Options(rawValue: $0) } }
        )
    }

    /// The slot of a path whose values are packed; nil when it leads elsewhere.
    package static func slot(_ path: PropertyPath, of shape: ClassShape, _ schema: QuerySchema) -> Int? {
        ScanCompiler(shape, schema).property(path)?.slot
    }

    // MARK: Properties

    private func property(_ path: PropertyPath) -> (slot: Int, shape: PropertyShape)? {
        guard path.components.count == 1, let property = shape.property(named: path.components[0]),
            property.collection == .none, PackedColumn(property.kind) != nil,
            let slot = shape.slot(named: property.name)
        else { return nil }
        return (slot, property)
    }

    /// Whether SQLite finds the rows by an index, which costs less than to look at each.
    private func isIndexed(_ predicate: QueryPredicate) -> Bool {
        switch predicate {
        case .always, .never, .not: false
        case .and(let parts): parts.contains(where: isIndexed)
        case .or(let parts): !parts.isEmpty && parts.allSatisfy(isIndexed)
        case .compare(.path(let path), let comparison, .constant, let options, .one):
            options.isEmpty && isIndexed(path) && comparison != .notEqual && comparison != .contains
                && comparison != .endsWith && comparison != .like
        case .compare(.constant, let comparison, .path(let path), let options, .one):
            options.isEmpty && isIndexed(path) && comparison != .notEqual
        case .isIn(.path(let path), _, let options, .one): options.isEmpty && isIndexed(path)
        case .isBetween(.path(let path), _, _, .one): isIndexed(path)
        case .compare, .isIn, .isBetween, .isWithin: false
        }
    }

    private func isIndexed(_ path: PropertyPath) -> Bool {
        guard path.components.count == 1, let property = shape.property(named: path.components[0]) else { return false }
        return schema.isIndexed(property, of: shape)
    }

    private mutating func terms(_ sorts: [QuerySort]) -> [ColumnScan.Term]? {
        var terms: [ColumnScan.Term] = []
        for sort in sorts {
            guard let property = property(sort.path), property.shape.kind != .link else { return nil }
            slots.insert(property.slot)
            terms.append(ColumnScan.Term(slot: property.slot, ascending: sort.ascending))
        }
        return terms
    }

    // MARK: Conditions

    private mutating func condition(_ predicate: QueryPredicate) -> ScanCondition? {
        switch predicate {
        case .always: return .constant(true)
        case .never: return .constant(false)
        case .not(let predicate): return condition(predicate).map { .not($0) }
        case .and(let parts): return conditions(parts).map { .and($0) }
        case .or(let parts): return conditions(parts).map { .or($0) }
        case .compare(.path(let path), let comparison, .constant(let value), let options, .one):
            return compare(path, comparison, value, options)
        case .compare(.constant(let value), let comparison, .path(let path), let options, .one):
            return comparison.flipped.flatMap { compare(path, $0, value, options) }
        case .isIn(.path(let path), let values, let options, .one): return isIn(path, values, options)
        case .isBetween(.path(let path), let lowest, let highest, .one): return isBetween(path, lowest, highest)
        case .compare, .isIn, .isBetween, .isWithin: return nil
        }
    }

    private mutating func conditions(_ parts: [QueryPredicate]) -> [ScanCondition]? {
        var conditions: [ScanCondition] = []
        for part in parts {
            guard let condition = condition(part) else { return nil }
            conditions.append(condition)
        }
        return conditions
    }

    private mutating func compare(
        _ path: PropertyPath,
        _ comparison: QueryPredicate.Operator,
        _ value: Value,
        _ options: QueryPredicate.Options
    ) -> ScanCondition? {
        guard comparison != .notEqual else { return compare(path, .equal, value, options).map { .not($0) } }
        guard let property = property(path) else { return nil }
        slots.insert(property.slot)
        let asked: ScanTest??
        switch ScanConstant(value, for: property.shape) {
        case .missing: asked = comparison == .equal ? .isMissing : nil
        case .integer(let number) where property.shape.isInteger:
            asked = ScanTest.integers(comparison, number).map { $0.map { .integer($0) } }
        case .number(let number) where property.shape.isInteger:
            asked = number.isNaN ? .some(nil) : ScanTest.integers(comparison, number).map { $0.map { .integer($0) } }
        case .integer(let number):
            asked = ScanTest.numbers(comparison, number).map { $0.map { .number($0) } }
        case .number(let number):
            asked = number.isNaN ? .some(nil) : ScanTest.numbers(comparison, number).map { $0.map { .number($0) } }
        case .text(let text): asked = TextTest(comparison, folded(text, options)).map { .text($0, options) }
        case nil: asked = nil
        }
        guard let asked else { return nil }
        return ask(property.slot, asked)
    }

    private mutating func isIn(
        _ path: PropertyPath,
        _ values: [Value],
        _ options: QueryPredicate.Options
    ) -> ScanCondition? {
        // Each one is a look at every row.
        guard values.count <= 8 else { return nil }
        var parts: [ScanCondition] = []
        for value in values {
            guard let part = compare(path, .equal, value, options) else { return nil }
            parts.append(part)
        }
        return .or(parts)
    }

    private mutating func isBetween(_ path: PropertyPath, _ lowest: Value, _ highest: Value) -> ScanCondition? {
        guard let above = compare(path, .greaterOrEqual, lowest, []),
            let below = compare(path, .lessOrEqual, highest, [])
        else { return nil }
        switch (above, below) {
        case (.test(let slot, .integer(let above)), .test(_, .integer(let below))):
            return above.lowerBound > below.upperBound
                ? .constant(false) : .test(slot, .integer(above.lowerBound...below.upperBound))
        case (.test(let slot, .number(let above)), .test(_, .number(let below))):
            return above.lowerBound > below.upperBound
                ? .constant(false) : .test(slot, .number(above.lowerBound...below.upperBound))
        default: return .and([above, below])
        }
    }

    private mutating func ask(_ slot: Int, _ test: ScanTest?) -> ScanCondition {
        guard let test else { return .constant(false) }
        if case .text(_, let options) = test, !options.isEmpty { folds[slot, default: []].insert(options.rawValue) }
        return .test(slot, test)
    }

    private func folded(_ text: String, _ options: QueryPredicate.Options) -> [UInt8] {
        Array((options.isEmpty ? text : QueryFunctions.fold(text, options)).utf8)
    }
}

extension TextTest {
    /// What a comparison with a constant asks; nil for a pattern.
    init?(_ comparison: QueryPredicate.Operator, _ text: [UInt8]) {
        switch comparison {
        case .equal: self = .isOne(of: [text])
        case .less: self = .isBefore(text, orEqual: false)
        case .lessOrEqual: self = .isBefore(text, orEqual: true)
        case .greater: self = .isBehind(text, orEqual: false)
        case .greaterOrEqual: self = .isBehind(text, orEqual: true)
        case .contains: self = .contains(text)
        case .beginsWith: self = .begins(text)
        case .endsWith: self = .ends(text)
        case .notEqual, .like: return nil
        }
    }
}
