import Foundation

/// A value of a property as descriptions show it.
///
/// Dates are the reason: where Foundation is built for Linux, the description of one that is not a number ends the process, and to
/// print an object must not.
struct ShownValue: CustomStringConvertible, CustomDebugStringConvertible {
    let value: Any

    init(_ value: Any) { self.value = value }

    var description: String { text { "\($0)" } }

    /// How an array shows the value as an element.
    var debugDescription: String { text { String(reflecting: $0) } }

    private func text(_ text: (Any) -> String) -> String {
        // A cast to a type looks into an optional, which is shown as one.
        if let optional = value as? any ShownOptional {
            return optional.shown.map { "Optional(\(String(reflecting: ShownValue($0))))" } ?? "nil"
        }
        if case .date(let date) = value as? AnyRealmValue { return "date(\(ShownValue(date)))" }
        if let date = value as? Date, date.timeIntervalSinceReferenceDate.isNaN { return "not a date" }
        return text(value)
    }
}

/// Any optional, whatever it wraps.
private protocol ShownOptional {
    var shown: Any? { get }
}

extension Optional: ShownOptional {
    fileprivate var shown: Any? {
        guard case .some(let wrapped) = self else { return nil }
        return wrapped
    }
}
