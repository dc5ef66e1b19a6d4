import EventModel
import Foundation

/// A constant in the form in which a column has its values.
enum ScanConstant {
    case missing
    case integer(Int64)
    case number(Double)
    case text(String)

    /// Takes the constant of a comparison with a property; nil when only SQLite knows what it means.
    init?(_ constant: Value, for property: PropertyShape) {
        switch (property.kind, constant) {
        case (_, .null): self = .missing
        case (.int, .int(let number)), (.double, .int(let number)): self = .integer(number)
        case (.bool, .bool(let truth)): self = .integer(truth ? 1 : 0)
        case (.bool, .int(let number)) where number == 0 || number == 1: self = .integer(number)
        case (.int, .double(let number)), (.double, .double(let number)): self = .number(number)
        case (.int, .float(let number)), (.double, .float(let number)), (.float, .float(let number)):
            self = .number(Double(number))
        // The column holds what was left of the number when it became a Float.
        case (.float, .double(let number)): self = .number(Double(Float(number)))
        case (.float, .int(let number)): self = .number(Double(Float(number)))
        case (.date, .date(let date)): self = .number(date.timeIntervalSinceReferenceDate)
        case (.string, .string(let text)): self = .text(text)
        case (.link, .link(let reference)) where reference.className == property.targetClass:
            self = .integer(reference.key)
        default: return nil
        }
    }
}

extension PropertyShape {
    /// Whether the values are kept as integers.
    var isInteger: Bool { kind == .int || kind == .bool || kind == .link }
}
