/// Looks for a text in others, without regard to the case of the letters of ASCII.
package struct TextSearch {
    private let needle: [UInt8]

    package init(_ text: String) {
        needle = text.utf8.map(Self.folded)
    }

    /// Returns whether the text is in these bytes; an empty one always is.
    ///
    /// - Complexity: O(*n*) in the bytes for texts that do not repeat themselves.
    package func isFound(in bytes: some Collection<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable(search) ?? Array(bytes).withUnsafeBufferPointer(search)
    }

    private func search(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        needle.withUnsafeBufferPointer { needle in
            guard let first = needle.first else { return true }
            guard bytes.count >= needle.count else { return false }
            for start in 0...(bytes.count - needle.count) where Self.folded(bytes[start]) == first {
                var length = 1
                while length < needle.count, Self.folded(bytes[start + length]) == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            return false
        }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
