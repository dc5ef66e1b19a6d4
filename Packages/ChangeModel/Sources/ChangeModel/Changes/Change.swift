public import EventModel

/// One local commit of a file, as it is sent: net operations on cells, in an order in which they can be done.
///
/// A creation and a deletion of one object in one commit are gone from it; a deletion and a creation stay a pair.
///
/// ```swift
/// let person = ObjectAddress("Person", .int(1))
/// Change(number: 1, base: 0, clock: clock, operations: [ChangeOperation(person, .set("name", .string("Tony")))])
/// ```
public struct Change: Sendable, Hashable {
    /// The number of the change within its file: 1, 2, 3 and so on, without gaps.
    public let number: Int
    /// The position of the file at the commit: the last number of the server that it had integrated; 0 for none.
    public let base: Int
    /// When the change was made; greater than that of every change of the file before it.
    public let clock: HybridClock
    /// Whether all operations are refused when one is.
    public let isAtomic: Bool
    /// The event that recorded the commit, if one did.
    public let event: ObjectId?
    /// What was done, in order; an operation's place here is its index in stamps and refusals.
    public let operations: [ChangeOperation]

    /// Creates a change.
    public init(
        number: Int,
        base: Int,
        clock: HybridClock,
        isAtomic: Bool = false,
        event: ObjectId? = nil,
        operations: [ChangeOperation]
    ) {
        self.number = number
        self.base = base
        self.clock = clock
        self.isAtomic = isAtomic
        self.event = event
        self.operations = operations
    }
}
