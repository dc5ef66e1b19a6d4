import CSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The database itself: page by page.
final class MainFile: SealedFile {
    let stored: StoredFile
    private let key: FileKey
    /// What the file is sealed with, once that is known.
    private var ciphers: FileCiphers?
    private let sealed = UnsafeMutableRawPointer.allocate(byteCount: SealedPage.count, alignment: 8)
    private let plain = UnsafeMutableRawPointer.allocate(byteCount: SealedPage.count, alignment: 8)

    init(_ stored: StoredFile, _ key: FileKey) {
        self.stored = stored
        self.key = key
    }

    deinit {
        sealed.deallocate()
        plain.deallocate()
    }

    var isSettled: Bool { true }

    // MARK: Keys

    /// Finds out what the file is sealed with unless that is known.
    ///
    /// Another connection may have made the file since this one was opened.
    ///
    /// - Returns: A code of SQLite: `SQLITE_NOTADB` when the file has another key or none.
    private func unlock() -> Int32 {
        guard ciphers == nil else { return SQLITE_OK }
        let code = stored.read(sealed, SealedPage.count, at: 0)
        return code == SQLITE_OK ? unlock(sealed) : code
    }

    /// The same with the first page, as it lies.
    private func unlock(_ first: UnsafeRawPointer) -> Int32 {
        let head = UnsafeRawBufferPointer(start: first, count: FileSalt.headCount)
        guard let salt = FileSalt(head: head) else { return SQLITE_NOTADB }
        if ciphers?.salt != salt {
            let found = FileCiphers(key, salt)
            guard found.fits(first) else { return SQLITE_NOTADB }
            ciphers = found
        }
        return SQLITE_OK
    }

    /// What the log of the file is sealed with; nil when the file has another key or none.
    var logCiphers: FileCiphers? { unlock() == SQLITE_OK ? ciphers : nil }

    // MARK: Reading

    func read(_ place: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let number = UInt64(offset) / UInt64(SealedPage.count) + 1
        let start = Int(offset % Int64(SealedPage.count))
        guard start + count <= SealedPage.count else { return SQLITE_CORRUPT }
        if count == SealedPage.count { return readPage(number, to: place, isHeader: false) }
        let code = readPage(number, to: plain, isHeader: number == 1 && start + count <= PlainHeader.count)
        if code == SQLITE_OK || code == FileCode.shortRead {
            place.copyMemory(from: plain + start, byteCount: count)
        }
        return code
    }

    private func readPage(_ number: UInt64, to place: UnsafeMutableRawPointer, isHeader: Bool) -> Int32 {
        if number > 1 {
            let code = unlock()
            guard code == SQLITE_OK else { return code }
        }
        let code = stored.read(sealed, SealedPage.count, at: Int64(number - 1) * Int64(SealedPage.count))
        if code == FileCode.shortRead { return readEnd(number, to: place, isHeader: isHeader) }
        guard code == SQLITE_OK else { return code }
        if number == 1 {
            let code = unlock(sealed)
            guard code == SQLITE_OK else { return code }
        }
        if let ciphers, SealedPage.open(sealed, number, ciphers, to: place) { return SQLITE_OK }
        guard isHeader else { return SQLITE_CORRUPT }
        // A power cut may have torn the page while it was written; then the log has it whole, and SQLite reads it there.
        PlainHeader.writeConstants(to: place)
        return SQLITE_OK
    }

    /// Reads where the file ends within the page or before it.
    private func readEnd(_ number: UInt64, to place: UnsafeMutableRawPointer, isHeader: Bool) -> Int32 {
        // Only of a file that is being made SQLite reads what is not there. To others a missing page would look like one of zeros.
        guard let size = stored.size, number == 1, size == 0 || isHeader else { return SQLITE_CORRUPT }
        memset(place, 0, SealedPage.count)
        return FileCode.shortRead
    }

    // MARK: Writing

    func write(_ place: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard count == SealedPage.count, offset % Int64(SealedPage.count) == 0 else { return FileCode.write }
        let code = unlock()
        if code != SQLITE_OK {
            guard code == FileCode.shortRead, stored.size == 0 else { return code }
            ciphers = FileCiphers(key, .random())
        }
        let number = UInt64(offset) / UInt64(SealedPage.count) + 1
        guard let ciphers, SealedPage.seal(place, number, ciphers, to: sealed) else { return FileCode.write }
        return stored.write(sealed, SealedPage.count, at: offset)
    }
}
