import EventModel

/// Something about event files that somebody may want to know, although no promised event was lost.
///
/// The description is one sentence for a log.
@nonexhaustive
public enum PartitionNotice: Sendable, Hashable {
    /// A file ended with bytes that were being written when its process ended; they were cut off.
    case cutOff(path: String, bytes: Range<UInt64>)
    /// A file without events was removed: its process ended before the first one was durable.
    case removedEmpty(path: String)
    /// A call on a file failed: it is not written to any more, and later events go into another one.
    case abandoned(path: String, reason: String)
    /// A damaged file was renamed and is kept; what can be read of it goes on in another one.
    case setAside(path: String, reason: String)
    /// A file that a server refused before is offered again.
    case released(path: String)
    /// A file cannot be recovered now; it is tried again.
    case unrecovered(path: String, reason: String)
    /// How far the server holds a partition could not be noted; events may be sent again after a restart.
    case acknowledgementNotStored(path: String, reason: String)
    /// Files lie in the folder that are not ours; they are left alone.
    case strays(folder: String, files: [StrayFile])
}

extension PartitionNotice: CustomStringConvertible {
    /// A sentence that says what happened and where.
    public var description: String {
        switch self {
        case .cutOff(let path, let bytes):
            "The file \(path) was cut off at byte \(bytes.lowerBound): the \(bytes.count) bytes behind it were being "
                + "written when the process ended, and nobody was promised what they hold."
        case .removedEmpty(let path):
            "The file \(path) held no event and was removed."
        case .abandoned(let path, let reason):
            "The file \(path) is not written to any more, and later events go into another one. \(reason)"
        case .setAside(let path, let reason):
            "The file \(path) was set aside, and what can be read of it is kept in another one. \(reason)"
        case .released(let path):
            "The file \(path), which a server refused before, is offered again."
        case .unrecovered(let path, let reason):
            "The file \(path) cannot be recovered now and is tried again. \(reason)"
        case .acknowledgementNotStored(let path, let reason):
            "How far the server holds a partition could not be noted in \(path); at worst events are sent again. \(reason)"
        case .strays(let folder, let files):
            "In \(folder) lie \(files.count) files that are left alone: "
                + files.prefix(3).map { "\(FilePaths.name(of: $0.path)), \($0.reason)" }.joined(separator: "; ")
                + (files.count > 3 ? "; and more." : ".")
        }
    }
}
