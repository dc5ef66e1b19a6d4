import CSQLite
import Foundation
import Synchronization

/// A file system of SQLite that notes each call which changes a file, and is the default one of its process from then on.
enum RecordingFiles {
    /// What was done.
    enum Call {
        case write(path: String, offset: Int, bytes: [UInt8])
        case truncate(path: String, size: Int)
        case sync(path: String)
        case delete(path: String)
    }

    private static let calls = Mutex<[Call]?>(nil)
    private static let overhead = 16
    // SAFETY: SQLite has it for the life of the process.
    nonisolated(unsafe) private static let base: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

    /// Begins to note.
    static func begin() { calls.withLock { $0 = [] } }

    /// What was noted so far.
    static var noted: [Call] { calls.withLock { $0 ?? [] } }

    /// Ends noting.
    static func end() { calls.withLock { $0 = nil } }

    private static func note(_ call: Call) { calls.withLock { $0?.append(call) } }

    /// Makes it the default one; whatever SQLite does with files later goes through it.
    static func install() -> Bool {
        guard let base, let name = strdup("recording") else { return false }
        var system = base.pointee
        system.iVersion = 2
        system.szOsFile = base.pointee.szOsFile + Int32(overhead)
        system.zName = UnsafePointer(name)
        system.pNext = nil
        system.xOpen = { _, name, file, flags, outFlags in
            guard let base = RecordingFiles.base, let file else { return SQLITE_MISUSE }
            file.pointee.pMethods = nil
            let below = RecordingFiles.below(file)
            below.pointee.pMethods = nil
            let code = base.pointee.xOpen(base, name, below, flags, outFlags)
            guard code == SQLITE_OK else { return code }
            let path = name.flatMap { strdup($0) }
            UnsafeMutableRawPointer(file).storeBytes(of: path, toByteOffset: 8, as: UnsafeMutablePointer<CChar>?.self)
            file.pointee.pMethods = UnsafePointer(RecordingFiles.methods)
            return SQLITE_OK
        }
        system.xDelete = { _, name, syncs in
            guard let base = RecordingFiles.base, let name else { return SQLITE_MISUSE }
            let code = base.pointee.xDelete(base, name, syncs)
            if code == SQLITE_OK { RecordingFiles.note(.delete(path: String(cString: name))) }
            return code
        }
        let place = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        place.initialize(to: system)
        return sqlite3_vfs_register(place, 1) == SQLITE_OK
    }

    private static func below(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + overhead).assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func path(_ file: UnsafeMutablePointer<sqlite3_file>) -> String {
        UnsafeMutableRawPointer(file).load(fromByteOffset: 8, as: UnsafeMutablePointer<CChar>?.self)
            .map { String(cString: $0) } ?? ""
    }

    // SAFETY: it is written before it is read, once, and never again.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 2
        methods.xClose = { file in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xClose(below)
        }
        methods.xRead = { file, place, count, offset in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xRead(below, place, count, offset)
        }
        methods.xWrite = { file, place, count, offset in
            guard let file, let place else { return SQLITE_MISUSE }
            let bytes = Array(UnsafeRawBufferPointer(start: place, count: Int(count)))
            RecordingFiles.note(.write(path: RecordingFiles.path(file), offset: Int(offset), bytes: bytes))
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xWrite(below, place, count, offset)
        }
        methods.xTruncate = { file, size in
            guard let file else { return SQLITE_MISUSE }
            RecordingFiles.note(.truncate(path: RecordingFiles.path(file), size: Int(size)))
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xTruncate(below, size)
        }
        methods.xSync = { file, flags in
            guard let file else { return SQLITE_MISUSE }
            RecordingFiles.note(.sync(path: RecordingFiles.path(file)))
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xSync(below, flags)
        }
        addRest(&methods)
        let place = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        place.initialize(to: methods)
        return place
    }()

    private static func addRest(_ methods: inout sqlite3_io_methods) {
        methods.xFileSize = { file, size in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xFileSize(below, size)
        }
        methods.xFileControl = { file, operation, argument in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xFileControl(below, operation, argument)
        }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        methods.xLock = { file, level in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xLock(below, level)
        }
        methods.xUnlock = { file, level in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xUnlock(below, level)
        }
        methods.xCheckReservedLock = { file, answer in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xCheckReservedLock(below, answer)
        }
        methods.xShmMap = { file, region, size, extends, place in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xShmMap(below, region, size, extends, place)
        }
        methods.xShmLock = { file, offset, count, flags in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xShmLock(below, offset, count, flags)
        }
        methods.xShmBarrier = { file in
            guard let file else { return }
            let below = RecordingFiles.below(file)
            below.pointee.pMethods.pointee.xShmBarrier(below)
        }
        methods.xShmUnmap = { file, deletes in
            guard let file else { return SQLITE_MISUSE }
            let below = RecordingFiles.below(file)
            return below.pointee.pMethods.pointee.xShmUnmap(below, deletes)
        }
    }
}
