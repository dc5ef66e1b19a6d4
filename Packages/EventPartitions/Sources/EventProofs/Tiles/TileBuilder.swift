public import EventModel

/// A file of a log: its name and what it holds.
public struct TileFile: Sendable, Hashable {
    /// The name.
    public let tile: Tile
    /// The whole file.
    public let bytes: [UInt8]
}

/// The end of a log in memory: takes entries, and gives the files that they complete.
///
/// It keeps at most 255 entries and 255 hashes for each level, at most 17 MB. It does nothing but compute: ``TileWriter`` stores.
///
/// ```swift
/// var builder = TileBuilder()
/// let full = try builder.append(entry)     // the tiles that became full, mostly none
/// let rest = builder.partials()            // what a checkpoint of this size needs besides
/// ```
public struct TileBuilder: Sendable {
    /// The entries of the last bundle, as they stand in it.
    private var bundle: [UInt8] = []
    /// The hashes of the last tile of each level.
    private var rows: [[Digest]] = []
    /// How many entries there are.
    public private(set) var size: UInt64 = 0

    /// Creates the end of a log without entries.
    public init() {}

    /// Takes up a log where it ended.
    ///
    /// - Parameters:
    ///   - size: How many entries it has.
    ///   - bundle: The bytes of its partial bundle.
    ///   - rows: The hashes of its partial tile of each level; empty where it has none.
    init(size: UInt64, bundle: [UInt8], rows: [[Digest]]) {
        self.size = size
        self.bundle = bundle
        self.rows = rows
    }

    /// The root over all entries.
    ///
    /// - Complexity: O(*k*) hashes, where *k* is the number of hashes that are kept, at most 255 for each level.
    public var root: Digest { TileRow.root(of: rows) }

    /// Appends an entry.
    ///
    /// - Parameter entry: Its bytes, at most ``EntryBundle/maximumEntryBytes``.
    /// - Returns: The files that it makes full, the entries first; mostly none.
    /// - Throws: ``ProofError/entryTooLarge(index:bytes:)`` when it is longer; nothing was appended.
    /// - Complexity: O(*n*) in its bytes, and amortized one hash besides.
    public mutating func append(_ entry: [UInt8]) throws(ProofError) -> [TileFile] {
        guard entry.count <= EntryBundle.maximumEntryBytes else {
            throw .entryTooLarge(index: size, bytes: entry.count)
        }
        EntryBundle.append(entry, to: &bundle)
        var files: [TileFile] = []
        var hash = MerkleHash.leaf(entry)
        size += 1
        if size.isMultiple(of: UInt64(Tile.fullWidth)) {
            files.append(TileFile(tile: .entries(index: size / UInt64(Tile.fullWidth) - 1), bytes: bundle))
            bundle = []
        }
        for level in Tile.levels {
            if rows.count == level { rows.append([]) }
            rows[level].append(hash)
            guard rows[level].count == Tile.fullWidth else { break }
            let index = Tile.nodes(of: size, level: level + 1) - 1
            files.append(TileFile(tile: Tile(level: level, index: index), bytes: TileRow.bytes(of: rows[level])))
            hash = TileRow.node(of: rows[level])
            rows[level] = []
        }
        return files
    }

    /// Returns the partial tiles that a checkpoint of this size needs besides the full ones.
    ///
    /// - Parameter published: The size of a checkpoint whose tiles are there already; 0 for none.
    /// - Returns: The files that are not among those, the entries first.
    public func partials(since published: UInt64 = 0) -> [TileFile] {
        Tile.partials(of: size)
            .filter { Tile.partial(of: published, $0.content) != $0 }
            .map { tile in
                switch tile.content {
                case .entries: TileFile(tile: tile, bytes: bundle)
                case .hashes(let level): TileFile(tile: tile, bytes: TileRow.bytes(of: rows[level]))
                }
            }
    }
}
