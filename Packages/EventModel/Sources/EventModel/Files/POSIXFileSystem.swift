#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file system of the machine.
public struct POSIXFileSystem: FileSystem {
    /// Creates the file system, which has no state: any two are the same.
    public init() {}

    /// Makes a directory with mode 0700, and the missing ones above it.
    public func makeDirectory(_ path: String) throws(FileSystemError) {
        try Self.check(path, for: .makeDirectory)
        guard let code = Self.make(path) else { return try syncDirectory(FilePaths.parent(of: path)) }
        switch code {
        case EEXIST:
            guard try status(path)?.kind != .file else {
                throw FileSystemError(.makeDirectory, path: path, code: ENOTDIR)
            }
        case ENOENT where path != "/" && !path.isEmpty:
            try makeDirectory(FilePaths.parent(of: path))
            // Behind a symbolic link that points nowhere it is missing again; one attempt is enough.
            if let code = Self.make(path), code != EEXIST {
                throw FileSystemError(.makeDirectory, path: path, code: code)
            }
            try syncDirectory(FilePaths.parent(of: path))
        default:
            throw FileSystemError(.makeDirectory, path: path, code: code)
        }
    }

    /// Makes a directory; returns the error number, or nil when it was made.
    private static func make(_ path: String) -> Int32? {
        mkdir(path, 0o700) == 0 ? nil : errno
    }

    /// The system would take a path with a zero byte for the part in front of it.
    private static func check(
        _ path: String,
        for operation: FileSystemError.Operation
    ) throws(FileSystemError) {
        if path.utf8.contains(0) { throw FileSystemError(operation, path: path, code: EINVAL) }
    }

    /// Opens a file without following a symbolic link and without handing it to child processes.
    public func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> any OpenFile {
        let flags: Int32 =
            switch access {
            case .read: O_RDONLY
            case .write: O_RDWR
            case .writeOrCreate: O_RDWR | O_CREAT
            case .create: O_RDWR | O_CREAT | O_EXCL
            }
        // Opening a pipe that somebody left there must not wait for its other end.
        let file = POSIXFile(try Self.descriptor(path, flags | O_NONBLOCK), path: path)
        guard try file.isRegular() else {
            file.close()
            throw FileSystemError(.open, path: path, code: EINVAL)
        }
        return file
    }

    /// Describes what is at a path.
    public func status(_ path: String) throws(FileSystemError) -> FileStatus? {
        try Self.check(path, for: .status)
        var info = stat()
        guard lstat(path, &info) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw FileSystemError(.status, path: path, code: code)
        }
        let kind: FileStatus.Kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        return FileStatus(kind: kind, size: UInt64(info.st_size), permissions: UInt16(info.st_mode & 0o7777))
    }

    /// Says whether anything is at a path.
    public func exists(_ path: String) throws(FileSystemError) -> Bool {
        try Self.check(path, for: .status)
        guard access(path, F_OK) != 0 else { return true }
        let code = errno
        guard code == ENOENT else { throw FileSystemError(.status, path: path, code: code) }
        return false
    }

    /// Lists the names in a directory.
    public func list(_ directory: String) throws(FileSystemError) -> [String] {
        try Self.check(directory, for: .list)
        guard let stream = opendir(directory) else { throw FileSystemError(.list, path: directory, code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                let code = errno
                guard code == 0 else { throw FileSystemError(.list, path: directory, code: code) }
                return names
            }
            // The entry is only as long as its name, so the name is read where it is and not as the whole array.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            if name != "." && name != ".." { names.append(name) }
        }
    }

    /// Renames a file.
    public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try Self.check(path, for: .rename)
        try Self.check(newPath, for: .rename)
        #if canImport(Darwin)
        let result = Darwin.rename(path, newPath)
        #elseif canImport(Glibc)
        let result = Glibc.rename(path, newPath)
        #elseif canImport(Musl)
        let result = Musl.rename(path, newPath)
        #endif
        guard result == 0 else { throw FileSystemError(.rename, path: path, code: errno) }
    }

    /// Removes a file.
    public func remove(_ path: String) throws(FileSystemError) {
        try Self.check(path, for: .remove)
        guard unlink(path) == 0 else { throw FileSystemError(.remove, path: path, code: errno) }
    }

    /// Makes the names in a directory durable.
    public func syncDirectory(_ path: String) throws(FileSystemError) {
        let descriptor: Int32
        do {
            // The root of event files may be a symbolic link.
            descriptor = try Self.descriptor(path, O_RDONLY | O_DIRECTORY, followsLink: true)
        } catch {
            throw FileSystemError(.syncDirectory, path: path, code: error.code)
        }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileSystemError(.syncDirectory, path: path, code: errno) }
    }

    #if canImport(Darwin)
    /// Lets the system encrypt a file until its owner has unlocked the device once after it was started.
    ///
    /// A stricter class would keep an app from recording while the device is locked. A volume without protection classes,
    /// such as that of a Mac, refuses the call, and there is nothing to be done about it.
    private static func protect(_ descriptor: Int32) {
        let untilFirstUserAuthentication: Int32 = 3
        _ = fcntl(descriptor, F_SETPROTECTIONCLASS, untilFirstUserAuthentication)
    }
    #endif

    private static func descriptor(
        _ path: String,
        _ flags: Int32,
        followsLink: Bool = false
    ) throws(FileSystemError) -> Int32 {
        try check(path, for: .open)
        let flags = flags | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        while true {
            #if canImport(Darwin)
            let descriptor = Darwin.open(path, flags, 0o600)
            if descriptor >= 0, flags & O_CREAT != 0 { protect(descriptor) }
            #elseif canImport(Glibc)
            let descriptor = Glibc.open(path, flags, 0o600)
            #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags, 0o600)
            #endif
            if descriptor >= 0 { return descriptor }
            let code = errno
            guard code == EINTR else { throw FileSystemError(.open, path: path, code: code) }
        }
    }
}
