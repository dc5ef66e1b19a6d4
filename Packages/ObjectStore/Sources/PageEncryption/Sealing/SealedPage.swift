#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a page lies in a sealed file.
///
/// SQLite leaves the last 32 of the 4,096 bytes of each page alone. A page lies as nonce, ciphertext, tag and four bytes of zero. The first
/// one lies 16 bytes further on, behind the mark and the salt, without the words that a plain file begins with; its last four bytes are
/// the check of the key.
enum SealedPage {
    /// How many bytes a page has, in the file as for SQLite.
    static let count = 4096
    /// How many of them SQLite leaves alone.
    static let reservedCount = 32
    /// How many bytes of a page SQLite uses.
    static let usableCount = count - reservedCount
    /// Where the last four bytes of a page lie.
    static let restPlace = count - 4
    /// What a plain file begins with.
    static let plainHead: [UInt8] = Array("SQLite format 3\0".utf8)

    /// The kinds of pages, none of which opens as another.
    enum Kind: UInt8 {
        /// Of the file itself; with its number, from 1.
        case page = 0x50
        /// Of the log; with the offset of its frame.
        case frame = 0x46
        /// Of the journal; with the offset of its record.
        case journal = 0x4A
    }

    /// Calls with what a page belongs to: its kind, a number and more bytes.
    static func withContext<Result>(
        _ kind: Kind,
        _ number: UInt64,
        _ more: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        // The kind, the number and, of a frame, the first 16 bytes of its header.
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { context in
            context.initializeMemory(as: UInt8.self, repeating: 0)
            context[0] = kind.rawValue
            context.storeBytes(of: number.bigEndian, toByteOffset: 8, as: UInt64.self)
            if more.count <= 16 {
                UnsafeMutableRawBufferPointer(rebasing: context[16...]).copyMemory(from: more)
            }
            return body(UnsafeRawBufferPointer(context))
        }
    }

    /// Opens a page.
    ///
    /// - Returns: Whether it is the page of this number, as it was sealed; nothing else is written to the place.
    static func open(
        _ stored: UnsafeRawPointer,
        _ number: UInt64,
        _ ciphers: FileCiphers,
        to place: UnsafeMutableRawPointer
    ) -> Bool {
        let skipped = number == 1 ? FileSalt.headCount : 0
        let rest: UInt32 = number == 1 ? ciphers.check : 0
        guard stored.loadUnaligned(fromByteOffset: restPlace, as: UInt32.self) == rest else { return false }
        let sealed = UnsafeRawBufferPointer(start: stored + skipped, count: restPlace - skipped)
        let isOpen = withContext(.page, number) { ciphers.pages.open(sealed, $0, to: place + skipped) }
        guard isOpen else { return false }
        if number == 1 { place.copyMemory(from: plainHead, byteCount: skipped) }
        memset(place + usableCount, 0, reservedCount)
        return true
    }

    /// Seals a page.
    ///
    /// - Returns: Whether the cipher did it.
    static func seal(
        _ page: UnsafeRawPointer,
        _ number: UInt64,
        _ ciphers: FileCiphers,
        to place: UnsafeMutableRawPointer
    ) -> Bool {
        let skipped = number == 1 ? FileSalt.headCount : 0
        if number == 1 { ciphers.salt.write(to: place) }
        place.storeBytes(of: number == 1 ? ciphers.check : 0, toByteOffset: restPlace, as: UInt32.self)
        let plain = UnsafeRawBufferPointer(start: page + skipped, count: usableCount - skipped)
        return withContext(.page, number) { ciphers.pages.seal(plain, $0, to: place + skipped) }
    }
}
