import EventProofs

/// What of a log is in a bucket by all that is known, and so what is to be put there and removed.
struct BucketPlan: Sendable {
    /// The tiles that are put before what is done is noted.
    struct Page: Sendable {
        let tiles: [Tile]
        fileprivate let end: UInt64
        fileprivate let isOfEntries: Bool
    }

    /// How many entries are between the notes.
    static let pageEntries: UInt64 = 8192
    /// Of how many copies the partial tiles stay, for readers who took the checkpoint a while ago.
    static let keptCopies = 4

    private let copiesEntries: Bool
    /// All full tiles of hashes of a log of this size are there.
    private var hashes: UInt64 = 0
    /// All full bundles of entries of a log of this size are there.
    private var entries: UInt64 = 0
    private var partials = PartialTiles(keeping: Self.keptCopies)
    /// The partial tiles that are there.
    private var present: Set<Tile> = []
    /// The tiles that no kept copy needs any more; the newest ones last.
    private(set) var outdated: [Tile] = []

    init(copiesEntries: Bool) {
        self.copiesEntries = copiesEntries
    }

    /// Notes what a checkpoint in the bucket says.
    ///
    /// - Parameters:
    ///   - size: How many entries it has.
    ///   - hasEntries: Whether the entries are there as well.
    mutating func find(_ size: UInt64, hasEntries: Bool) {
        hashes = max(hashes, size)
        if hasEntries { entries = max(entries, size) }
        present.formUnion(partials(of: size).filter { hasEntries || $0.content != .entries })
    }

    /// Forgets everything: each tile is put, or compared, again.
    mutating func beginAnew() { self = BucketPlan(copiesEntries: copiesEntries) }

    /// The full tiles that come next; nil when those of this size are all there.
    ///
    /// - Parameter size: How many entries the log has.
    /// - Returns: Some of them, entries first.
    func next(to size: UInt64) -> Page? {
        for isOfEntries in copiesEntries ? [true, false] : [false] {
            let start = isOfEntries ? entries : hashes
            guard start < size else { continue }
            let end = min(size, start + Self.pageEntries)
            let tiles = Tile.growth(from: start, to: end)
                .filter { $0.isFull && ($0.content == .entries) == isOfEntries }
            return Page(tiles: tiles, end: end, isOfEntries: isOfEntries)
        }
        return nil
    }

    /// Notes that all tiles of a page are there.
    mutating func note(_ page: Page) {
        if page.isOfEntries { entries = page.end } else { hashes = page.end }
    }

    /// Whether a partial tile is still to be put.
    func lacks(_ tile: Tile) -> Bool { !present.contains(tile) }

    /// Notes that a partial tile is there.
    mutating func note(_ tile: Tile) { present.insert(tile) }

    /// The partial tiles of a size, without the entries where they are not wanted.
    func partials(of size: UInt64) -> [Tile] {
        Tile.partials(of: size).filter { copiesEntries || $0.content != .entries }
    }

    /// Notes that the partial tiles of a size are put, and so which are not needed any more once its checkpoint is there.
    mutating func putPartials(of size: UInt64) { outdated += partials.add(size) }

    /// Notes partial tiles that an earlier process left.
    mutating func leave(_ tiles: [Tile]) { outdated += tiles }

    /// Notes that the last one of ``outdated`` is gone.
    mutating func removeLast() { present.remove(outdated.removeLast()) }
}
