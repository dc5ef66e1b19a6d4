import EventModel

/// The folder of the partitions of one user and prefix: `<root>/realm-audit/<app id>/<user id>/<prefix>`.
public struct EventFolder: Sendable, Hashable {
    /// The folder below the root that holds all event files.
    public static let name = "realm-audit"

    /// The folder that the app chose; may lie behind symbolic links.
    public let root: String
    /// The prefix of the partitions.
    public let prefix: String
    private let components: [String]

    /// Names a folder; nothing is made yet.
    ///
    /// - Parameters:
    ///   - root: An absolute path.
    ///   - appID: The app, `local` without one.
    ///   - userID: The user, `local` without one.
    ///   - prefix: The prefix of the event configuration.
    /// - Throws: ``PartitionError/unsafePath(_:reason:)`` when the root is not absolute or holds `..`, or an id or the
    ///   prefix is empty, `.`, `..`, or holds a slash or a zero byte.
    public init(root: String, appID: String, userID: String, prefix: String) throws(PartitionError) {
        guard root.hasPrefix("/") else { throw .unsafePath(root, reason: "it is not absolute") }
        guard !root.utf8.contains(0), !root.split(separator: "/").contains("..") else {
            throw .unsafePath(root, reason: "it has a component that leads upwards, or a zero byte")
        }
        for component in [appID, userID, prefix] {
            guard !component.isEmpty, component != ".", component != "..",
                !component.utf8.contains(where: { $0 == 0x2F || $0 == 0 }), component.utf8.count <= 255
            else { throw .unsafePath(component, reason: "it is not the name of a folder") }
        }
        var root = root[...]
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        self.root = String(root)
        self.prefix = prefix
        components = [Self.name, appID, userID, prefix]
    }

    /// The absolute path.
    public var path: String { ([root] + components).joined(separator: "/") }

    /// Where the key of the device lies, which all users and prefixes share.
    public var keyPath: String { "\(root)/\(Self.name)/device.key" }

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
        var path = root
        for component in components {
            path += "/" + component
            let status: FileStatus?
            do throws(FileSystemError) {
                try fileSystem.makeDirectory(path)
                status = try fileSystem.status(path)
            } catch {
                throw .fileSystem(error)
            }
            guard status?.kind == .directory else {
                throw .unsafePath(path, reason: "it is a symbolic link or not a folder")
            }
        }
    }

    /// Does something while no other process makes, claims, renames or removes files of the folder.
    func withLock<Result>(in fileSystem: any FileSystem, _ body: () throws -> Result) throws -> Result {
        let file = try fileSystem.open("\(path)/\(PartitionNames.lock)", .writeOrCreate)
        defer { file.close() }
        _ = try file.lock(waiting: true)
        return try body()
    }
}
