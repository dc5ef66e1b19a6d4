/// Where the files of a log lie: a folder, a bucket, a server.
///
/// What has a ``Tile`` as its name never changes; the checkpoint does. Implementing: safe to call from any thread for different tiles;
/// of one log there is one writer at a time, which is for its owner to see to.
public protocol TileStorage: Sendable {
    /// Returns what is stored of a tile.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - limit: How many bytes are wanted at most, so that nobody is flooded.
    /// - Returns: The whole file, or one byte more than the limit when it is longer; nil when there is none.
    /// - Throws: Whatever keeps it from being read.
    func bytes(of tile: Tile, limit: Int) throws -> [UInt8]?

    /// Stores a tile; it is there as a whole, and durable, when the call returns, and not at all or as a whole after a throw.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - tile: The tile.
    /// - Throws: ``ProofError/immutableTile(path:)`` when the tile is there with other bytes, which are kept; nothing when it is there with the
    ///   same ones. Whatever else keeps it from being stored.
    func put(_ bytes: [UInt8], for tile: Tile) throws

    /// Returns the newest checkpoint; nil before the first one.
    ///
    /// - Parameter limit: How many bytes are wanted at most.
    /// - Returns: The whole note, or one byte more than the limit when it is longer.
    /// - Throws: Whatever keeps it from being read.
    func checkpoint(limit: Int) throws -> [UInt8]?

    /// Replaces the checkpoint in one step, durable when the call returns.
    ///
    /// - Parameter bytes: The whole note.
    /// - Throws: Whatever keeps it from being stored; the one before, or this one, is there then.
    func putCheckpoint(_ bytes: [UInt8]) throws
}
