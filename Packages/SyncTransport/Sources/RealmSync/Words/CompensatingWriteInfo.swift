public import ChangeModel
import EventModel

/// An object of which a write was undone, and why.
public struct CompensatingWriteInfo: Sendable, Hashable {
    /// The stored name of the class.
    public let objectType: String
    /// The primary key, as the protocol has it; with the object store it is there as a value of a model, too.
    public let key: PrimaryKey
    /// Why, in a sentence; the text may change.
    public let reason: String

    init(_ write: Integrated.RejectedWrite) {
        objectType = write.object.className.string
        key = write.object.key
        reason = write.reason.description
    }
}
