package import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A plan without the values of its constants: plans of one shape differ in nothing else.
///
/// Programs ask the same question about one value after the other. Of a ``isPlain`` shape the SQL is made once, and each plan brings
/// the values to bind.
package struct PlanShape: Sendable {
    /// A plan of the shape.
    let plan: QueryPlan

    /// Creates the shape of a plan.
    package init(_ plan: QueryPlan) { self.plan = plan }

    /// Whether a plan's SQL can be made of another one of its shape; if not, both are equal only if their constants are, too.
    ///
    /// The types of the constants are part of the shape. Patterns and options change what a constant looks like in SQL, and nothing is
    /// equal to what is not a number.
    package var isPlain: Bool { plan.predicate.isPlain && plan.predicate.allConstants { !$0.isNaN } }

    /// The constants in the order of the text.
    package var constants: [Value] {
        var constants: [Value] = []
        _ = plan.predicate.allConstants { value in
            constants.append(value)
            return true
        }
        return constants
    }

    /// Another plan of the shape, whose constants all differ where their type has enough values.
    package var example: QueryPlan {
        var plan = plan
        var count = 0
        plan.predicate = plan.predicate.mapConstants { value in
            count += 1
            return value.example(count)
        }
        return plan
    }
}

extension PlanShape: Hashable {
    /// Whether both are the same but for the values of constants.
    package static func == (left: PlanShape, right: PlanShape) -> Bool {
        let (left, right) = (left.plan, right.plan)
        return left.className == right.className && left.source == right.source && left.sort == right.sort
            && left.distinct == right.distinct && left.limit == right.limit
            && left.predicate.hasShape(of: right.predicate)
    }

    /// Feeds the class and the kinds of conditions to the hasher: few plans of a program share these.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(plan.className)
        hasher.combine(plan.sort.count)
        plan.predicate.hashShape(into: &hasher)
    }
}

extension QueryPredicate {
    /// Whether each constant is compared as it is.
    fileprivate var isPlain: Bool {
        switch self {
        case .always, .never: true
        case .not(let part): part.isPlain
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isPlain)
        case .compare(.path, let comparison, .constant, let options, _): options.isEmpty && comparison.isPlain
        case .compare(.constant, let comparison, .path, let options, _): options.isEmpty && comparison.isPlain
        case .isIn(.path, _, let options, _): options.isEmpty
        case .isBetween(.path, _, _, _): true
        case .compare, .isIn, .isBetween, .isWithin: false
        }
    }

    /// Whether a condition is true of each constant of a plain predicate, in the order of the text; the first for which it is not ends it.
    fileprivate func allConstants(_ condition: (Value) -> Bool) -> Bool {
        switch self {
        case .always, .never, .isWithin: true
        case .not(let part): part.allConstants(condition)
        case .and(let parts), .or(let parts): parts.allSatisfy { $0.allConstants(condition) }
        case .compare(_, _, .constant(let value), _, _), .compare(.constant(let value), _, _, _, _): condition(value)
        case .compare: true
        case .isIn(_, let values, _, _): values.allSatisfy(condition)
        case .isBetween(_, let lowest, let highest, _): condition(lowest) && condition(highest)
        }
    }

    /// The predicate with other constants.
    fileprivate func mapConstants(_ other: (Value) -> Value) -> QueryPredicate {
        switch self {
        case .always, .never, .isWithin: self
        case .not(let part): .not(part.mapConstants(other))
        case .and(let parts): .and(parts.map { $0.mapConstants(other) })
        case .or(let parts): .or(parts.map { $0.mapConstants(other) })
        case .compare(let term, let comparison, .constant(let value), let options, let quantifier):
            .compare(term, comparison, .constant(other(value)), options: options, quantifier: quantifier)
        case .compare(.constant(let value), let comparison, let term, let options, let quantifier):
            .compare(.constant(other(value)), comparison, term, options: options, quantifier: quantifier)
        case .compare: self
        case .isIn(let term, let values, let options, let quantifier):
            .isIn(term, values.map(other), options: options, quantifier: quantifier)
        case .isBetween(let term, let lowest, let highest, let quantifier):
            .isBetween(term, other(lowest), other(highest), quantifier: quantifier)
        }
    }

    fileprivate func hasShape(of other: QueryPredicate) -> Bool {
        switch (self, other) {
        case (.not(let left), .not(let right)): left.hasShape(of: right)
        case (.and(let left), .and(let right)), (.or(let left), .or(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.hasShape(of: $1) }
        case (
            .compare(let left, let asked, let right, let options, let many),
            .compare(let otherLeft, let otherAsked, let otherRight, let otherOptions, let otherMany)
        ):
            asked == otherAsked && options == otherOptions && many == otherMany && left.hasShape(of: otherLeft)
                && right.hasShape(of: otherRight)
        case (
            .isIn(let term, let values, let options, let many),
            .isIn(let otherTerm, let otherValues, let otherOptions, let otherMany)
        ):
            values.count == otherValues.count && options == otherOptions && many == otherMany && term == otherTerm
                && zip(values, otherValues).allSatisfy { $0.hasType(of: $1) }
        case (
            .isBetween(let term, let lowest, let highest, let many),
            .isBetween(let otherTerm, let otherLowest, let otherHighest, let otherMany)
        ):
            many == otherMany && term == otherTerm && lowest.hasType(of: otherLowest)
                && highest.hasType(of: otherHighest)
        default: self == other
        }
    }

    fileprivate func hashShape(into hasher: inout Hasher) {
        switch self {
        case .always: hasher.combine(0)
        case .never: hasher.combine(1)
        case .not(let part):
            hasher.combine(2)
            part.hashShape(into: &hasher)
        case .and(let parts):
            hasher.combine(3)
            for part in parts { part.hashShape(into: &hasher) }
        case .or(let parts):
            hasher.combine(4)
            for part in parts { part.hashShape(into: &hasher) }
        case .compare(let left, _, let right, _, _):
            hasher.combine(5)
            left.hashPath(into: &hasher)
            right.hashPath(into: &hasher)
        case .isIn(let term, let values, _, _):
            hasher.combine(6)
            hasher.combine(values.count)
            term.hashPath(into: &hasher)
        case .isBetween(let term, _, _, _):
            hasher.combine(7)
            term.hashPath(into: &hasher)
        case .isWithin(let term, _, _):
            hasher.combine(8)
            term.hashPath(into: &hasher)
        }
    }
}

extension QueryPredicate.Term {
    fileprivate func hasShape(of other: Self) -> Bool {
        if case .constant(let left) = self, case .constant(let right) = other { return left.hasType(of: right) }
        return self == other
    }

    fileprivate func hashPath(into hasher: inout Hasher) {
        if case .path(let path) = self { hasher.combine(path.components.last) }
    }
}

extension QueryPredicate.Operator {
    /// Whether it compares two values as they are.
    fileprivate var isPlain: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        case .contains, .beginsWith, .endsWith, .like: false
        }
    }
}

extension Value {
    /// Whether both are of one type, among those that an argument can have; other values have to be equal.
    fileprivate func hasType(of other: Value) -> Bool {
        switch (self, other) {
        case (.int, .int), (.double, .double), (.string, .string), (.objectId, .objectId), (.uuid, .uuid),
            (.date, .date), (.bool, .bool), (.float, .float), (.data, .data):
            true
        default: self == other
        }
    }

    /// A value of the same type that says its number, where the type can.
    fileprivate func example(_ number: Int) -> Value {
        switch self {
        case .int: .int(Int64(number) + 2)
        case .double: .double(Double(number) + 0.5)
        case .float: .float(Float(number) + 0.5)
        case .string: .string("example \(number)")
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) + 0.5))
        case .objectId: .objectId(ObjectId(high: UInt64(number), low: 1))
        case .data: .data([UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
        default: self
        }
    }
}
