import CSQLite

/// The calls of a sealed file, as SQLite makes them.
///
/// In the memory that SQLite has for a file lie the pointer to these calls, the object that seals and opens, and the file below.
enum SealedFileMethods {
    private static let objectPlace = MemoryLayout<sqlite3_file>.size
    /// How much more memory a file takes than that below.
    static let overhead = 16

    /// The file below, which has no calls before it is open.
    static func stored(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + overhead).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Makes SQLite call an object.
    static func install(_ object: any SealedFile, in file: UnsafeMutablePointer<sqlite3_file>) {
        let kept = Unmanaged.passRetained(SealedFileBox(object))
        UnsafeMutableRawPointer(file)
            .storeBytes(of: kept.toOpaque(), toByteOffset: objectPlace, as: UnsafeMutableRawPointer.self)
        file.pointee.pMethods = UnsafePointer(methods)
    }

    /// The object of a file that is open.
    static func object(_ file: UnsafeMutablePointer<sqlite3_file>) -> any SealedFile {
        box(file).takeUnretainedValue().file
    }

    private static func box(_ file: UnsafeMutablePointer<sqlite3_file>) -> Unmanaged<SealedFileBox> {
        let place = UnsafeMutableRawPointer(file).load(fromByteOffset: objectPlace, as: UnsafeMutableRawPointer.self)
        return .fromOpaque(place)
    }

    // SAFETY: it is written before it is read, once, and never again.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        // The second version has shared memory, the third would have the file mapped, where pages lie sealed.
        methods.iVersion = 2
        addContents(&methods)
        addLocks(&methods)
        addSharedMemory(&methods)
        let place = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        place.initialize(to: methods)
        return place
    }()

    private static func addContents(_ methods: inout sqlite3_io_methods) {
        methods.xClose = { file in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            let code = StoredFile(handle: below).methods.xClose(below)
            SealedFileMethods.box(file).release()
            return code
        }
        methods.xRead = { file, place, count, offset in
            guard let file, let place else { return SQLITE_MISUSE }
            return SealedFileMethods.object(file).read(place, Int(count), at: offset)
        }
        methods.xWrite = { file, place, count, offset in
            guard let file, let place else { return SQLITE_MISUSE }
            return SealedFileMethods.object(file).write(place, Int(count), at: offset)
        }
        methods.xTruncate = { file, size in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xTruncate(below, size)
        }
        methods.xSync = { file, flags in
            guard let file else { return SQLITE_MISUSE }
            guard SealedFileMethods.object(file).isSettled else { return FileCode.write }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xSync(below, flags)
        }
        methods.xFileSize = { file, size in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xFileSize(below, size)
        }
        methods.xFileControl = { file, operation, argument in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xFileControl(below, operation, argument)
        }
        methods.xSectorSize = { file in
            guard let file else { return 0 }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xSectorSize(below)
        }
        methods.xDeviceCharacteristics = { file in
            guard let file else { return 0 }
            let below = SealedFileMethods.stored(file)
            let known = StoredFile(handle: below).methods.xDeviceCharacteristics(below)
            // Whole pages and frames are written, so that nothing beside them must be written again; a page is read whole.
            return (known | SQLITE_IOCAP_POWERSAFE_OVERWRITE)
                & (SQLITE_IOCAP_POWERSAFE_OVERWRITE | SealedFileMethods.kept)
        }
    }

    /// What else of the device SQLite may know.
    private static let kept =
        SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_SEQUENTIAL | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN | SQLITE_IOCAP_IMMUTABLE

    private static func addLocks(_ methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xLock(below, level)
        }
        methods.xUnlock = { file, level in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xUnlock(below, level)
        }
        methods.xCheckReservedLock = { file, answer in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xCheckReservedLock(below, answer)
        }
    }

    private static func addSharedMemory(_ methods: inout sqlite3_io_methods) {
        methods.xShmMap = { file, region, size, extends, place in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xShmMap(below, region, size, extends, place)
        }
        methods.xShmLock = { file, offset, count, flags in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xShmLock(below, offset, count, flags)
        }
        methods.xShmBarrier = { file in
            guard let file else { return }
            let below = SealedFileMethods.stored(file)
            StoredFile(handle: below).methods.xShmBarrier(below)
        }
        methods.xShmUnmap = { file, deletes in
            guard let file else { return SQLITE_MISUSE }
            let below = SealedFileMethods.stored(file)
            return StoredFile(handle: below).methods.xShmUnmap(below, deletes)
        }
    }
}

/// Keeps the object of a file while SQLite has it open.
private final class SealedFileBox {
    let file: any SealedFile

    init(_ file: any SealedFile) { self.file = file }
}
