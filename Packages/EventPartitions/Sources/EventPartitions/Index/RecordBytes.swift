import EventModel

/// Writes the fields of a record: numbers little-endian, and whatever has no fixed length behind its length in four bytes.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ digest: Digest) {
        digest.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ id: ObjectId) {
        id.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    mutating func append(counted content: some Collection<UInt8>) {
        append(UInt32(content.count))
        bytes.append(contentsOf: content)
    }

    /// Appends whether there is a value, and the value if there is.
    mutating func append<Value>(optional value: Value?, _ body: (inout RecordWriter, Value) -> Void) {
        append(UInt8(value == nil ? 0 : 1))
        if let value { body(&self, value) }
    }
}

/// Reads the fields of a record; each is nil when the bytes end before it, or are none of its forms.
struct RecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Reads a truth value: 0 or 1.
    mutating func flag() -> Bool? {
        switch byte() {
        case 0: false
        case 1: true
        default: nil
        }
    }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        bytes(MemoryLayout<Number>.size)?
            .withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    mutating func instant() -> EventInstant? { number(Int64.self).map { EventInstant(microseconds: $0) } }

    mutating func digest() -> Digest? { bytes(Digest.byteCount).flatMap { Digest($0) } }

    mutating func id() -> ObjectId? {
        bytes(12)?.withUnsafeBytes { bytes in bytes.baseAddress.map { ObjectId(loadedFrom: $0) } }
    }

    mutating func counted() -> ArraySlice<UInt8>? { number(UInt32.self).flatMap { bytes(Int($0)) } }

    mutating func text() -> String? { counted().flatMap { String(validating: $0, as: UTF8.self) } }

    /// Reads a value that may not be there; nil when the bytes say neither.
    mutating func optional<Value>(_ body: (inout RecordReader) -> Value?) -> Value?? {
        switch byte() {
        case 0: .some(nil)
        case 1: body(&self).map { .some($0) }
        default: nil
        }
    }
}
