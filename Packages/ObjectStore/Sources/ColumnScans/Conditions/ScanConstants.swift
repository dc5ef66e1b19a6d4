import EventModel
import Foundation
import ObjectQueries

// A comparison with a constant is a range of the values that the column can have: SQLite compares integers with fractions exactly, and
// so must the range be.

extension ScanTest {
    /// The integers that compare with a number as asked; nil when the operator orders nothing.
    static func integers(_ comparison: QueryPredicate.Operator, _ number: Double) -> ClosedRange<Int64>?? {
        guard let below = whole(number.rounded(.down)), let above = whole(number.rounded(.up)) else {
            // Beyond all integers.
            let isAbove = number > 0
            switch comparison {
            case .less, .lessOrEqual: return .some(isAbove ? Int64.min...Int64.max : nil)
            case .greater, .greaterOrEqual: return .some(isAbove ? nil : Int64.min...Int64.max)
            case .equal: return .some(nil)
            default: return nil
            }
        }
        switch comparison {
        case .equal: return .some(below == above ? below...below : nil)
        case .less where below == above: return integers(.less, below)
        case .less, .lessOrEqual: return integers(.lessOrEqual, below)
        case .greater where below == above: return integers(.greater, below)
        case .greater, .greaterOrEqual: return integers(.greaterOrEqual, above)
        default: return nil
        }
    }

    /// The integers that compare with another one as asked; nil when the operator orders nothing.
    static func integers(_ comparison: QueryPredicate.Operator, _ number: Int64) -> ClosedRange<Int64>?? {
        switch comparison {
        case .equal: number...number
        case .less: .some(number == .min ? nil : Int64.min...(number - 1))
        case .lessOrEqual: Int64.min...number
        case .greater: .some(number == .max ? nil : (number + 1)...Int64.max)
        case .greaterOrEqual: number...Int64.max
        default: nil
        }
    }

    /// The numbers that compare with another one as asked; nil when the operator orders nothing.
    static func numbers(_ comparison: QueryPredicate.Operator, _ number: Double) -> ClosedRange<Double>?? {
        switch comparison {
        case .equal: number...number
        case .less: .some(number == -.infinity ? nil : (-.infinity)...number.nextDown)
        case .lessOrEqual: (-.infinity)...number
        case .greater: .some(number == .infinity ? nil : number.nextUp...(.infinity))
        case .greaterOrEqual: number...(.infinity)
        default: nil
        }
    }

    /// The numbers that compare with an integer as asked; nil when the operator orders nothing.
    static func numbers(_ comparison: QueryPredicate.Operator, _ number: Int64) -> ClosedRange<Double>?? {
        let near = Double(number)
        if whole(near) == number { return numbers(comparison, near) }
        // No number is equal to it: the nearest one lies below or above.
        let isAbove = whole(near).map { $0 > number } ?? (near > 0)
        let below = isAbove ? near.nextDown : near
        let above = isAbove ? near : near.nextUp
        switch comparison {
        case .equal: return .some(nil)
        case .less, .lessOrEqual: return numbers(.lessOrEqual, below)
        case .greater, .greaterOrEqual: return numbers(.greaterOrEqual, above)
        default: return nil
        }
    }

    private static func whole(_ number: Double) -> Int64? { Int64(exactly: number) }
}
