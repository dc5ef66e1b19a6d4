/// Takes the parts of the canonical event encoding apart, checking every length.
struct EventReader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    mutating func byte() throws(EventModelError) -> UInt8 {
        try take(1)[0]
    }

    mutating func fixed() throws(EventModelError) -> UInt64 {
        UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
    }

    mutating func varint() throws(EventModelError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            // Ten groups of seven bits hold 64 bits; the last may only be 0 or 1.
            guard shift < 63 || (shift == 63 && byte <= 1) else {
                throw .malformedEvent(offset: position, reason: "a length has more than 64 bits")
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 {
                // A trailing zero group would be a second encoding of the same number.
                guard byte != 0 || shift == 0 else {
                    throw .malformedEvent(offset: position, reason: "a length is not in its shortest form")
                }
                return value
            }
            shift += 7
        }
    }

    mutating func counted() throws(EventModelError) -> UnsafeRawBufferPointer {
        let count = try varint()
        guard let length = Int(exactly: count) else {
            throw .malformedEvent(offset: position, reason: "a length exceeds the address space")
        }
        return try take(length)
    }

    mutating func bytes(_ count: Int) throws(EventModelError) -> UnsafeRawBufferPointer {
        try take(count)
    }

    mutating func text() throws(EventModelError) -> String {
        let start = position
        guard let text = String(validating: try counted(), as: UTF8.self) else {
            throw .malformedEvent(offset: start, reason: "text is not UTF-8")
        }
        return text
    }

    mutating func objectId() throws(EventModelError) -> ObjectId {
        guard let address = try take(12).baseAddress else {
            throw .malformedEvent(offset: position, reason: "the id is missing")
        }
        return ObjectId(loadedFrom: address)
    }

    mutating func syncReference() throws(EventModelError) -> SyncReference {
        let start = position
        guard let reference = SyncReference(bytes: try take(SyncReference.byteCount)) else {
            throw .malformedEvent(offset: start, reason: "the place in sync contradicts itself")
        }
        return reference
    }

    mutating func metadata() throws(EventModelError) -> EventMetadata {
        let count = try varint()
        guard count > 0 else { return .empty }
        var entries: [EventMetadata.Entry] = []
        for _ in 0..<count {
            let start = position
            let entry = EventMetadata.Entry(key: try text(), value: try text())
            if let last = entries.last, !last.key.utf8.lexicographicallyPrecedes(entry.key.utf8) {
                throw .malformedEvent(offset: start, reason: "metadata keys are not in order")
            }
            entries.append(entry)
        }
        return EventMetadata(sorted: entries)
    }

    func finish() throws(EventModelError) {
        guard position == bytes.count else {
            throw .malformedEvent(offset: position, reason: "\(bytes.count - position) bytes are left over")
        }
    }

    private mutating func take(_ count: Int) throws(EventModelError) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else {
            throw .malformedEvent(
                offset: position,
                reason: "\(count) bytes are needed, \(bytes.count - position) remain"
            )
        }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }
}
