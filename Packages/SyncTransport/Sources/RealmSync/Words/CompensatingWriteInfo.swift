public import ChangeModel
import EventModel

/// An object of which a write was undone, and why.
public struct CompensatingWriteInfo: Sendable, Hashable {
    /// The stored name of the class.
    public let objectType: String
    /// The primary key.
    public let primaryKey: PrimaryKey
    /// Why, in a sentence; the text may change.
    public let reason: String

    init(_ write: Integrated.RejectedWrite) {
        objectType = write.object.className.string
        primaryKey = write.object.key
        reason = write.reason.description
    }
}
