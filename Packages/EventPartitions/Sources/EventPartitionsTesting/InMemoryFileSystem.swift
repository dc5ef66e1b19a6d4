public import EventModel
import EventModelTesting
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A disk in memory that knows what a power cut would leave of it.
///
/// Written bytes and changed names are there at once, and durable only after `synchronize()` and `syncDirectory(_:)`, as
/// POSIX says. ``afterPowerCut(_:)`` gives the disk as the next start of the machine may find it.
public final class InMemoryFileSystem: FileSystem {
    /// What a power cut does to what was not synced.
    public enum PowerCut: Sendable, Hashable {
        /// All of it is lost.
        case losesAll
        /// Nothing is lost: what a killed process leaves.
        case losesNothing
        /// Each write of a sector is there or not, and names up to some change, as the seed decides.
        case losesSome(seed: UInt64)
    }

    struct State {
        var directories: Set<String> = ["/"]
        var names: [String: InMemoryFile.Content] = [:]
        /// The names as they are on the disk.
        var durableNames: [String: InMemoryFile.Content] = [:]
        /// The changes of names since the last sync of their directory, in order.
        var changes: [Change] = []
    }

    /// A change of a directory; a rename is one.
    struct Change {
        let directory: String
        let removed: String?
        let added: (path: String, content: InMemoryFile.Content)?
    }

    private let state = Mutex(State())
    private let fullness = Fullness()

    /// Whether the disk is full: no file becomes longer then and none is made, while what is there can be written over.
    public var isFull: Bool {
        get { fullness.isFull.load(ordering: .relaxed) }
        set { fullness.isFull.store(newValue, ordering: .relaxed) }
    }

    /// Creates an empty disk.
    public init() {}

    private init(_ other: State) {
        state.withLock { $0 = other }
    }

    // MARK: FileSystem

    /// Makes a directory, durable at once, and the missing ones above it.
    public func makeDirectory(_ path: String) throws(FileSystemError) {
        let made = state.withLock { state in
            guard state.names[path] == nil else { return false }
            var path = path
            while path.count > 1 {
                state.directories.insert(path)
                path = Self.parent(of: path)
            }
            return true
        }
        guard made else { throw FileSystemError(.makeDirectory, path: path, code: ENOTDIR) }
    }

    /// Opens a file.
    public func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> any OpenFile {
        let result: Result<InMemoryFile.Content, FileSystemError> = state.withLock { state in
            func failure(_ code: Int32) -> Result<InMemoryFile.Content, FileSystemError> {
                .failure(FileSystemError(.open, path: path, code: code))
            }
            guard state.directories.contains(Self.parent(of: path)) else { return failure(ENOENT) }
            guard !state.directories.contains(path) else { return failure(EISDIR) }
            if let content = state.names[path] { return access == .create ? failure(EEXIST) : .success(content) }
            guard access == .create || access == .writeOrCreate else { return failure(ENOENT) }
            guard !isFull else { return failure(ENOSPC) }
            let content = InMemoryFile.Content()
            state.names[path] = content
            state.changes.append(Change(directory: Self.parent(of: path), removed: nil, added: (path, content)))
            return .success(content)
        }
        return InMemoryFile(try result.get(), path: path, on: fullness)
    }

    /// Describes what is at a path.
    public func status(_ path: String) throws(FileSystemError) -> FileStatus? {
        state.withLock { state in
            if state.directories.contains(path) { return FileStatus(kind: .directory, size: 0, permissions: 0o700) }
            return state.names[path].map { FileStatus(kind: .file, size: $0.size, permissions: 0o600) }
        }
    }

    /// Says whether anything is at a path.
    public func exists(_ path: String) throws(FileSystemError) -> Bool { try status(path) != nil }

    /// Lists the names in a directory.
    public func list(_ directory: String) throws(FileSystemError) -> [String] {
        let names: [String]? = state.withLock { state in
            guard state.directories.contains(directory) else { return nil }
            let paths =
                state.names.keys.filter { Self.parent(of: $0) == directory }
                + state.directories.filter { $0 != "/" && Self.parent(of: $0) == directory }
            return paths.map(Self.name).sorted()
        }
        guard let names else { throw FileSystemError(.list, path: directory, code: ENOENT) }
        return names
    }

    /// Renames a file.
    public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        let done = state.withLock { state in
            guard let content = state.names.removeValue(forKey: path) else { return false }
            state.names[newPath] = content
            state.changes.append(Change(directory: Self.parent(of: path), removed: path, added: (newPath, content)))
            return true
        }
        guard done else { throw FileSystemError(.rename, path: path, code: ENOENT) }
    }

    /// Removes a file.
    public func remove(_ path: String) throws(FileSystemError) {
        let done = state.withLock { state in
            guard state.names.removeValue(forKey: path) != nil else { return false }
            state.changes.append(Change(directory: Self.parent(of: path), removed: path, added: nil))
            return true
        }
        guard done else { throw FileSystemError(.remove, path: path, code: ENOENT) }
    }

    /// Makes the changes of a directory durable.
    public func syncDirectory(_ path: String) throws(FileSystemError) {
        state.withLock { state in
            for change in state.changes where change.directory == path { change.apply(to: &state.durableNames) }
            state.changes.removeAll { $0.directory == path }
        }
    }

    // MARK: Tests

    /// Returns the disk as the next start of the machine may find it; this one is not changed.
    public func afterPowerCut(_ cut: PowerCut) -> InMemoryFileSystem {
        state.withLock { state in
            var random = PowerCutRandomness(cut)
            var names = state.durableNames
            // A journal of names keeps their order, so what is lost is what was changed last.
            for change in state.changes {
                guard random.keeps() else { break }
                change.apply(to: &names)
            }
            // In the order of the names, so that the same seed always gives the same disk.
            var files: [String: InMemoryFile.Content] = [:]
            for (path, content) in names.sorted(by: { $0.key < $1.key }) {
                files[path] = content.afterPowerCut(&random)
            }
            return InMemoryFileSystem(State(directories: state.directories, names: files, durableNames: files))
        }
    }

    /// Puts a file onto the disk, durable at once.
    public func place(_ bytes: [UInt8], at path: String) {
        let content = InMemoryFile.Content(bytes)
        state.withLock { state in
            state.names[path] = content
            state.durableNames[path] = content
        }
    }

    /// The bytes of all files by their paths.
    public var allContents: [String: [UInt8]] {
        state.withLock(\.names).mapValues(\.bytes)
    }

    /// Returns the bytes of a file; nil when there is none.
    public func contents(of path: String) -> [UInt8]? {
        state.withLock { $0.names[path] }?.bytes
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}

/// Whether a disk in memory is full, as its open files know it.
final class Fullness: Sendable {
    let isFull = Atomic(false)
}

extension InMemoryFileSystem.Change {
    fileprivate func apply(to names: inout [String: InMemoryFile.Content]) {
        if let removed { names[removed] = nil }
        if let added { names[added.path] = added.content }
    }
}

/// Decides what survives a power cut.
struct PowerCutRandomness {
    private let cut: InMemoryFileSystem.PowerCut
    private var random: SeededGenerator

    init(_ cut: InMemoryFileSystem.PowerCut) {
        self.cut = cut
        random = if case .losesSome(let seed) = cut { SeededGenerator(seed: seed) } else { SeededGenerator(seed: 0) }
    }

    /// Whether one thing that was not synced is there.
    mutating func keeps() -> Bool {
        switch cut {
        case .losesAll: false
        case .losesNothing: true
        case .losesSome: random.once(in: 2)
        }
    }
}
