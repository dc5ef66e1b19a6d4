#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A 12-byte identifier: seconds since 1970, five random bytes of the process, and a counter.
///
/// Identifiers that one process generates increase, so sorting by id sorts by creation.
/// The text form is 24 lower-case hexadecimal digits.
@frozen
public struct ObjectId: Sendable, Hashable {
    /// Bytes 0 to 7, big-endian: the seconds and the first four bytes of the process part.
    public let high: UInt64
    /// Bytes 8 to 11, big-endian: the last byte of the process part and the counter.
    public let low: UInt32

    /// Creates an identifier from its two big-endian halves.
    @inlinable
    public init(high: UInt64, low: UInt32) {
        self.high = high
        self.low = low
    }

    /// Creates a new identifier that differs from every other one.
    public init() {
        self = ObjectIdGenerator.system.next()
    }

    /// Creates an identifier from its text form.
    ///
    /// - Parameter string: 24 hexadecimal digits, in either case.
    /// - Throws: ``EventModelError/malformedObjectId(length:)`` when the text is anything else.
    public init(string: String) throws(EventModelError) {
        guard let parsed = ObjectId(hex: string.utf8) else {
            throw .malformedObjectId(length: string.utf8.count)
        }
        self = parsed
    }

    /// Creates an identifier from a literal in the program text.
    ///
    /// - Precondition: The literal is 24 hexadecimal digits.
    public init(_ literal: StaticString) {
        guard let parsed = ObjectId(hex: literal.description.utf8) else {
            preconditionFailure("An ObjectId literal must be 24 hexadecimal digits.")
        }
        self = parsed
    }

    /// Creates an identifier with the given time; machine and process fill the middle five bytes.
    ///
    /// A time before 1970 counts as 1970, and one after February 2106 as the last second that an identifier can say.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        // A date that is not a number is taken for 1970.
        let seconds = UInt32(max(0, min(timestamp.timeIntervalSince1970, TimeInterval(UInt32.max))))
        let machine = UInt64(UInt32(truncatingIfNeeded: machineId) & 0xFF_FFFF)
        let process = UInt16(truncatingIfNeeded: processId)
        let counter = ObjectIdGenerator.system.next().low & 0xFF_FFFF
        high = UInt64(seconds) << 32 | machine << 8 | UInt64(process >> 8)
        low = UInt32(process & 0xFF) << 24 | counter
    }

    /// Creates a new identifier that differs from every other one.
    public static func generate() -> ObjectId {
        ObjectIdGenerator.system.next()
    }

    /// The moment the identifier was made, in whole seconds.
    public var timestamp: Date {
        Date(timeIntervalSince1970: TimeInterval(high >> 32))
    }

    /// The 24 lower-case hexadecimal digits.
    public var stringValue: String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            withUnsafeBytes { bytes in
                for (index, byte) in bytes.enumerated() {
                    buffer[index * 2] = Hexadecimal.digit(byte >> 4)
                    buffer[index * 2 + 1] = Hexadecimal.digit(byte & 0xF)
                }
            }
            return 24
        }
    }

    /// Calls the closure with the twelve bytes in their written order.
    @inlinable
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        let bytes = (high.bigEndian, low.bigEndian)
        return try Swift.withUnsafeBytes(of: bytes) { (raw: UnsafeRawBufferPointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(rebasing: raw[0..<12]))
        }
    }

    /// Creates an identifier from the twelve bytes that start at the address, which needs no alignment.
    @inlinable
    public init(loadedFrom bytes: UnsafeRawPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    private init?(hex: some Sequence<UInt8>) {
        var nibbles: (high: UInt64, low: UInt32, count: Int) = (0, 0, 0)
        for character in hex {
            guard let nibble = Hexadecimal.value(character), nibbles.count < 24 else { return nil }
            if nibbles.count < 16 {
                nibbles.high = nibbles.high << 4 | UInt64(nibble)
            } else {
                nibbles.low = nibbles.low << 4 | UInt32(nibble)
            }
            nibbles.count += 1
        }
        guard nibbles.count == 24 else { return nil }
        self.init(high: nibbles.high, low: nibbles.low)
    }
}

// MARK: - Order

extension ObjectId: Comparable {
    /// Compares by bytes, which is by creation time first.
    @inlinable
    public static func < (left: ObjectId, right: ObjectId) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

// MARK: - Text

extension ObjectId: CustomStringConvertible {
    /// The 24 lower-case hexadecimal digits.
    public var description: String { stringValue }
}

extension ObjectId: Codable {
    /// Decodes the 24 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        try self.init(string: decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the 24 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}
