/// Why the server did not do an operation.
///
/// The numbers are those of formats; a number never gets another meaning. A refusal is not an error of a session: it
/// concerns one operation, is reported to its author and reaches nobody else.
public enum OperationRefusal: Sendable, Hashable {
    /// The object that was meant is deleted, or another one has its key now.
    case deleted
    /// No such object was ever known to the author, or its creation was refused.
    case missing
    /// The role may not write here; the rule's number is that of the configuration.
    case noWrite(rule: UInt32)
    /// The role may not write this property.
    case field(rule: UInt32)
    /// The object would lie in another partition.
    case outsidePartition
    /// The class, the property or the kind of value is not one of the schema.
    case schema
    /// The value, the key or the object would be larger than the limits.
    case tooLarge
    /// Another operation of an atomic change was refused.
    case atomic
    /// The object lies outside of what the session subscribes to.
    case outsideView
}

extension OperationRefusal {
    /// The number of the reason.
    public var code: UInt8 {
        switch self {
        case .deleted: 1
        case .missing: 2
        case .noWrite: 3
        case .field: 4
        case .outsidePartition: 5
        case .schema: 6
        case .tooLarge: 7
        case .atomic: 8
        case .outsideView: 9
        }
    }

    /// The number of the rule that refused; 0 where none did.
    public var rule: UInt32 {
        switch self {
        case .noWrite(let rule), .field(let rule): rule
        default: 0
        }
    }

    /// Creates a reason from its number; nil where no reason has it.
    ///
    /// - Parameters:
    ///   - code: The number of the reason.
    ///   - rule: The number of the rule; 0 where the reason has none.
    public init?(code: UInt8, rule: UInt32) {
        switch (code, rule) {
        case (1, 0): self = .deleted
        case (2, 0): self = .missing
        case (3, _): self = .noWrite(rule: rule)
        case (4, _): self = .field(rule: rule)
        case (5, 0): self = .outsidePartition
        case (6, 0): self = .schema
        case (7, 0): self = .tooLarge
        case (8, 0): self = .atomic
        case (9, 0): self = .outsideView
        default: return nil
        }
    }
}

extension OperationRefusal: CustomStringConvertible {
    /// A sentence that says why; its text may change.
    public var description: String {
        switch self {
        case .deleted: "The object was deleted."
        case .missing: "There is no such object."
        case .noWrite: "The user may not change the object."
        case .field: "The user may not change the property."
        case .outsidePartition: "The object belongs to another realm."
        case .schema: "The server's schema has no such class or property, or one of another type."
        case .tooLarge: "The value, or the realm, is too large."
        case .atomic: "Another write of the same transaction was refused."
        case .outsideView: "The object lies outside of what the user sees."
        }
    }
}
