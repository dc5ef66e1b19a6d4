import EventModel

extension CellValue: ExpressibleByStringLiteral {
    /// Text of the program.
    public init(stringLiteral value: String) { self = .string(ExactText(value)) }
}

extension CellValue: ExpressibleByIntegerLiteral {
    /// An integer of the program.
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension CellValue: ExpressibleByBooleanLiteral {
    /// A truth value of the program.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
