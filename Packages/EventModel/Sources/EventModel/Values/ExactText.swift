/// A text that is compared by its bytes and not by what it means: a key of sets and dictionaries for text from outside.
///
/// Swift takes two texts for equal when Unicode does: `é` is one code point, or an `e` and an accent. A database, a hash and a signature
/// know bytes alone. Where both meet, one form can hide behind the other. So whatever a device, a file or a person chose
/// is looked up by this type.
///
/// ```swift
/// var columns: [ExactText: Int] = [:]
/// columns[ExactText(key)] = 1
/// ```
public struct ExactText: Sendable {
    /// The text.
    public let string: String

    /// Wraps a part of a text.
    public init(_ string: some StringProtocol) {
        self.string = String(string)
    }

    /// Wraps a text, as it is.
    @inlinable
    public init(_ string: String) { self.string = string }
}

extension ExactText: Hashable {
    /// Compares the bytes.
    ///
    /// - Complexity: O(*n*) in the bytes.
    public static func == (left: ExactText, right: ExactText) -> Bool { left.string.hasSameBytes(as: right.string) }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension ExactText: Comparable {
    /// Compares the bytes, as databases order text.
    public static func < (left: ExactText, right: ExactText) -> Bool { left.string.precedesInBytes(right.string) }
}

extension ExactText: CustomStringConvertible {
    /// The text.
    public var description: String { string }
}

extension ExactText: ExpressibleByStringLiteral {
    /// Wraps a text of the program.
    public init(stringLiteral value: String) { string = value }
}

extension ExactText: Codable {
    /// Reads a text.
    public init(from decoder: any Decoder) throws {
        string = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }
}

// MARK: - Bytes

extension String {
    /// Reads UTF-8 without the generic code of `String(validating:as:)`, which was most of the time of reading a short text.
    ///
    /// It is nil for bytes that are no UTF-8.
    ///
    /// - Parameter bytes: The bytes.
    /// - Complexity: O(*n*) in the bytes.
    public init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        var text = String(decoding: bytes, as: UTF8.self)
        // What is no UTF-8 was replaced, perhaps by as many bytes.
        let isSame = text.withUTF8 { read in
            // SAFETY: both have as many bytes.
            read.count == bytes.count && UnsafeRawBufferPointer(read).hasSameBytes(as: UnsafeRawBufferPointer(bytes))
        }
        guard isSame else { return nil }
        self = text
    }

    /// Returns whether two texts have the same bytes in UTF-8.
    ///
    /// - Complexity: O(*n*) in the bytes.
    public func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        let isSame = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                // SAFETY: both have as many bytes.
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            }
        }
        return isSame.flatMap(\.self) ?? left.elementsEqual(right)
    }

    /// Returns whether the bytes in UTF-8 come before those of another text.
    ///
    /// - Complexity: O(*n*) in the bytes.
    public func precedesInBytes(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                for index in 0..<min(bytes.count, others.count) where bytes[index] != others[index] {
                    return bytes[index] < others[index]
                }
                return bytes.count < others.count
            }
        }
        return precedes.flatMap(\.self) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Feeds the bytes in UTF-8 and their number to a hasher.
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether the bytes are those of another buffer that has as many: eight at a time, the last ones of which overlap.
    ///
    /// Names are looked up with each cell of each change, and have three to twenty bytes. To compare them one by one takes two to eight
    /// times as long.
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        func differ<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ word: Word.Type) -> Bool {
            loadUnaligned(fromByteOffset: offset, as: word) != other.loadUnaligned(fromByteOffset: offset, as: word)
        }
        if count >= 8 {
            for offset in stride(from: 0, to: count - 8, by: 8) where differ(at: offset, UInt64.self) { return false }
            return !differ(at: count - 8, UInt64.self)
        }
        if count >= 4 { return !differ(at: 0, UInt32.self) && !differ(at: count - 4, UInt32.self) }
        for offset in 0..<count where differ(at: offset, UInt8.self) { return false }
        return true
    }
}
