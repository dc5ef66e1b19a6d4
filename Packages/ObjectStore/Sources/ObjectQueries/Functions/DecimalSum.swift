public import EventModel

/// Adds decimals that are given by their sortable keys.
public struct DecimalSum: Sendable {
    /// What was added so far; 0 at first.
    public private(set) var sum = Decimal128.zero
    /// How many numbers were added.
    public private(set) var count = 0

    /// Creates a sum of nothing.
    public init() {}

    /// Adds the number behind a key; anything else is left out.
    public mutating func add(key: UnsafeRawBufferPointer) {
        guard let number = QueryFunctions.decimal(key: key) else { return }
        sum += number
        count += 1
    }

    /// The mean of the numbers; nil when there is none.
    public var mean: Decimal128? {
        count == 0 ? nil : sum / Decimal128(count)
    }
}
