/// What the first page of a file says, before SQLite touches it.
package enum SealedFileState: Sendable, Equatable {
    /// The file does not begin as a sealed one does.
    case notSealed
    /// The file is sealed with another key, or its first bytes were changed.
    case otherKey
    /// The key is right, and the first page was changed or torn, or is not all there.
    case damaged
    /// The first hundred bytes, as SQLite has them.
    case header([UInt8])

    /// How many bytes of a file say what it is.
    package static let byteCount = SealedPage.count

    /// Whether a file begins as a sealed one does.
    ///
    /// - Parameter start: What it begins with, at least 16 bytes of it.
    /// - Returns: Whether somebody sealed it, with whatever key.
    package static func isSealed(_ start: [UInt8]) -> Bool {
        start.withUnsafeBytes { FileSalt(head: $0) != nil }
    }

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - start: What it begins with: ``byteCount`` bytes, fewer when it has no more.
    ///   - key: The key that it should have.
    package init(_ start: [UInt8], _ key: FileKey) {
        self = start.withUnsafeBytes { bytes in
            guard let salt = FileSalt(head: bytes), let first = bytes.baseAddress else { return .notSealed }
            guard bytes.count >= SealedPage.count else { return .damaged }
            let ciphers = FileCiphers(key, salt)
            guard ciphers.fits(first) else { return .otherKey }
            return withUnsafeTemporaryAllocation(byteCount: SealedPage.count, alignment: 8) { page in
                guard let place = page.baseAddress, SealedPage.open(first, 1, ciphers, to: place) else {
                    return .damaged
                }
                return .header(Array(page.prefix(PlainHeader.count)))
            }
        }
    }
}
