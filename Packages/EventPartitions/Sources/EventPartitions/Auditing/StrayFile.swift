public import EventModel

/// Something in an event folder that this library did not make, or does not need any more; it is left alone.
public struct StrayFile: Sendable, Hashable {
    /// The absolute path.
    public let path: String
    /// What it seems to be, for people: a part of a sentence.
    public let reason: String
}

extension PartitionFiles {
    /// Finds what lies in event folders at or below a directory and is not ours, sorted by path.
    ///
    /// Only folders that hold event files are looked at, so a realm beside them is none. Symbolic links are not followed.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - fileSystem: Where to look.
    /// - Returns: What was found.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when a directory cannot be listed.
    public static func strays(
        below directory: String,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> [StrayFile] {
        do throws(FileSystemError) {
            return try strays(in: directory, fileSystem).sorted { $0.path < $1.path }
        } catch {
            throw .fileSystem(error)
        }
    }

    private static func strays(
        in directory: String,
        _ fileSystem: any FileSystem
    ) throws(FileSystemError) -> [StrayFile] {
        let names = try fileSystem.list(directory)
        let folder = FolderNames(names)
        var found: [StrayFile] = []
        for name in names {
            let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
            let kind = try fileSystem.status(path)?.kind
            if kind == .directory, !folder.isEventFolder {
                found += try strays(in: path, fileSystem)
            } else if folder.isEventFolder, let kind, let reason = folder.objection(to: name, kind) {
                found.append(StrayFile(path: path, reason: reason))
            }
        }
        return found
    }
}
