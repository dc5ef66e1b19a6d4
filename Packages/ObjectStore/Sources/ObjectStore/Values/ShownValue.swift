import Foundation

/// A value of a property as descriptions show it.
///
/// To print an object must not end the process: where Foundation is built for Linux, the description of a date that is not a number does,
/// and objects whose values of any type lead to each other would be shown without end.
struct ShownValue: CustomStringConvertible, CustomDebugStringConvertible {
    let value: Any

    init(_ value: Any) { self.value = value }

    /// What a property holds whose type is no link: an object, a list or a dictionary there is in a property of any type.
    init(held value: Any) {
        switch value {
        case let object as Object: self.init(AnyRealmValue.object(object))
        case let list as List<AnyRealmValue>: self.init(AnyRealmValue.list(list))
        case let map as Map<String, AnyRealmValue>: self.init(AnyRealmValue.dictionary(map))
        default: self.init(value)
        }
    }

    var description: String { text { "\($0)" } }

    /// How an array shows the value as an element.
    var debugDescription: String { text { String(reflecting: $0) } }

    private func text(_ text: (Any) -> String) -> String {
        // A cast to a type looks into an optional, which is shown as one.
        if let optional = value as? any ShownOptional {
            return optional.shown.map { "Optional(\(String(reflecting: ShownValue($0))))" } ?? "nil"
        }
        if let held = value as? AnyRealmValue, let held = Self.text(of: held) { return held }
        if let date = value as? Date, date.timeIntervalSinceReferenceDate.isNaN { return "not a date" }
        return text(value)
    }

    /// A value of any type that is not shown as Swift does it; nil for the others.
    ///
    /// What it holds may lead back to the object that is shown, or be as large as the realm.
    private static func text(of held: AnyRealmValue) -> String? {
        switch held {
        case .date(let date): "date(\(ShownValue(date)))"
        case .object(let object): "object(\(object.shownName)\(object.isInvalidated ? " (deleted)" : ""))"
        case .list(let list): "list(\(list.isInvalidated ? "deleted" : "\(list.count) elements"))"
        case .dictionary(let map): "dictionary(\(map.isInvalidated ? "deleted" : "\(map.count) entries"))"
        default: nil
        }
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
