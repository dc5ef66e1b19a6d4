public import EventModel
public import EventProofs

/// Where the files of a published log lie; of one folder there is one publisher.
///
/// ```swift
/// let folder = LogFolder(at: "/srv/daybook/log", in: POSIXFileSystem())
/// ```
public struct LogFolder: Sendable {
    /// The files as readers know them.
    public let tiles: TileFolder
    private let path: String
    private let fileSystem: any FileSystem

    /// Describes a folder; it is made when something is published.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - fileSystem: Where it is.
    public init(at path: String, in fileSystem: any FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
        tiles = TileFolder(at: path, in: fileSystem)
    }

    /// Reads the newest checkpoint that had enough cosignatures; nil before there was one.
    ///
    /// - Throws: `FileSystemError` when it cannot be read.
    func cosigned() throws(FileSystemError) -> [UInt8]? {
        guard let size = try fileSystem.status(cosignedPath)?.size else { return nil }
        let file = try fileSystem.open(cosignedPath, .read)
        defer { file.close() }
        return try file.bytes(at: 0, count: Int(min(size, UInt64(SignedNote.maximumBytes + 1))))
    }

    /// Replaces it.
    ///
    /// - Throws: `FileSystemError` when it cannot be written.
    func putCosigned(_ signed: SignedCheckpoint) throws(FileSystemError) {
        try fileSystem.makeDirectory(path)
        try fileSystem.replaceFile(at: cosignedPath, with: signed.note.bytes)
    }

    private var cosignedPath: String { "\(path)/cosigned" }

    /// Where time-stamps are.
    var stamps: StampFolder { StampFolder(at: "\(path)/time-stamps", in: fileSystem) }

    /// Removes tiles that no checkpoint needs any more; what is gone already is none.
    ///
    /// - Throws: `FileSystemError` when a file cannot be removed; the next ones are still there then.
    func remove(_ tiles: [Tile]) throws(FileSystemError) {
        for tile in tiles where try fileSystem.status("\(path)/\(tile.path)") != nil {
            try fileSystem.remove("\(path)/\(tile.path)")
        }
    }

    /// Removes the partial tiles beside these and before them, which earlier processes left.
    ///
    /// - Parameter tiles: The partial tiles of the newest checkpoint.
    /// - Throws: `FileSystemError` when a file cannot be removed.
    func removeNeighbours(of tiles: [Tile]) throws(FileSystemError) {
        for tile in tiles {
            for index in [tile.index, tile.index &- 1] where index <= tile.index {
                let folder = "\(path)/\(FilePaths.parent(of: Self.partial(tile, at: index).path))"
                guard try fileSystem.status(folder) != nil else { continue }
                for name in try fileSystem.list(folder) where index != tile.index || name != "\(tile.width)" {
                    try fileSystem.remove("\(folder)/\(name)")
                }
            }
        }
    }

    private static func partial(_ tile: Tile, at index: UInt64) -> Tile {
        switch tile.content {
        case .entries: .entries(index: index, width: 1)
        case .hashes(let level): Tile(level: level, index: index, width: 1)
        }
    }
}
