import EventModel

extension Change {
    private static let atomicFlag: UInt8 = 1
    private static let eventFlag: UInt8 = 2

    /// Returns the bytes of the change behind another one of the same batch.
    ///
    /// - Parameters:
    ///   - before: The change before it; nil for the first one.
    ///   - names: The names that have numbers in the batch; those that are new are added.
    /// - Returns: The bytes, without their length.
    func encoded(after before: Change?, _ names: inout [ExactText: Int]) -> [UInt8] {
        var body = ChangeWriter(numbers: names)
        body.operations(operations)
        names = body.names
        var head = ChangeWriter()
        head.signed(Int64(base) &- Int64(before?.base ?? 0))
        head.signed(Int64(bitPattern: clock.bits &- (before?.clock.bits ?? 0)))
        head.byte((isAtomic ? Self.atomicFlag : 0) | (event == nil ? 0 : Self.eventFlag))
        event?.withUnsafeBytes { head.raw($0) }
        head.count(body.newNames.count)
        for name in body.newNames { head.text(name) }
        return head.bytes + body.bytes
    }

    /// Reads a change behind another one of the same batch.
    init(
        _ bytes: ArraySlice<UInt8>,
        number: Int,
        after before: Change?,
        _ names: inout [ExactText]
    ) throws(ChangeModelError) {
        var reader = ChangeReader(bytes, names: names)
        let base = Int64(before?.base ?? 0) &+ (try reader.signed())
        let clock = (before?.clock.bits ?? 0) &+ UInt64(bitPattern: try reader.signed())
        let flags = try reader.byte()
        guard flags <= Self.atomicFlag | Self.eventFlag else { throw reader.malformed("A change has no such flag.") }
        let event = flags & Self.eventFlag == 0 ? nil : try reader.objectId()
        try reader.newNames()
        self.init(
            number: number,
            base: Int(base),
            clock: HybridClock(bits: clock),
            isAtomic: flags & Self.atomicFlag != 0,
            event: event,
            operations: try reader.operations()
        )
        guard reader.remaining == 0 else { throw reader.malformed("Something follows the operations.") }
        names = reader.names
    }
}
