public import EventModel

/// Reads a log from its files and believes nothing that its checkpoint does not prove.
///
/// Each tile is checked against the one above it, up to the checkpoint's root, before anything of it is used. A reader keeps a few
/// tiles, at most half a megabyte, and one bundle.
///
/// ```swift
/// var reader = try TileReader(TileFolder(at: path, in: POSIXFileSystem()), checkpoint: cosigned.checkpoint)
/// let entry = try reader.entry(at: 7)
/// let proof = try reader.inclusionProof(of: 7)
/// ```
public struct TileReader<Storage: TileStorage>: Sendable {
    /// How many full tiles are kept.
    private static var keptTiles: Int { 64 }

    let storage: Storage
    /// The checkpoint that everything is checked against.
    public let checkpoint: Checkpoint
    /// The hashes of the partial tile of each level; empty where there is none.
    let edge: [[Digest]]
    private var kept: [Tile: [Digest]] = [:]

    /// Opens a log: reads the tiles at its end, and compares their root with the checkpoint's.
    ///
    /// - Parameters:
    ///   - storage: Where its files are.
    ///   - checkpoint: A checkpoint that the caller believes, such as one that a ``WitnessPolicy`` accepted.
    /// - Throws: ``ProofError/missingTile(path:)`` and ``ProofError/malformedTile(path:reason:)``, ``ProofError/alteredEdge(paths:)`` when
    ///   one of the tiles at the end was altered, or ``ProofError/alteredTile(path:)`` when there is but one; what the storage throws.
    public init(_ storage: Storage, checkpoint: Checkpoint) throws {
        self.storage = storage
        self.checkpoint = checkpoint
        var edge: [[Digest]] = []
        var paths: [String] = []
        for level in Tile.levels {
            guard let tile = Tile.partial(of: checkpoint.size, .hashes(level: level)) else {
                edge.append([])
                continue
            }
            edge.append(try Self.hashes(of: tile, in: storage))
            paths.append(tile.path)
        }
        self.edge = edge
        guard TileRow.root(of: edge) == checkpoint.root else {
            // A log without entries has no tile; its root is wrong then.
            guard !paths.isEmpty else {
                throw ProofError.malformedCheckpoint(reason: "a log without entries has another root")
            }
            throw paths.count == 1 ? ProofError.alteredTile(path: paths[0]) : .alteredEdge(paths: paths)
        }
    }

    // MARK: Hashes

    /// Returns the hash of a complete subtree.
    ///
    /// - Throws: ``ProofError/beyondLog(size:)`` when the checkpoint's tree has no such one, ``ProofError/missingTile(path:)``,
    ///   ``ProofError/malformedTile(path:reason:)`` and ``ProofError/alteredTile(path:)``; what the storage throws.
    public mutating func hash(of node: MerkleNode) throws -> Digest {
        guard node.level < 63, node.index < checkpoint.size >> UInt64(node.level) else {
            throw ProofError.beyondLog(size: checkpoint.size)
        }
        let (level, height) = node.level.quotientAndRemainder(dividingBy: 8)
        let first = node.index << UInt64(height)
        let row = try row(level: level, index: first / UInt64(Tile.fullWidth))
        let place = Int(first % UInt64(Tile.fullWidth))
        return TileRow.node(of: row[place..<(place + 1 << height)])
    }

    /// Proves that a leaf is in the checkpoint's tree.
    ///
    /// - Parameter index: The leaf, from 0.
    /// - Returns: The proof, which verifies with the checkpoint's root.
    /// - Throws: As ``hash(of:)``.
    /// - Complexity: O(log *n*) tiles, where *n* is the number of entries.
    public mutating func inclusionProof(of index: UInt64) throws -> InclusionProof {
        let count = checkpoint.size
        guard index < count else { throw ProofError.beyondLog(size: count) }
        let hashes = try hashes(of: MerkleNode.inclusion(of: index, in: count))
        return try StoredMerkleTree(count: count, lookup: Self.lookup(hashes)).inclusionProof(of: index, in: count)
    }

    /// Proves that a smaller tree is the beginning of the checkpoint's.
    ///
    /// - Parameter first: The number of leaves of the smaller tree.
    /// - Returns: The proof, which verifies with the smaller tree's root and the checkpoint's.
    /// - Throws: As ``hash(of:)``.
    /// - Complexity: O(log *n*) tiles, where *n* is the number of entries.
    public mutating func consistencyProof(from first: UInt64) throws -> ConsistencyProof {
        guard first <= checkpoint.size else { throw ProofError.beyondLog(size: checkpoint.size) }
        let hashes = try hashes(of: MerkleNode.consistency(from: first, to: checkpoint.size))
        return try StoredMerkleTree(count: checkpoint.size, lookup: Self.lookup(hashes))
            .consistencyProof(from: first, to: checkpoint.size)
    }

    /// Returns the root over the first leaves, such as that of an older checkpoint.
    ///
    /// - Throws: As ``hash(of:)``.
    public mutating func root(at count: UInt64) throws -> Digest {
        guard count <= checkpoint.size else { throw ProofError.beyondLog(size: checkpoint.size) }
        let peaks = MerkleNode.peaks(of: count)
        let hashes = try hashes(of: peaks)
        return MerkleFrontier(count: count, peaks: peaks.compactMap { hashes[$0] })?.root ?? MerkleHash.empty
    }

    private mutating func hashes(of nodes: [MerkleNode]) throws -> [MerkleNode: Digest] {
        var hashes: [MerkleNode: Digest] = [:]
        for node in nodes { hashes[node] = try hash(of: node) }
        return hashes
    }

    private static func lookup(_ hashes: [MerkleNode: Digest]) -> StoredMerkleTree<any Error>.Lookup {
        { level, index throws(any Error) in
            guard let hash = hashes[MerkleNode(level: level, index: index)] else {
                preconditionFailure("All hashes of a proof are looked up in front of it.")
            }
            return hash
        }
    }

    // MARK: Tiles

    /// Returns the checked hashes of the tile at a place.
    mutating func row(level: Int, index: UInt64) throws -> [Digest] {
        guard let tile = Tile.tile(.hashes(level: level), index: index, of: checkpoint.size) else {
            throw ProofError.beyondLog(size: checkpoint.size)
        }
        guard tile.isFull else { return edge[level] }
        if let row = kept[tile] { return row }
        let place = Int(index % UInt64(Tile.fullWidth))
        let above = try row(level: level + 1, index: index / UInt64(Tile.fullWidth))
        let row = try Self.hashes(of: tile, in: storage)
        guard TileRow.node(of: row) == above[place] else { throw ProofError.alteredTile(path: tile.path) }
        // Which ones are kept matters little: those above are asked for again at once.
        if kept.count >= Self.keptTiles { kept.removeAll() }
        kept[tile] = row
        return row
    }

    private static func hashes(of tile: Tile, in storage: Storage) throws -> [Digest] {
        guard let bytes = try storage.bytes(of: tile, limit: tile.maximumBytes) else {
            // A log may delete a partial tile when the full one is there.
            guard !tile.isFull, let bytes = try storage.bytes(of: tile.full, limit: tile.full.maximumBytes) else {
                throw ProofError.missingTile(path: tile.path)
            }
            return Array(try TileRow.hashes(of: bytes, in: tile.full).prefix(tile.width))
        }
        return try TileRow.hashes(of: bytes, in: tile)
    }
}
