import CSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The journal that SQLite keeps beside a database that has no log yet, while it changes its first page.
///
/// A record has the number of a page, the page and a checksum. The checksum is sealed with the page, which takes the place of both.
final class JournalFile: SealedFile {
    /// What headers begin with, which are in the clear.
    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    private static let numberCount = 4
    private static let checksumCount = 4
    private static let plainCount = SealedPage.usableCount + checksumCount
    private static let recordCount = numberCount + SealedPage.count + checksumCount

    let stored: StoredFile
    private let main: MainFile
    private let sealed = UnsafeMutableRawPointer.allocate(byteCount: recordCount, alignment: 8)
    private let plain = UnsafeMutableRawPointer.allocate(byteCount: plainCount, alignment: 8)
    /// The number that was written last, which may be that of a page, and where.
    private var number: (value: UInt32, offset: Int64)?
    /// Where the checksum belongs of the page that ``plain`` has.
    private var checksumOffset: Int64?
    /// Whether that is to be written.
    private var isWaiting = false

    init(_ stored: StoredFile, of main: MainFile) {
        self.stored = stored
        self.main = main
    }

    deinit {
        sealed.deallocate()
        plain.deallocate()
    }

    var isSettled: Bool { !isWaiting }

    // MARK: Reading

    func read(_ place: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        if count == Self.checksumCount, offset == checksumOffset {
            place.copyMemory(from: plain + SealedPage.usableCount, byteCount: count)
            return SQLITE_OK
        }
        guard count == SealedPage.count else { return stored.read(place, count, at: offset) }
        checksumOffset = nil
        let start = offset - Int64(Self.numberCount)
        guard start >= 0, let ciphers = main.logCiphers else { return SQLITE_CORRUPT }
        let code = stored.read(sealed, Self.recordCount, at: start)
        guard code == SQLITE_OK else { return code }
        let text = UnsafeRawBufferPointer(start: sealed + Self.numberCount, count: SealedPage.count)
        let clear = UnsafeRawBufferPointer(start: sealed, count: Self.numberCount)
        let isOpen = SealedPage.withContext(.journal, UInt64(start), clear) { ciphers.log.open(text, $0, to: plain) }
        // As where the journal ends, which is where it is not whole.
        guard isOpen else { return FileCode.shortRead }
        place.copyMemory(from: plain, byteCount: SealedPage.usableCount)
        memset(place + SealedPage.usableCount, 0, SealedPage.reservedCount)
        checksumOffset = offset + Int64(count)
        return SQLITE_OK
    }

    // MARK: Writing

    func write(_ place: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        if count == Self.checksumCount, offset == checksumOffset {
            (checksumOffset, isWaiting) = (nil, false)
            return writeRecord(checksum: place, at: offset)
        }
        guard !isWaiting else { return FileCode.write }
        checksumOffset = nil
        let bytes = UnsafeRawBufferPointer(start: place, count: count)
        guard count == SealedPage.count, !bytes.starts(with: Self.magic) else {
            // The longest that is in the clear is a header: zeros behind its magic and five numbers.
            if count == Self.numberCount { number = (place.loadUnaligned(as: UInt32.self), offset) }
            return count < SealedPage.count || bytes.starts(with: Self.magic)
                ? stored.write(place, count, at: offset) : FileCode.write
        }
        guard number?.offset == offset - Int64(Self.numberCount) else { return FileCode.write }
        plain.copyMemory(from: place, byteCount: SealedPage.usableCount)
        (checksumOffset, isWaiting) = (offset + Int64(count), true)
        return SQLITE_OK
    }

    private func writeRecord(checksum: UnsafeRawPointer, at offset: Int64) -> Int32 {
        guard let number, let ciphers = main.logCiphers else { return FileCode.write }
        (plain + SealedPage.usableCount).copyMemory(from: checksum, byteCount: Self.checksumCount)
        sealed.storeBytes(of: number.value, as: UInt32.self)
        sealed.storeBytes(of: 0, toByteOffset: Self.numberCount + SealedPage.count, as: UInt32.self)
        let text = UnsafeRawBufferPointer(start: plain, count: Self.plainCount)
        let clear = UnsafeRawBufferPointer(start: sealed, count: Self.numberCount)
        let isSealed = SealedPage.withContext(.journal, UInt64(number.offset), clear) {
            ciphers.log.seal(text, $0, to: sealed + Self.numberCount)
        }
        return isSealed ? stored.write(sealed, Self.recordCount, at: number.offset) : FileCode.write
    }
}
