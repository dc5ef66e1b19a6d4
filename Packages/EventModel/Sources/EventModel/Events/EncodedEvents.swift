/// Several canonically encoded events, one behind the other in one allocation.
public struct EncodedEvents: Sendable, Hashable {
    /// All encodings, one behind the other.
    public private(set) var bytes: [UInt8]
    /// Where each encoding ends in ``bytes``.
    public private(set) var ends: [Int]

    /// Creates a row of no events.
    public init() {
        bytes = []
        ends = []
    }

    /// Encodes events.
    public init(_ events: some Sequence<AuditEvent>) {
        self.init()
        for event in events { append(event) }
    }

    /// How many events there are.
    public var count: Int { ends.count }

    /// Whether there are none.
    public var isEmpty: Bool { ends.isEmpty }

    /// Where the encoding of an event lies in ``bytes``.
    public func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// Encodes one more event.
    public mutating func append(_ event: AuditEvent) {
        event.encode(into: &bytes)
        ends.append(bytes.count)
    }

    /// Takes over one encoding that was made elsewhere.
    public mutating func append(encoded event: some Sequence<UInt8>) {
        bytes.append(contentsOf: event)
        ends.append(bytes.count)
    }

    /// Calls the closure with the bytes of each event, in order.
    public func withEachEvent(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { buffer in
            for index in ends.indices {
                try body(UnsafeRawBufferPointer(rebasing: buffer[range(index)]))
            }
        }
    }

    /// Decodes one event.
    ///
    /// - Throws: ``EventModelError/malformedEvent(offset:reason:)`` when it is damaged.
    public func decoded(_ index: Int) throws(EventModelError) -> AuditEvent {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(EventModelError) in
                try AuditEvent(encoded: UnsafeRawBufferPointer(rebasing: buffer[range(index)]))
            }
        }
        .get()
    }

    /// Decodes every event.
    ///
    /// - Throws: ``EventModelError/malformedEvent(offset:reason:)`` for the first damaged one.
    public func decoded() throws(EventModelError) -> [AuditEvent] {
        var events: [AuditEvent] = []
        events.reserveCapacity(count)
        for index in ends.indices { events.append(try decoded(index)) }
        return events
    }
}
