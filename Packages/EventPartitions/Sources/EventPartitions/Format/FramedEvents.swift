import EventModel
import EventProofs

/// The events of one frame as its content has them: each as its length, a LEB128 number, and its canonical encoding.
struct FramedEvents: Sendable {
    private(set) var payload: [UInt8] = []
    private(set) var count = 0

    /// Creates the content of no events, with room for some bytes.
    init(capacity: Int = 0) {
        payload.reserveCapacity(capacity)
    }

    /// Appends an event that is encoded already.
    ///
    /// - Returns: Where the encoding lies in the payload.
    @discardableResult
    mutating func append(_ event: UnsafeRawBufferPointer) -> Range<Int> {
        append(length: event.count)
        payload.append(contentsOf: event)
        return payload.count - event.count..<payload.count
    }

    /// Encodes an event behind the others.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - byteCount: The size of its encoding, which whoever decided on the frame had to compute.
    /// - Returns: Where the encoding lies in the payload.
    mutating func append(_ event: AuditEvent, byteCount: Int) -> Range<Int> {
        append(length: byteCount)
        let start = payload.count
        event.encode(into: &payload)
        return start..<payload.count
    }

    /// Hashes an event as a leaf of the partition's tree.
    ///
    /// Its length ends in the byte in front of it, which is the prefix of a leaf meanwhile, so that one piece is hashed and not two.
    mutating func leafHash(_ range: Range<Int>) -> Digest {
        payload.withUnsafeMutableBytes { bytes in
            let place = range.lowerBound - 1
            let length = bytes[place]
            bytes[place] = MerkleHash.leafPrefix
            defer { bytes[place] = length }
            return MerkleHash.leaf(prefixed: UnsafeRawBufferPointer(rebasing: bytes[place..<range.upperBound]))
        }
    }

    /// Appends all events of another frame.
    mutating func append(contentsOf other: FramedEvents) {
        payload += other.payload
        count += other.count
    }

    private mutating func append(length: Int) {
        var rest = UInt64(length)
        while rest >= 0x80 {
            payload.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        payload.append(UInt8(rest))
        count += 1
    }

    /// Takes all events out and keeps the memory.
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
