package import EventProofs

/// Tiles of a log that were asked of its server, for a reader that cannot wait.
package struct FetchedTiles: TileStorage {
    /// Thrown when a tile is needed that was not asked for yet.
    struct Wanted: Error {
        let tile: Tile
    }

    /// Thrown to whoever wants to store something: what was fetched is only read.
    struct ReadOnly: Error {}

    /// What the server answered: the bytes, or nil where it has no such tile.
    private var answers: [Tile: [UInt8]?] = [:]

    /// How many tiles were asked for.
    var count: Int { answers.count }

    /// Whether a tile was asked for.
    func wasAsked(for tile: Tile) -> Bool { answers[tile] != nil }

    mutating func add(_ bytes: [UInt8]?, for tile: Tile) { answers[tile] = .some(bytes) }

    /// Returns what was fetched of a tile.
    package func bytes(of tile: Tile, limit: Int) throws -> [UInt8]? {
        guard let answer = answers[tile] else { throw Wanted(tile: tile) }
        return answer.map { Array($0.prefix(limit + 1)) }
    }

    /// Throws.
    package func put(_ bytes: [UInt8], for tile: Tile) throws { throw ReadOnly() }

    /// Returns nothing: checkpoints are judged elsewhere.
    package func checkpoint(limit: Int) -> [UInt8]? { nil }

    /// Throws.
    package func putCheckpoint(_ bytes: [UInt8]) throws { throw ReadOnly() }
}
