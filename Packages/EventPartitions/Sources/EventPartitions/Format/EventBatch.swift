import EventModel

/// The content of an events frame: each event as its length, a LEB128 number, and its canonical encoding.
struct EventBatch: Sendable {
    private(set) var payload: [UInt8] = []
    private(set) var count = 0

    /// Appends an event.
    mutating func append(_ event: UnsafeRawBufferPointer) {
        var rest = UInt64(event.count)
        while rest >= 0x80 {
            payload.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        payload.append(UInt8(rest))
        payload.append(contentsOf: event)
        count += 1
    }

    /// Empties the batch and keeps its memory.
    mutating func removeAll() {
        payload.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Finds where the events of a frame lie in its payload.
    ///
    /// - Returns: nil when lengths and count do not fit, which no intact writer produces.
    static func ranges(in payload: [UInt8], count: Int) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(min(count, payload.count))
        var position = 0
        for _ in 0..<count {
            var length = 0
            var shift = 0
            repeat {
                guard position < payload.count, shift < 35 else { return nil }
                length |= Int(payload[position] & 0x7F) << shift
                shift += 7
                position += 1
            } while payload[position - 1] & 0x80 != 0
            guard length <= payload.count - position else { return nil }
            ranges.append(position..<(position + length))
            position += length
        }
        return position == payload.count ? ranges : nil
    }
}
