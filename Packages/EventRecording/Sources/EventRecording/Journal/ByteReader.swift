import EventModel

/// Takes the blocks of a journal apart, and believes nothing unchecked.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    /// Reads from the start of the bytes, which must stay where they are.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether everything was read.
    var isAtEnd: Bool { position == bytes.count }

    /// Reads one byte.
    mutating func byte() throws(RecordingError) -> UInt8 {
        guard position < bytes.count else { throw .damagedJournal(reason: "a block ends early") }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number.
    mutating func varint() throws(RecordingError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || (shift == 63 && byte <= 1) else {
                throw .damagedJournal(reason: "a number has more than 64 bits")
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
    }

    /// Reads a count or a position.
    mutating func count() throws(RecordingError) -> Int {
        guard let count = Int(exactly: try varint()) else { throw .damagedJournal(reason: "a count is out of range") }
        return count
    }

    /// Reads the count of things that take at least one byte each.
    mutating func elementCount() throws(RecordingError) -> Int {
        let count = try count()
        guard count <= bytes.count - position else { throw .damagedJournal(reason: "a count exceeds its block") }
        return count
    }

    /// Reads a number of either sign.
    mutating func signed() throws(RecordingError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads eight bytes.
    mutating func fixed() throws(RecordingError) -> UInt64 {
        UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
    }

    /// Reads text.
    mutating func text() throws(RecordingError) -> String {
        guard let text = String(validating: try counted(), as: UTF8.self) else {
            throw .damagedJournal(reason: "text is not UTF-8")
        }
        return text
    }

    /// Reads text, or that there is none.
    mutating func optionalText() throws(RecordingError) -> String? {
        try byte() == 0 ? nil : try text()
    }

    /// Reads bytes with their count.
    mutating func counted() throws(RecordingError) -> UnsafeRawBufferPointer {
        try take(try elementCount())
    }

    /// Reads bytes whose count is known.
    mutating func raw(_ count: Int) throws(RecordingError) -> UnsafeRawBufferPointer {
        try take(count)
    }

    /// Reads all that is left.
    mutating func rest() -> UnsafeRawBufferPointer {
        defer { position = bytes.count }
        return UnsafeRawBufferPointer(rebasing: bytes[position...])
    }

    /// Reads an id.
    mutating func objectId() throws(RecordingError) -> ObjectId {
        guard let address = try take(12).baseAddress else { throw .damagedJournal(reason: "an id is missing") }
        return ObjectId(loadedFrom: address)
    }

    private mutating func take(_ count: Int) throws(RecordingError) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else { throw .damagedJournal(reason: "a block ends early") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }
}
