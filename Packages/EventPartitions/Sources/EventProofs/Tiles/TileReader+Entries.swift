extension TileReader {
    /// Returns an entry.
    ///
    /// - Parameter index: Which one, from 0.
    /// - Returns: Its bytes, which the checkpoint is over.
    /// - Throws: ``ProofError/beyondLog(size:)`` when there is none, ``ProofError/missingTile(path:)``, ``ProofError/malformedTile(path:reason:)`` and ``ProofError/alteredTile(path:)``; what the
    ///   storage throws.
    /// - Complexity: O(log *n*) tiles and a bundle, where *n* is the number of entries.
    public mutating func entry(at index: UInt64) throws -> [UInt8] {
        guard index < checkpoint.size else { throw ProofError.beyondLog(size: checkpoint.size) }
        let entries = try entries(ofBundle: index / UInt64(Tile.fullWidth))
        return Array(entries[Int(index % UInt64(Tile.fullWidth))])
    }

    /// Hands over entries one after another, in memory for a bundle alone.
    ///
    /// - Parameters:
    ///   - range: Which ones; all by default.
    ///   - body: Takes the place of an entry and its bytes.
    /// - Throws: As ``entry(at:)``, and what the closure throws.
    public mutating func forEachEntry(
        in range: Range<UInt64>? = nil,
        _ body: (_ index: UInt64, _ entry: ArraySlice<UInt8>) throws -> Void
    ) throws {
        let range = range ?? 0..<checkpoint.size
        guard range.upperBound <= checkpoint.size else { throw ProofError.beyondLog(size: checkpoint.size) }
        var index = range.lowerBound
        while index < range.upperBound {
            let bundle = index / UInt64(Tile.fullWidth)
            for entry in try entries(ofBundle: bundle).dropFirst(Int(index % UInt64(Tile.fullWidth))) {
                guard index < range.upperBound else { break }
                try body(index, entry)
                index += 1
            }
        }
    }

    /// Reads every file of the log, and compares all entries and hashes with the checkpoint.
    ///
    /// - Throws: As ``entry(at:)``: at the first file that is missing or wrong.
    /// - Complexity: O(*n*) hashes, where *n* is the number of entries.
    public mutating func verify() throws {
        try forEachEntry { _, _ in }
        // Every full tile of the levels above was read for one below it.
    }

    /// Returns the checked bytes of a bundle; none for a tree that ends with a full one.
    mutating func bundle(_ tile: Tile?) throws -> [UInt8] {
        guard let tile else { return [] }
        var bytes: [UInt8] = []
        for entry in try entries(ofBundle: tile.index) { EntryBundle.append(Array(entry), to: &bytes) }
        return bytes
    }

    private mutating func entries(ofBundle index: UInt64) throws -> [ArraySlice<UInt8>] {
        guard let tile = Tile.tile(.entries, index: index, of: checkpoint.size) else {
            throw ProofError.beyondLog(size: checkpoint.size)
        }
        let hashes = try row(level: 0, index: index)
        let entries = try Self.entries(of: tile, in: storage)
        guard zip(entries, hashes).allSatisfy({ MerkleHash.leaf($0) == $1 }) else {
            throw ProofError.alteredTile(path: tile.path)
        }
        return entries
    }

    private static func entries(of tile: Tile, in storage: Storage) throws -> [ArraySlice<UInt8>] {
        guard let bytes = try storage.bytes(of: tile, limit: tile.maximumBytes) else {
            guard !tile.isFull, let bytes = try storage.bytes(of: tile.full, limit: tile.full.maximumBytes) else {
                throw ProofError.missingTile(path: tile.path)
            }
            return Array(try EntryBundle.entries(of: bytes, in: tile.full).prefix(tile.width))
        }
        return try EntryBundle.entries(of: bytes, in: tile)
    }
}
