public import EventModel
public import Foundation

extension Decimal128 {
    /// Creates the number from a value of any type, as `create` converts it: a number of any type, or numeric text.
    ///
    /// - Precondition: The value is one of these; use ``EventModel/Decimal128/init(string:)`` for text that may not be.
    public init(value: Any) {
        guard let converted = Self._converted(value) else {
            misuse(
                """
                A value of type '\(unwrapped(value).map { "\(type(of: $0))" } ?? "null")' is no Decimal128; give a number \
                or numeric text.
                """
            )
        }
        self = converted
    }

    /// Creates the number that a number of Foundation is; a truth value is 0 or 1.
    ///
    /// An `NSDecimalNumber` is converted digit by digit and rounded to 34 of them.
    public init(number: NSNumber) {
        self = Self._converted(number) ?? Decimal128(number.intValue)
    }
}
