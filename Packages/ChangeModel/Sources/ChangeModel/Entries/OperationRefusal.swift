/// Why the server did not do an operation.
///
/// The numbers are those of formats; a number never gets another meaning. A refusal is not an error of a session: it concerns one operation, is reported to its author and reaches nobody else.
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
}
