import EventModel
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Room on the disk that is given up when the disk is full, so that a receipt can still be kept.
///
/// A full disk is emptied by uploads, and an upload is over only when its receipt is kept: without this room neither could
/// begin.
struct DiskReserve: Sendable {
    /// The room, in bytes: enough for a hundred receipts.
    static let byteCount = 64 << 10

    private let file: OwnerFile

    /// Names the file; nothing is made.
    init(path: String, in fileSystem: any FileSystem = POSIXFileSystem()) {
        file = OwnerFile(path: path, in: fileSystem)
    }

    /// Runs what writes, once more in the room of the reserve when the disk is full.
    ///
    /// - Throws: What it throws when the disk is full all the same, or for another reason.
    func append(_ write: () throws -> Void) throws {
        do {
            try write()
        } catch let failure as OwnerFile.Failure where failure.isFull {
            guard file.remove() else { throw failure }
            return try write()
        }
        // Made when there is room, which a full disk has again some time; that it cannot be made now is no failure.
        try? fill()
    }

    private func fill() throws(OwnerFile.Failure) {
        guard file.size != Self.byteCount else { return }
        try file.replace(with: [UInt8](repeating: 0, count: Self.byteCount))
    }
}

extension OwnerFile.Failure {
    /// Whether the disk, or what the user may have of it, is full.
    fileprivate var isFull: Bool { number == ENOSPC || number == EDQUOT }
}
