import EventModel

extension Change {
    private static let atomicFlag: UInt8 = 1
    private static let eventFlag: UInt8 = 2
    /// How many bytes a change begins with that are its time.
    public static let clockBytes = MemoryLayout<UInt64>.size

    /// The bytes of the change, which can be read alone: what is kept, signed, sent and shown as evidence.
    ///
    /// ```
    /// clock (8)  base  flags  [event (12)]  names  operations
    /// flags = 1 atomic | 2 has an event
    /// ```
    ///
    /// The clock is first and has a fixed width, so that correcting the time of a pending change changes 8 bytes at one
    /// place, see ``settingClock(_:in:)``. Each name of a class or property is written once. The number is not among
    /// the bytes: it is that of the row, or follows from the place in the batch.
    ///
    /// - Complexity: O(*n*) in the operations.
    public var body: [UInt8] {
        var rest = ChangeWriter()
        rest.operations(operations)
        return Self.head(base: base, clock: clock, isAtomic: isAtomic, event: event, names: rest.names) + rest.bytes
    }

    /// The bytes in front of the operations.
    static func head(
        base: Int,
        clock: HybridClock,
        isAtomic: Bool = false,
        event: ObjectId? = nil,
        names: [ExactText]
    ) -> [UInt8] {
        var head = ChangeWriter()
        head.fixed(clock.bits)
        head.count(UInt64(bitPattern: Int64(base)))
        head.byte((isAtomic ? atomicFlag : 0) | (event == nil ? 0 : eventFlag))
        event?.withUnsafeBytes { head.raw($0) }
        head.table(names)
        return head.bytes
    }

    /// Reads a change from its bytes.
    ///
    /// - Parameters:
    ///   - number: The number of the change within its file.
    ///   - body: The bytes, all of which belong to the change.
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no change, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` when they or a part of them are more than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(number: Int, body: ArraySlice<UInt8>) throws(ChangeModelError) {
        guard body.count <= ChangeLimits.changeBytes else {
            throw .tooLarge(bytes: body.count, limit: ChangeLimits.changeBytes)
        }
        var reader = ChangeReader(body)
        let clock = HybridClock(bits: try reader.fixed(UInt64.self))
        let base = try reader.integer()
        let flags = try reader.byte()
        guard flags <= Self.atomicFlag | Self.eventFlag else { throw reader.malformed("A change has no such flag.") }
        let event = flags & Self.eventFlag == 0 ? nil : try reader.objectId()
        try reader.table()
        self.init(
            number: number,
            base: base,
            clock: clock,
            isAtomic: flags & Self.atomicFlag != 0,
            event: event,
            operations: try reader.operations(limit: ChangeLimits.changeOperations)
        )
        guard reader.remaining == 0 else { throw reader.malformed("Something follows the operations.") }
    }

    /// Reads a change from its bytes.
    ///
    /// - Parameters:
    ///   - number: The number of the change within its file.
    ///   - body: The bytes, all of which belong to the change.
    /// - Throws: The errors of reading a part of an array.
    /// - Complexity: O(*n*) in the bytes.
    public init(number: Int, body: [UInt8]) throws(ChangeModelError) { try self.init(number: number, body: body[...]) }

    /// Returns the bytes of a change with another time, and reads no more of them than that.
    ///
    /// - Parameters:
    ///   - clock: The time.
    ///   - body: The bytes of a change.
    /// - Returns: The bytes of the change that differs in its time alone.
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when there are fewer bytes than a time has.
    /// - Complexity: O(*n*) in the bytes, for the copy.
    public static func settingClock(_ clock: HybridClock, in body: [UInt8]) throws(ChangeModelError) -> [UInt8] {
        guard body.count > clockBytes else { throw .malformed(offset: body.count, reason: "The bytes end early.") }
        return withUnsafeBytes(of: clock.bits.littleEndian) { Array($0) } + body[clockBytes...]
    }

    /// Returns the time of a change, and reads no more of its bytes than that.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when there are fewer bytes than a time has.
    public static func clock(in body: [UInt8]) throws(ChangeModelError) -> HybridClock {
        var reader = ChangeReader(body[...])
        return HybridClock(bits: try reader.fixed(UInt64.self))
    }
}
