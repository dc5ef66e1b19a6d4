import EventModel

/// What is computed from the values of many elements; missing values are left out.
enum Aggregate: String {
    case min
    case max
    case sum
    case average = "avg"

    /// Whether values of a type can be computed with.
    func accepts(_ kind: PropertyShape.Kind) -> Bool {
        switch kind {
        case .int, .float, .double, .decimal128, .any: true
        case .date: self == .min || self == .max
        case .bool, .string, .data, .objectId, .uuid, .link, .embedded: false
        }
    }
}

/// Computes an aggregate one value after the other, where the database has no function for it.
///
/// Values that are neither numbers nor dates are left out, as is what is not a number.
struct AggregateFold {
    private let aggregate: Aggregate
    private var best: Value?
    private var count: Int64 = 0
    private var integers: Int64 = 0
    private var fractions: Double?
    private var decimals: Decimal128?

    init(_ aggregate: Aggregate) {
        self.aggregate = aggregate
    }

    mutating func add(_ value: Value) {
        switch value {
        case .int, .date: break
        case .float(let number) where !number.isNaN: break
        case .double(let number) where !number.isNaN: break
        case .decimal128(let number) where !number.isNaN: break
        default: return
        }
        switch aggregate {
        case .min: if best.map({ value.isOrdered(before: $0) }) ?? true { best = value }
        case .max: if best.map({ $0.isOrdered(before: value) }) ?? true { best = value }
        case .sum, .average: addUp(value)
        }
    }

    private mutating func addUp(_ value: Value) {
        count += 1
        switch value {
        case .int(let number): integers &+= number
        case .float(let number): fractions = (fractions ?? 0) + Double(number)
        case .double(let number): fractions = (fractions ?? 0) + number
        case .decimal128(let number): decimals = (decimals ?? 0) + number
        default: count -= 1
        }
    }

    /// The sum in the widest type that was added.
    private var sum: Value {
        if let decimals {
            return .decimal128(decimals + Decimal128(integers) + (fractions.map { Decimal128($0) } ?? 0))
        }
        return fractions.map { .double($0 + Double(integers)) } ?? .int(integers)
    }

    /// The result; nil when no value was added.
    var result: Value? {
        switch aggregate {
        case .min, .max: return best
        case .sum: return count == 0 ? nil : sum
        case .average:
            guard count > 0 else { return nil }
            return switch sum {
            case .decimal128(let sum): .decimal128(sum / Decimal128(count))
            case .double(let sum): .double(sum / Double(count))
            case .int(let sum): .double(Double(sum) / Double(count))
            default: nil
            }
        }
    }
}

extension _ScalarValue {
    /// Takes the result of an aggregate; integers that do not fit wrap around, as those of the database do.
    static func aggregated(_ value: Value) -> Self? {
        switch value {
        case .int(let number):
            guard let type = self as? any _IntegerValue.Type else { return _converted(number) }
            return type.wrapping(number) as? Self
        case .float(let number): return _converted(number)
        case .double(let number):
            guard let type = self as? any _IntegerValue.Type else { return _converted(number) }
            return Int64(exactly: number.rounded(.towardZero)).flatMap { type.wrapping($0) as? Self }
        case .decimal128(let number): return _converted(number) ?? aggregated(.double(number.doubleValue))
        case .date(let date): return _converted(date)
        default: return nil
        }
    }
}

extension _IntegerValue {
    fileprivate static func wrapping(_ number: Int64) -> Self { Self(truncatingIfNeeded: number) }
}
