#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FileSystemError {
    /// Whether there was nothing at the path.
    public var isMissing: Bool { code == ENOENT }

    /// What somebody can do about it, as a sentence; nil when the error number says nothing that helps.
    public var remedy: String? {
        switch code {
        case EACCES, EPERM: "Let the user that runs this program read and write there, or choose another folder."
        case EROFS: "The disk can only be read; choose a folder on another one."
        case ENOSPC: "Free some space on the disk."
        case EDQUOT: "Free some of what the user keeps on the disk, or raise the limit for the user."
        case EIO: "The disk failed; check it before you trust it again."
        case ENOENT:
            "A part of the path is gone; put the folder back, or open everything in it again to make a new one."
        case ENOTDIR: "A part of the path is a file; remove it, or choose another folder."
        case EISDIR: "A folder lies where a file belongs; move it away."
        case ELOOP: "A symbolic link lies there and is not followed; remove it, or name the place that it points to."
        case ENAMETOOLONG: "Choose a folder with a shorter path."
        case EMFILE, ENFILE: "Close some files, or raise the limit of open files."
        case ENOLCK, EOPNOTSUPP: "The file system has no locks; choose a folder on a disk of this machine."
        case EINVAL where path.utf8.contains(0): "The path holds a zero byte; choose another one."
        case EINVAL: "Something other than a file or folder lies there; move it away."
        default: nil
        }
    }
}
