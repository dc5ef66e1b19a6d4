extension Tile {
    /// The number of complete nodes that a tree has at a level of tiles; the entries are those of level 0.
    static func nodes(of size: UInt64, level: Int) -> UInt64 {
        level < levels.upperBound ? size >> UInt64(8 * level) : 0
    }

    /// The partial tiles that end a tree, its bundle of entries first: at most one for each level, and none that is empty.
    ///
    /// - Parameter size: The number of entries.
    /// - Returns: Their names, those of the lower levels first.
    public static func partials(of size: UInt64) -> [Tile] {
        Self.contents.compactMap { partial(of: size, $0) }
    }

    /// The files that are to be written when a tree grows: tiles that are full now and were not, and partial ones that are new.
    ///
    /// - Parameters:
    ///   - old: The number of entries before.
    ///   - new: The number of entries afterwards.
    /// - Returns: Their names, level by level with the entries first; made one by one as they are asked for.
    /// - Precondition: `old <= new`.
    public static func growth(from old: UInt64, to new: UInt64) -> some Sequence<Tile> & Sendable {
        precondition(old <= new, "A log only grows.")
        return TileGrowth(old: old, new: new)
    }

    /// The entries, then the hashes of each level.
    static var contents: [Content] { [.entries] + levels.map { .hashes(level: $0) } }

    static func partial(of size: UInt64, _ content: Content) -> Tile? {
        let nodes = nodes(of: size, level: content.level)
        let width = Int(nodes % UInt64(fullWidth))
        return width == 0 ? nil : Tile(content, index: nodes / UInt64(fullWidth), width: width)
    }

    /// The tile at a place of a tree, as wide as the tree makes it; nil when it has none there.
    static func tile(_ content: Content, index: UInt64, of size: UInt64) -> Tile? {
        let nodes = nodes(of: size, level: content.level)
        guard index <= nodes / UInt64(fullWidth) else { return nil }
        if index < nodes / UInt64(fullWidth) { return Tile(content, index: index, width: fullWidth) }
        return partial(of: size, content)
    }
}

extension Tile.Content {
    /// The level of hashes that the nodes have; entries are leaves.
    var level: Int {
        switch self {
        case .entries: 0
        case .hashes(let level): level
        }
    }
}

/// The names of ``Tile/growth(from:to:)``, one by one.
struct TileGrowth: Sequence, IteratorProtocol, Sendable {
    let old: UInt64
    let new: UInt64
    private var contents = Tile.contents[...]
    private var following: UInt64?

    init(old: UInt64, new: UInt64) {
        self.old = old
        self.new = new
    }

    mutating func next() -> Tile? {
        while let content = contents.first {
            let (before, after) = (Tile.nodes(of: old, level: content.level), Tile.nodes(of: new, level: content.level))
            let index = following ?? before / UInt64(Tile.fullWidth)
            if index < after / UInt64(Tile.fullWidth) {
                following = index + 1
                return Tile(content, index: index, width: Tile.fullWidth)
            }
            contents = contents.dropFirst()
            following = nil
            if after != before, let tile = Tile.partial(of: new, content) { return tile }
        }
        return nil
    }
}
