public import EventModel
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file system that passes calls on, counts them, and fails the ones that a test chose.
///
/// ```swift
/// let files = FaultInjectingFileSystem(POSIXFileSystem())
/// files.fail(.write, at: 3, with: .error(ENOSPC))   // the third write from now on
/// ```
public final class FaultInjectingFileSystem: FileSystem {
    /// What happens instead of the call.
    public enum Fault: Sendable, Hashable {
        /// The call does nothing and throws this error number.
        case error(Int32)
        /// A write stores only the first bytes, as a full disk makes it do, and throws this error number.
        case tornWrite(bytes: Int, code: Int32)
        /// A read or write handles at most this many bytes and succeeds.
        case short(bytes: Int)
    }

    private struct State {
        var counts: [FileSystemError.Operation: Int] = [:]
        var faults: [FileSystemError.Operation: [(calls: ClosedRange<Int>, fault: Fault)]] = [:]
        var callCount = 0
        var openFileCount = 0
        var open: [WeakFile] = []
        var positions: [Int: Fault] = [:]
        /// The call that the process does not live to make; nil while it lives on.
        var death: Int?
        var observer: (@Sendable (Int, FileSystemError.Operation) -> Void)?
    }

    private struct WeakFile {
        weak let file: FaultInjectingFile?
    }

    private let base: any FileSystem
    /// Whether syncs reach the disk; they are counted and may fail in any case.
    fileprivate let passesSyncs: Bool
    private let state = Mutex(State())

    /// Creates a file system that does everything through another one.
    ///
    /// - Parameters:
    ///   - base: The other one.
    ///   - passesSyncs: Whether syncs reach the disk; without, tests that open hundreds of files are fast. False by
    ///     default: no test survives a power cut anyway.
    public init(_ base: any FileSystem, passesSyncs: Bool = false) {
        self.base = base
        self.passesSyncs = passesSyncs
    }

    /// Makes calls fail.
    ///
    /// - Parameters:
    ///   - operation: The calls to count.
    ///   - number: The first call that fails, counted from 1, starting now.
    ///   - times: How many calls in a row fail; 1 by default.
    ///   - fault: What happens instead.
    public func fail(_ operation: FileSystemError.Operation, at number: Int, times: Int = 1, with fault: Fault) {
        state.withLock { state in
            let first = state.counts[operation, default: 0] + number
            state.faults[operation, default: []].append((first...(first + times - 1), fault))
        }
    }

    /// Makes one call fail, whatever it does.
    ///
    /// - Parameters:
    ///   - number: The call, counted from 1 since this file system was made, over all operations.
    ///   - fault: What happens instead.
    public func fail(call number: Int, with fault: Fault) {
        state.withLock { $0.positions[number] = fault }
    }

    /// Plays the death of the process in front of a call: it and all later ones do nothing and throw.
    ///
    /// Closing still closes; ``bury()`` closes what is open, as the system does for the dead.
    ///
    /// - Parameter number: The call, counted from 1 since this file system was made, over all operations.
    public func die(atCall number: Int) {
        state.withLock { $0.death = number }
    }

    /// Lets the process be dead from now on, if it is not, and closes whatever it has open, so that its locks are free.
    public func bury() {
        let open = state.withLock { state in
            state.death = min(state.death ?? .max, state.callCount + 1)
            defer { state.open = [] }
            return state.open.compactMap(\.file)
        }
        for file in open { file.close() }
    }

    /// Counts a call of something else that belongs to the same process, such as a commit of its database.
    ///
    /// - Returns: Whether the process lives to make it.
    public func passes() -> Bool {
        state.withLock { state in
            state.callCount += 1
            return state.death.map { state.callCount < $0 } ?? true
        }
    }

    /// How many calls there were of all operations, failed ones included.
    public var callCount: Int { state.withLock(\.callCount) }

    /// Does something just before each call from now on.
    ///
    /// - Parameter body: Given the number of the call, counted from 1 since this file system was made, and what it does;
    ///   called on the thread of the call.
    public func observe(_ body: @escaping @Sendable (Int, FileSystemError.Operation) -> Void) {
        state.withLock { $0.observer = body }
    }

    /// Forgets the faults that were not met yet.
    public func heal() {
        state.withLock { state in
            state.faults = [:]
            state.positions = [:]
            state.death = nil
            state.observer = nil
        }
    }

    /// Returns how many calls there were, failed ones included.
    public func count(_ operation: FileSystemError.Operation) -> Int {
        state.withLock { $0.counts[operation, default: 0] }
    }

    /// How many files are open now.
    public var openFileCount: Int { state.withLock(\.openFileCount) }

    fileprivate func didOpen() {
        state.withLock { $0.openFileCount += 1 }
    }

    fileprivate func didClose() {
        state.withLock { $0.openFileCount -= 1 }
    }

    /// Counts a call and returns the fault that is meant for it.
    fileprivate func fault(_ operation: FileSystemError.Operation) -> Fault? {
        let (fault, call, observer) = state.withLock { state in
            let number = state.counts[operation, default: 0] + 1
            state.counts[operation] = number
            state.callCount += 1
            let isDead = state.death.map { state.callCount >= $0 } ?? false
            let chosen = isDead ? .error(EIO) : state.positions[state.callCount]
            let fault = chosen ?? state.faults[operation]?.first { $0.calls.contains(number) }?.fault
            return (fault, state.callCount, state.observer)
        }
        observer?(call, operation)
        return fault
    }

    /// Counts a call that is either passed on or fails as a whole.
    fileprivate func check(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
        switch fault(operation) {
        case .error(let code), .tornWrite(_, let code): throw FileSystemError(operation, path: path, code: code)
        case .short, nil: break
        }
    }

    /// Passes the call on.
    public func makeDirectory(_ path: String) throws(FileSystemError) {
        try check(.makeDirectory, path)
        try base.makeDirectory(path)
    }

    /// Passes the call on; the file's own calls are counted as well.
    public func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> any OpenFile {
        try check(.open, path)
        let file = FaultInjectingFile(base: try base.open(path, access), path: path, owner: self)
        state.withLock { state in
            state.open.removeAll { $0.file == nil }
            state.open.append(WeakFile(file: file))
        }
        return file
    }

    /// Passes the call on.
    public func status(_ path: String) throws(FileSystemError) -> FileStatus? {
        try check(.status, path)
        return try base.status(path)
    }

    /// Passes the call on, which counts as one of status.
    public func exists(_ path: String) throws(FileSystemError) -> Bool {
        try check(.status, path)
        return try base.exists(path)
    }

    /// Passes the call on.
    public func list(_ directory: String) throws(FileSystemError) -> [String] {
        try check(.list, directory)
        return try base.list(directory)
    }

    /// Passes the call on.
    public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try check(.rename, path)
        try base.rename(path, to: newPath)
    }

    /// Passes the call on.
    public func remove(_ path: String) throws(FileSystemError) {
        try check(.remove, path)
        try base.remove(path)
    }

    /// Passes the call on.
    public func syncDirectory(_ path: String) throws(FileSystemError) {
        try check(.syncDirectory, path)
        if passesSyncs { try base.syncDirectory(path) }
    }
}

private final class FaultInjectingFile: OpenFile {
    private let base: any OpenFile
    private let path: String
    private let owner: FaultInjectingFileSystem
    private let isOpen = Mutex(true)

    init(base: any OpenFile, path: String, owner: FaultInjectingFileSystem) {
        self.base = base
        self.path = path
        self.owner = owner
        owner.didOpen()
    }

    deinit {
        close()
    }

    func size() throws(FileSystemError) -> UInt64 {
        try owner.check(.size, path)
        return try base.size()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        switch owner.fault(.read) {
        case .error(let code), .tornWrite(_, let code):
            throw FileSystemError(.read, path: path, code: code)
        case .short(let bytes):
            return try base.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(bytes, 1))),
                at: offset
            )
        case nil:
            return try base.read(into: buffer, at: offset)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        switch owner.fault(.write) {
        case .error(let code):
            throw FileSystemError(.write, path: path, code: code)
        case .tornWrite(let count, let code):
            _ = try base.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), at: offset)
            throw FileSystemError(.write, path: path, code: code)
        case .short(let count):
            return try base.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(count, 1))), at: offset)
        case nil:
            return try base.write(bytes, at: offset)
        }
    }

    func synchronize() throws(FileSystemError) {
        try owner.check(.synchronize, path)
        if owner.passesSyncs { try base.synchronize() }
    }

    func truncate(to size: UInt64) throws(FileSystemError) {
        try owner.check(.truncate, path)
        try base.truncate(to: size)
    }

    func lock(waiting: Bool) throws(FileSystemError) -> Bool {
        try owner.check(.lock, path)
        return try base.lock(waiting: waiting)
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { owner.didClose() }
        base.close()
    }
}
