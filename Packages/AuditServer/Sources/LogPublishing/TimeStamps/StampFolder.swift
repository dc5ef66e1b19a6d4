import EventModel

/// The time-stamps of a published log as files: for each a checkpoint and the authority's answer, as `openssl ts` reads them.
///
/// They are called `<entries>.checkpoint` and `<entries>.tsr`; the second one is written last.
public struct StampFolder: Sendable {
    /// A file of a time-stamp.
    public enum File: String, Sendable, CaseIterable {
        /// The checkpoint that the time-stamp is of, a signed note.
        case checkpoint
        /// What the authority answered, in DER.
        case reply = "tsr"
    }

    private let path: String
    private let fileSystem: any FileSystem

    init(at path: String, in fileSystem: any FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// The numbers of entries that checkpoints with a time-stamp have, in order.
    ///
    /// - Throws: `FileSystemError` when the folder is there and cannot be read.
    func sizes() throws(FileSystemError) -> [UInt64] {
        guard try fileSystem.exists(path) else { return [] }
        let suffix = ".\(File.reply.rawValue)"
        let names = try fileSystem.list(path).filter { $0.hasSuffix(suffix) }
        return
            names.compactMap { name in
                UInt64(name.dropLast(suffix.count)).flatMap { Self.name($0, .reply) == name ? $0 : nil }
            }
            .sorted()
    }

    /// Reads a file; nil when there is none.
    ///
    /// - Parameters:
    ///   - file: Which.
    ///   - size: How many entries its checkpoint has.
    ///   - limit: How many bytes are read.
    /// - Returns: Its bytes.
    /// - Throws: `FileSystemError` when it cannot be read.
    func bytes(of file: File, at size: UInt64, limit: Int) throws(FileSystemError) -> [UInt8]? {
        let path = "\(path)/\(Self.name(size, file))"
        guard let length = try fileSystem.status(path)?.size else { return nil }
        let open = try fileSystem.open(path, .read)
        defer { open.close() }
        return try open.bytes(at: 0, count: Int(min(length, UInt64(limit))))
    }

    /// Keeps a time-stamp.
    ///
    /// - Parameters:
    ///   - reply: What the authority answered.
    ///   - checkpoint: The bytes that it is of.
    ///   - size: How many entries they are over.
    /// - Throws: `FileSystemError` when it cannot be written; there is none then.
    func put(_ reply: [UInt8], of checkpoint: [UInt8], at size: UInt64) throws(FileSystemError) {
        try fileSystem.makeDirectory(path)
        try fileSystem.replaceFile(at: "\(path)/\(Self.name(size, .checkpoint))", with: checkpoint)
        try fileSystem.replaceFile(at: "\(path)/\(Self.name(size, .reply))", with: reply)
    }

    private static func name(_ size: UInt64, _ file: File) -> String { "\(size).\(file.rawValue)" }
}
