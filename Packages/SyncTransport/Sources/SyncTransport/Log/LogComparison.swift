package import EventProofs

/// The comparison of a log's newest checkpoint with the one that this device kept: says which tiles it needs, then judges.
///
/// Does nothing itself. The owner calls ``next()``, fetches what is asked for, hands it over, and calls it again. Both checkpoints were
/// accepted by the policy before.
///
/// ```
///  kept   newest                                    verdict
///  none   any                                       first
///  n      n, same root                              unchanged
///  n      n, another root                           contradicted
///  n      m > n, n entries of its tree have ours    grown
///  n      m < n, m entries of our tree have its     behind: an old copy, such as a cache's
///  n      m, another root there                     contradicted
///  n      m, the tiles do not prove m's or n's root unproven
/// ```
package struct LogComparison: Sendable {
    /// What comes next.
    package enum Step: Sendable, Equatable {
        /// Fetch these tiles, call ``LogComparison/didFetch(_:of:)`` for each, then ``LogComparison/next()``.
        case fetch([Tile])
        /// It is over.
        case judge(Verdict)
    }

    /// What the newest checkpoint is to the kept one.
    package enum Verdict: Sendable, Equatable {
        /// None was kept, so that this one is trusted and is to be kept.
        case first
        /// The log has not grown.
        case unchanged
        /// The log has grown, and nothing before was touched: the newest one is to be kept.
        case grown
        /// The log was so once, and the kept one is newer.
        case behind
        /// What the log signed contradicts itself.
        case contradicted(LogContradiction)
        /// Tiles are missing, cut off or altered, so that nothing is known.
        case unproven(ProofError)
    }

    /// How many tiles one comparison asks for at most; a log of 2^63 entries needs fewer.
    static let maximumTiles = 64

    private let kept: SignedCheckpoint?
    private let newest: SignedCheckpoint
    private var tiles = FetchedTiles()

    /// Begins a comparison.
    ///
    /// - Parameters:
    ///   - kept: The last checkpoint of the log that is believed; nil when there is none.
    ///   - newest: What the server showed, after its signature was checked.
    package init(kept: SignedCheckpoint?, newest: SignedCheckpoint) {
        self.kept = kept
        self.newest = newest
    }

    /// How many tiles were asked for.
    package var tileCount: Int { tiles.count }

    /// Takes a tile that was asked for.
    ///
    /// - Parameters:
    ///   - bytes: The whole file; nil when the server has none of that name.
    ///   - tile: Its name.
    package mutating func didFetch(_ bytes: [UInt8]?, of tile: Tile) { tiles.add(bytes, for: tile) }

    /// Says what to do next.
    ///
    /// - Complexity: O(log *n*) tiles in all, where *n* is the number of entries.
    package func next() -> Step {
        guard let kept else { return .judge(.first) }
        let (old, new) = (kept.checkpoint, newest.checkpoint)
        if old.size == new.size {
            // The extension lines and signatures may differ: what binds the entries is the root.
            guard old.root != new.root else { return .judge(.unchanged) }
            return .judge(.contradicted(.fork(smaller: kept, larger: newest, root: old.root, path: [])))
        }
        let (smaller, larger) = old.size < new.size ? (kept, newest) : (newest, kept)
        // The end of the larger tree is needed whatever comes, so that it is asked for at once.
        let edge = Tile.partials(of: larger.checkpoint.size).filter { $0.content != .entries }
        let unasked = edge.filter { !tiles.wasAsked(for: $0) }
        guard unasked.isEmpty else { return .fetch(unasked) }
        do {
            var reader = try TileReader(tiles, checkpoint: larger.checkpoint)
            let root = try reader.root(at: smaller.checkpoint.size)
            guard root != smaller.checkpoint.root else { return .judge(old.size < new.size ? .grown : .behind) }
            let path = try reader.consistencyProof(from: smaller.checkpoint.size).path
            return .judge(.contradicted(.fork(smaller: smaller, larger: larger, root: root, path: path)))
        } catch let wanted as FetchedTiles.Wanted {
            guard tiles.count < Self.maximumTiles else {
                return .judge(.unproven(.missingTile(path: wanted.tile.path)))
            }
            return .fetch([wanted.tile])
        } catch let error as ProofError {
            return .judge(.unproven(error))
        } catch {
            preconditionFailure("Tiles that were fetched throw nothing else, not \(error).")
        }
    }
}
