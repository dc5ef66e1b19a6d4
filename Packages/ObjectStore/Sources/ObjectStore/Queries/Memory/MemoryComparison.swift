import EventModel
import Foundation
import ObjectQueries

/// A comparison of two values in memory, with the meaning that it has in the database.
struct MemoryComparison {
    private let comparison: QueryPredicate.Operator
    private let options: QueryPredicate.Options

    init(_ comparison: QueryPredicate.Operator, _ options: QueryPredicate.Options) {
        self.comparison = comparison
        self.options = options
    }

    /// Whether it is true of two values.
    func holds(_ left: MemoryTerm.Found, _ right: MemoryTerm.Found) -> Bool {
        guard case .value(let first) = left, case .value(let second) = right else {
            return holdsForObjects(left, right)
        }
        switch comparison {
        case .equal: return isEqual(first, second)
        case .notEqual: return !isEqual(first, second)
        case .less: return isOrdered(first, second)
        case .lessOrEqual: return isOrdered(first, second) || isEqualNumber(first, second)
        case .greater: return isOrdered(second, first)
        case .greaterOrEqual: return isOrdered(second, first) || isEqualNumber(first, second)
        case .contains, .beginsWith, .endsWith, .like: return matches(first, second)
        }
    }

    private func holdsForObjects(_ left: MemoryTerm.Found, _ right: MemoryTerm.Found) -> Bool {
        let isSame =
            switch (left, right) {
            case (.object(let object), .value(.link(let reference))),
                (.value(.link(let reference)), .object(let object)):
                object._core.map { $0.key == reference.key && $0.table.schema.name == reference.className } ?? false
            default: left == right
            }
        return comparison == .equal ? isSame : comparison == .notEqual && !isSame
    }

    // MARK: Equality and order

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)):
            let (left, right) = (QueryFunctions.fold(left, options), QueryFunctions.fold(right, options))
            return left.utf8.elementsEqual(right.utf8)
        case (.list(let left), .list(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(isSameInside)
        case (.dictionary(let left), .dictionary(let right)):
            return left.count == right.count
                && left.allSatisfy { key, value in right[key].map { isSameInside(value, $0) } ?? false }
        case (.bool(let truth), .int(let number)), (.int(let number), .bool(let truth)):
            return number == (truth ? 1 : 0)
        default:
            return left.number == nil ? left == right : isEqualNumber(left, right)
        }
    }

    /// Whether two values inside lists or dictionaries are equal: a truth value is no number there.
    private func isSameInside(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.bool, .int), (.int, .bool): false
        default: isEqual(left, right)
        }
    }

    /// Whether both are values with an order, of the same kind, and neither comes first.
    private func isEqualNumber(_ left: Value, _ right: Value) -> Bool {
        guard let (left, right) = left.aligned(with: right) else { return false }
        return !left.isOrdered(before: right) && !right.isOrdered(before: left)
    }

    private func isOrdered(_ left: Value, _ right: Value) -> Bool {
        guard let (left, right) = left.aligned(with: right) else { return false }
        return left.isOrdered(before: right)
    }

    // MARK: Text and data

    private func matches(_ value: Value, _ pattern: Value) -> Bool {
        switch (value, pattern) {
        case (.string(let text), .string(let pattern)):
            let (text, pattern) = (QueryFunctions.fold(text, options), QueryFunctions.fold(pattern, options))
            if comparison == .like { return QueryFunctions.isLike(text, pattern: pattern) }
            return matches(Array(text.utf8), Array(pattern.utf8))
        case (.data(let bytes), .data(let pattern)): return matches(bytes, pattern)
        default: return false
        }
    }

    private func matches(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
        switch comparison {
        case .contains: bytes.firstRange(of: pattern) != nil || pattern.isEmpty
        case .beginsWith: bytes.starts(with: pattern)
        default: bytes.reversed().starts(with: pattern.reversed())
        }
    }
}

extension Value {
    /// The number as a double; nil for other values.
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal128(let number): number.doubleValue
        default: nil
        }
    }

    /// Both values in a form that can be compared; nil when they are of different kinds, have no order, or are no number.
    fileprivate func aligned(with other: Value) -> (Value, Value)? {
        if let first = number, let second = other.number {
            guard !first.isNaN, !second.isNaN else { return nil }
            switch (self, other) {
            // A property of 32 bits holds what was left of the number when it became a Float.
            case (.float, .int), (.float, .double): return (self, .float(Float(second)))
            case (.int, .float), (.double, .float): return (.float(Float(first)), other)
            default: return (self, other)
            }
        }
        switch (self, other) {
        case (.date(let left), .date(let right)):
            let isNumber =
                !left.timeIntervalSinceReferenceDate.isNaN && !right.timeIntervalSinceReferenceDate.isNaN
            return isNumber ? (self, other) : nil
        case (.string, .string), (.objectId, .objectId), (.uuid, .uuid): return (self, other)
        default: return nil
        }
    }
}
