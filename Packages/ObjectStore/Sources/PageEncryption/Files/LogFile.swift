import CSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The log beside the database: a header in the clear, then frames.
///
/// SQLite has 24 bytes of header for each frame: the number of the page, how long the file is after it, two salts of the log, and a
/// checksum of the page and all before it. The checksum is sealed with the page, whose nonce begins in its place; the other 16
/// bytes are what the page belongs to. So a frame takes as many bytes as without a key, and is written at once.
final class LogFile: SealedFile {
    /// How many bytes the log begins with that belong to no frame.
    private static let headCount: Int64 = 32
    /// How many bytes a frame has before its page.
    private static let headerCount = 24
    /// How many of these are in the clear.
    private static let clearCount = 16
    private static let frameCount = headerCount + SealedPage.count
    /// What is sealed of a frame: the part of the page that SQLite uses, then the checksum.
    private static let plainCount = SealedPage.usableCount + 8

    let stored: StoredFile
    private let main: MainFile
    /// A frame as it lies.
    private let sealed = UnsafeMutableRawPointer.allocate(byteCount: frameCount, alignment: 8)
    /// A frame as SQLite has it.
    private let frame = UnsafeMutableRawPointer.allocate(byteCount: frameCount, alignment: 8)
    private let plain = UnsafeMutableRawPointer.allocate(byteCount: plainCount, alignment: 8)
    /// A header that SQLite has written and whose page follows.
    private let header = UnsafeMutableRawPointer.allocate(byteCount: headerCount, alignment: 8)
    /// Where it belongs.
    private var headerOffset: Int64?
    /// Where the whole frame lies that SQLite has read just now.
    private var frameOffset: Int64?

    init(_ stored: StoredFile, of main: MainFile) {
        self.stored = stored
        self.main = main
    }

    deinit {
        sealed.deallocate()
        frame.deallocate()
        plain.deallocate()
        header.deallocate()
    }

    /// Where in a frame an offset lies, and where that frame begins.
    private static func place(of offset: Int64) -> (start: Int64, inFrame: Int) {
        let inFrame = (offset - headCount) % Int64(frameCount)
        return (offset - inFrame, Int(inFrame))
    }

    var isSettled: Bool { headerOffset == nil }

    // MARK: Reading

    func read(_ place: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        frameOffset = nil
        guard offset >= Self.headCount else {
            return offset + Int64(count) <= Self.headCount ? stored.read(place, count, at: offset) : SQLITE_CORRUPT
        }
        let (start, inFrame) = Self.place(of: offset)
        guard inFrame + count <= Self.frameCount else { return SQLITE_CORRUPT }
        let code = stored.read(sealed, Self.frameCount, at: start)
        guard code == SQLITE_OK || code == FileCode.shortRead else { return code }
        guard code == SQLITE_OK, openFrame(at: start) else {
            // Whoever asks for a whole frame looks for the end of the log, which is where the first one lies that is not whole.
            guard inFrame == 0, count > Self.headerCount else { return SQLITE_CORRUPT }
            memset(place, 0, count)
            return code
        }
        place.copyMemory(from: frame + inFrame, byteCount: count)
        if count == Self.frameCount { frameOffset = start }
        return SQLITE_OK
    }

    /// Opens the frame that was read.
    private func openFrame(at start: Int64) -> Bool {
        guard let ciphers = main.logCiphers,
            sealed.loadUnaligned(fromByteOffset: Self.frameCount - 4, as: UInt32.self) == 0
        else { return false }
        let clear = UnsafeRawBufferPointer(start: sealed, count: Self.clearCount)
        let text = UnsafeRawBufferPointer(start: sealed + Self.clearCount, count: Self.plainCount + PageCipher.overhead)
        let isOpen = SealedPage.withContext(.frame, UInt64(start), clear) { ciphers.log.open(text, $0, to: plain) }
        guard isOpen else { return false }
        frame.copyMemory(from: sealed, byteCount: Self.clearCount)
        (frame + Self.clearCount).copyMemory(from: plain + SealedPage.usableCount, byteCount: 8)
        (frame + Self.headerCount).copyMemory(from: plain, byteCount: SealedPage.usableCount)
        memset(frame + Self.headerCount + SealedPage.usableCount, 0, SealedPage.reservedCount)
        return true
    }

    // MARK: Writing

    func write(_ place: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        let (read, due) = (frameOffset, headerOffset)
        (frameOffset, headerOffset) = (nil, nil)
        guard offset >= Self.headCount else {
            return offset + Int64(count) <= Self.headCount ? stored.write(place, count, at: offset) : FileCode.write
        }
        let (start, inFrame) = Self.place(of: offset)
        if inFrame == 0, count == Self.headerCount {
            // A frame that was read gets another checksum, because pages before it have changed.
            if read == start { return writeFrame(place, frame + Self.headerCount, at: start) }
            header.copyMemory(from: place, byteCount: count)
            headerOffset = start
            return SQLITE_OK
        }
        guard inFrame == Self.headerCount, count == SealedPage.count else { return FileCode.write }
        if due == start { return writeFrame(header, place, at: start) }
        // A page that is in the log already and changed once more before the end of its transaction.
        let code = stored.read(sealed, Self.frameCount, at: start)
        guard code == SQLITE_OK else { return code }
        return openFrame(at: start) ? writeFrame(frame, place, at: start) : SQLITE_CORRUPT
    }

    /// Seals a frame and writes it.
    private func writeFrame(_ header: UnsafeRawPointer, _ page: UnsafeRawPointer, at start: Int64) -> Int32 {
        guard let ciphers = main.logCiphers else { return FileCode.write }
        plain.copyMemory(from: page, byteCount: SealedPage.usableCount)
        (plain + SealedPage.usableCount).copyMemory(from: header + Self.clearCount, byteCount: 8)
        sealed.copyMemory(from: header, byteCount: Self.clearCount)
        sealed.storeBytes(of: 0, toByteOffset: Self.frameCount - 4, as: UInt32.self)
        let text = UnsafeRawBufferPointer(start: plain, count: Self.plainCount)
        let clear = UnsafeRawBufferPointer(start: sealed, count: Self.clearCount)
        let isSealed = SealedPage.withContext(.frame, UInt64(start), clear) {
            ciphers.log.seal(text, $0, to: sealed + Self.clearCount)
        }
        return isSealed ? stored.write(sealed, Self.frameCount, at: start) : FileCode.write
    }
}
