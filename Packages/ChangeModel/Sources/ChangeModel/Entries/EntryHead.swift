public import EventModel

/// What an entry says of itself in front of its operations, read without them.
public struct EntryHead: Sendable, Hashable {
    /// How many bytes of an entry hold its head at most.
    public static let longestBytes = 56

    /// The number in the server's order.
    public let number: Int
    /// Which change of which file it is.
    public let change: ChangeReference
    /// The number of the user in the realm.
    public let user: UInt32
    /// The time under which the change was taken.
    public let clock: HybridClock
    /// When the server took it.
    public let received: EventInstant

    /// Reads the head of an entry.
    ///
    /// - Parameter bytes: The entry, or as many bytes of its beginning as ``longestBytes``.
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are the beginning of no entry.
    public init(of bytes: [UInt8]) throws(ChangeModelError) {
        var reader = ChangeReader(bytes[...])
        self = try reader.entryHead()
    }
}

extension EntryHead {
    fileprivate init(
        number: Int,
        change: ChangeReference,
        user: UInt32,
        clock: HybridClock,
        received: EventInstant
    ) {
        self.number = number
        self.change = change
        self.user = user
        self.clock = clock
        self.received = received
    }
}

extension ChangeReader {
    /// Reads what stands in front of the names of an entry.
    mutating func entryHead() throws(ChangeModelError) -> EntryHead {
        let number = try integer()
        let file = try number32()
        return EntryHead(
            number: number,
            change: ChangeReference(file: file, number: try integer()),
            user: try number32(),
            clock: HybridClock(bits: try fixed(UInt64.self)),
            received: EventInstant(microseconds: try fixed(Int64.self))
        )
    }
}
