public import EventModel

/// An event that came with the id of another event of its owner, and says something else.
///
/// It is stored at its place all the same, so that the events around it are: a partition is proven as a whole. Who looks at the
/// events is told, because one of the two was not made by our recorder, or was made of one that a crash left behind.
public struct EventConflict: Sendable, Hashable {
    /// Counts the conflicts of a store from 1, with gaps.
    public let number: Int64
    /// Where the event lies.
    public let address: EventAddress
    /// Whose it is.
    public let owner: EventOwner
    /// The id that both have.
    public let id: ObjectId
    /// When the later of them was received.
    public let received: EventInstant

    /// Describes a conflict.
    public init(number: Int64, address: EventAddress, owner: EventOwner, id: ObjectId, received: EventInstant) {
        self.number = number
        self.address = address
        self.owner = owner
        self.id = id
        self.received = received
    }
}
