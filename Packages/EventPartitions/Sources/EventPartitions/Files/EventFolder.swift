public import EventModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder of the partitions of one user and prefix: `<root>/realm-audit/<app id>/<user id>/<prefix>`.
public struct EventFolder: Sendable {
    /// The folder below the root that holds all event files.
    public static let name = "realm-audit"
    /// The name of the file with the device's key.
    static let keyName = "device.key"

    /// The folder that the app chose; may lie behind symbolic links.
    public let root: String
    /// The prefix of the partitions.
    public let prefix: String
    /// Whose events lie here, which seals say.
    public let owner: EventOwner
    private var components: [String] { [Self.name, owner.app, owner.user, prefix] }

    /// Names a folder; nothing is made yet.
    ///
    /// - Parameters:
    ///   - root: An absolute path.
    ///   - appID: The app, `local` without one.
    ///   - userID: The user, `local` without one.
    ///   - prefix: The prefix of the event configuration.
    /// - Throws: ``PartitionError/unsafePath(_:reason:)`` when the root is not absolute or holds `..`, or an id or the
    ///   prefix is empty, `.`, `..`, longer than 255 bytes, or holds a slash or a zero byte.
    public init(root: String, appID: String, userID: String, prefix: String) throws(PartitionError) {
        guard root.hasPrefix("/") else {
            throw .unsafePath(root, reason: "it is not absolute; begin it with a slash")
        }
        guard !root.utf8.contains(0) else {
            throw .unsafePath(root, reason: "it holds a zero byte; choose another folder")
        }
        guard !root.split(separator: "/").contains("..") else {
            throw .unsafePath(root, reason: "it leads upwards; write it without ..")
        }
        for (role, component) in [("app", appID), ("user", userID), ("prefix", prefix)] {
            if let reason = Self.problem(with: component) {
                throw .unsafePath(component, reason: "as the folder of the \(role), \(reason)")
            }
        }
        var root = root[...]
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        self.root = String(root)
        self.prefix = prefix
        owner = EventOwner(app: appID, user: userID)
    }

    /// Says why something cannot be the name of a folder; nil when it can.
    private static func problem(with component: String) -> String? {
        if component.isEmpty { return "it is empty; choose a name" }
        if component == "." || component == ".." { return "it leads to another folder; choose another name" }
        if component.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) {
            return "it holds a slash or a zero byte; choose another name"
        }
        return component.utf8.count > 255 ? "it is longer than 255 bytes; choose a shorter name" : nil
    }

    /// The absolute path.
    public var path: String { ([root] + components).joined(separator: "/") }

    /// Where the key of the device lies, which all users and prefixes share.
    public var keyPath: String { "\(root)/\(Self.name)/\(Self.keyName)" }

    /// Where the index of the device's sealed partitions lies, which all users and prefixes share.
    var indexPath: String { "\(root)/\(Self.name)/\(SealedIndex.name)" }

    /// Makes the folder, each level readable by its owner alone.
    ///
    /// - Throws: ``PartitionError/unsafePath(_:reason:)`` when a level below the root is a symbolic link or no folder,
    ///   and ``PartitionError/fileSystem(_:)`` when a call fails.
    func make(in fileSystem: any FileSystem) throws(PartitionError) {
        do throws(FileSystemError) {
            try fileSystem.makeDirectory(root)
        } catch {
            throw .fileSystem(error)
        }
        for path in levels {
            do throws(FileSystemError) {
                try fileSystem.makeDirectory(path)
            } catch {
                throw .fileSystem(error)
            }
            try Self.checkDirectory(path, in: fileSystem)
        }
    }

    /// Does something while no other process makes, claims, renames or removes files of the folder.
    ///
    /// - Throws: ``PartitionError`` when the folder is gone, or something else took its place; and what the closure throws.
    func withLock<Result>(in fileSystem: any FileSystem, _ body: () throws -> Result) throws -> Result {
        for path in levels { try Self.checkDirectory(path, in: fileSystem) }
        let file = try fileSystem.open("\(path)/\(PartitionNames.lock)", .writeOrCreate)
        defer { file.close() }
        _ = try file.lock(waiting: true)
        return try body()
    }

    /// Reads which index the folder belongs to; nil when it belongs to none.
    func marker(in fileSystem: any FileSystem) throws(FileSystemError) -> ObjectId? {
        try Self.marker(in: path, fileSystem)
    }

    /// Reads which index a folder belongs to: what its lock file holds; nil when that is nothing, or not an id.
    static func marker(in folder: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> ObjectId? {
        let path = "\(folder)/\(PartitionNames.lock)"
        guard try fileSystem.status(path)?.kind == .file else { return nil }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        let bytes = try file.bytes(at: 0, count: 25)
        guard bytes.count == 25, bytes.last == 0x0A else { return nil }
        // Anything else is the lock file of an earlier version, or was being written when the power went.
        return try? ObjectId(string: String(decoding: bytes.dropLast(), as: UTF8.self))
    }

    /// Notes which index the folder belongs to, so that nobody can take the index away without being noticed.
    func setMarker(_ id: ObjectId, in fileSystem: any FileSystem) throws(FileSystemError) {
        let file = try fileSystem.open("\(path)/\(PartitionNames.lock)", .writeOrCreate)
        defer { file.close() }
        try file.writeAll(Array("\(id.stringValue)\n".utf8), at: 0)
    }

    /// The folders below the root, the outermost first.
    private var levels: [String] {
        components.indices.map { ([root] + components[...$0]).joined(separator: "/") }
    }

    /// Names of files are looked up through folders, and a link in the place of one would lead all of them elsewhere.
    private static func checkDirectory(_ path: String, in fileSystem: any FileSystem) throws(PartitionError) {
        let status: FileStatus?
        do throws(FileSystemError) {
            status = try fileSystem.status(path)
            if status == nil { throw FileSystemError(.status, path: path, code: ENOENT) }
        } catch {
            throw .fileSystem(error)
        }
        switch status?.kind {
        case .directory: break
        case .symbolicLink:
            throw .unsafePath(path, reason: "it is a symbolic link; remove it, or choose the folder that it points to")
        default:
            throw .unsafePath(path, reason: "it is not a folder; move it away, or choose another folder")
        }
    }
}

extension EventFolder: Hashable {
    /// Compares the bytes of the paths, as the system does.
    public static func == (left: EventFolder, right: EventFolder) -> Bool { left.path.hasSameBytes(as: right.path) }

    /// Feeds the bytes of the path to the hasher.
    public func hash(into hasher: inout Hasher) { path.hashBytes(into: &hasher) }
}
