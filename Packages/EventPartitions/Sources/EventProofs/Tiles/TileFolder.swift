public import EventModel

/// The files of a log in a folder, under the paths that tlog-tiles gives them, so that any web server can serve it.
///
/// Only their owner may read files that a `POSIXFileSystem` makes; whoever wants to serve them under another account copies them.
public struct TileFolder: TileStorage {
    private let path: String
    private let fileSystem: any FileSystem

    /// Describes a folder; it is made when something is stored.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - fileSystem: Where it is.
    public init(at path: String, in fileSystem: any FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// Reads a tile's file.
    ///
    /// - Throws: ``ProofError/tileInaccessible(_:)`` when a call fails.
    public func bytes(of tile: Tile, limit: Int) throws -> [UInt8]? {
        try Self.naming { () throws(FileSystemError) in try bytes(at: "\(path)/\(tile.path)", limit: limit) }
    }

    /// Writes a tile's file.
    ///
    /// - Throws: ``ProofError/immutableTile(path:)`` when it is there with other bytes, and ``ProofError/tileInaccessible(_:)`` when a
    ///   call fails.
    public func put(_ bytes: [UInt8], for tile: Tile) throws {
        let isThere = try Self.naming { () throws(FileSystemError) -> Bool? in
            try self.bytes(at: "\(path)/\(tile.path)", limit: bytes.count).map { $0 == bytes }
        }
        if let isThere {
            guard isThere else { throw ProofError.immutableTile(path: tile.path) }
            return
        }
        try replace("\(path)/\(tile.path)", with: bytes)
    }

    /// Reads the file `checkpoint`.
    ///
    /// - Throws: ``ProofError/tileInaccessible(_:)`` when a call fails.
    public func checkpoint(limit: Int) throws -> [UInt8]? {
        try Self.naming { () throws(FileSystemError) in try bytes(at: "\(path)/checkpoint", limit: limit) }
    }

    /// Replaces the file `checkpoint`.
    ///
    /// - Throws: ``ProofError/tileInaccessible(_:)`` when a call fails.
    public func putCheckpoint(_ bytes: [UInt8]) throws {
        try replace("\(path)/checkpoint", with: bytes)
    }

    private func replace(_ path: String, with bytes: [UInt8]) throws {
        try Self.naming { () throws(FileSystemError) in
            try fileSystem.makeDirectory(FilePaths.parent(of: path))
            try fileSystem.replaceFile(at: path, with: bytes)
        }
    }

    private func bytes(at path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
        guard try fileSystem.status(path) != nil else { return nil }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        let size = try file.size()
        return try file.bytes(at: 0, count: size > UInt64(limit) ? limit + 1 : Int(size))
    }

    private static func naming<Result>(_ body: () throws(FileSystemError) -> Result) throws(ProofError) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw .tileInaccessible(error)
        }
    }
}
