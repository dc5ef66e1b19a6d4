import EventProofs

/// The partial tiles of the newest checkpoints, which stay for readers who are behind; those of older ones go.
///
/// Without that, a log that grows entry by entry would have 256 files for each full tile, half as large as it on average.
/// Readers who miss one take the full tile, or a newer checkpoint, as tlog-tiles says.
struct PartialTiles: Sendable {
    /// Of how many checkpoints the partial tiles stay.
    static let keptCheckpoints = 16

    private let kept: Int
    private var sizes: [UInt64] = []

    /// Begins without any.
    ///
    /// - Parameter kept: Of how many checkpoints they stay.
    init(keeping kept: Int = Self.keptCheckpoints) {
        self.kept = kept
    }

    /// Notes the size of a checkpoint that was published.
    ///
    /// - Returns: The tiles that no kept checkpoint needs any more; none most often while the process is young.
    mutating func add(_ size: UInt64) -> [Tile] {
        guard sizes.last != size else { return [] }
        sizes.append(size)
        guard sizes.count > kept else { return [] }
        let dropped = sizes.removeFirst()
        let needed = Set(sizes.flatMap { Tile.partials(of: $0) })
        return Tile.partials(of: dropped).filter { !needed.contains($0) }
    }
}
