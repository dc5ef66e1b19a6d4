import EventModel
import Foundation

extension Value {
    /// Whether the value comes first when ascending: nil, then truth values, numbers, text by its bytes, and the others.
    func isOrdered(before other: Value) -> Bool {
        guard rank == other.rank else { return rank < other.rank }
        switch (self, other) {
        case (.bool(let left), .bool(let right)): return !left && right
        case (.int(let left), .int(let right)): return left < right
        case (.string(let left), .string(let right)): return left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.data(let left), .data(let right)): return left.lexicographicallyPrecedes(right)
        case (.date(let left), .date(let right)): return left < right
        case (.objectId(let left), .objectId(let right)): return left < right
        case (.uuid(let left), .uuid(let right)):
            return withUnsafeBytes(of: left.uuid) { left in
                withUnsafeBytes(of: right.uuid) { left.lexicographicallyPrecedes($0) }
            }
        default: return isSmallerNumber(than: other)
        }
    }

    private func isSmallerNumber(than other: Value) -> Bool {
        if case .decimal128(let left) = self, let right = other.decimal { return left < right }
        if case .decimal128(let right) = other, let left = decimal { return left < right }
        guard let left = double, let right = other.double else { return false }
        // What is not a number comes first, as it does behind nil.
        return left.isNaN ? !right.isNaN : left < right
    }

    private var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private var decimal: Decimal128? {
        switch self {
        case .int(let number): Decimal128(number)
        case .float(let number): Decimal128(number)
        case .double(let number): Decimal128(number)
        case .decimal128(let number): number
        default: nil
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .objectId: 6
        case .uuid: 7
        case .link, .object, .list, .dictionary: 8
        }
    }
}
