import Crypto

/// What one connection seals and opens the pages of one file with.
final class FileCiphers {
    let salt: FileSalt
    /// Four bytes that tell a wrong key from a damaged page, at the end of the first page.
    let check: UInt32
    /// For the pages of the file itself.
    var pages: PageCipher
    /// For the pages of its log and its journal.
    var log: PageCipher

    /// Derives them.
    init(_ key: FileKey, _ salt: FileSalt) {
        self.salt = salt
        check = key.derived(salt, "daybook sealed file 1: check", byteCount: 4)
            .withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        pages = PageCipher(key: key.derived(salt, "daybook sealed file 1: pages", byteCount: 32))
        log = PageCipher(key: key.derived(salt, "daybook sealed file 1: log", byteCount: 32))
    }

    /// Whether the first page of a file, as it lies, was sealed with the same key.
    func fits(_ first: UnsafeRawPointer) -> Bool {
        first.loadUnaligned(fromByteOffset: SealedPage.restPlace, as: UInt32.self) == check
    }
}
