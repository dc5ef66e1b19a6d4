public import EventModel

/// Writes the files of a log as it grows.
///
/// Full tiles are written as soon as they are, in memory for the log's end alone. Then ``publish(_:)`` writes the partial ones, and the
/// checkpoint last of all: whoever reads it finds every file that it needs.
///
/// An entry must be durable elsewhere before it is appended here. After a crash the log is taken up at its last checkpoint and the same
/// entries are appended again; other ones would contradict tiles that somebody may have read, and are an error.
///
/// ```swift
/// var writer = try TileWriter(TileFolder(at: path, in: POSIXFileSystem()), from: nil)
/// try writer.append(entry)
/// try writer.publish { size, root in try sign(size, root) }
/// ```
public struct TileWriter<Storage: TileStorage>: Sendable {
    private let storage: Storage
    private var builder: TileBuilder
    /// The size of the checkpoint whose tiles are all there.
    public private(set) var published: UInt64

    /// Takes up a log where a checkpoint ended it.
    ///
    /// - Parameters:
    ///   - storage: Where its files are.
    ///   - checkpoint: The last checkpoint, which the caller believes; nil for a log without one.
    /// - Throws: ``ProofError/missingTile(path:)``, ``ProofError/malformedTile(path:reason:)``, ``ProofError/alteredTile(path:)`` and
    ///   ``ProofError/alteredEdge(paths:)`` when the log's end is not what the checkpoint is over; what the storage throws.
    public init(_ storage: Storage, from checkpoint: Checkpoint?) throws {
        self.storage = storage
        published = checkpoint?.size ?? 0
        builder = TileBuilder()
        guard let checkpoint, checkpoint.size > 0 else { return }
        var reader = try TileReader(storage, checkpoint: checkpoint)
        let bundle = try reader.bundle(Tile.partial(of: checkpoint.size, .entries))
        builder = TileBuilder(size: checkpoint.size, bundle: bundle, rows: reader.edge)
    }

    /// How many entries there are.
    public var size: UInt64 { builder.size }

    /// The root over all entries.
    public var root: Digest { builder.root }

    /// Returns the root that the log would have with more entries; nothing of them is stored or kept.
    ///
    /// - Parameter entries: Their bytes, at most ``EntryBundle/maximumEntryBytes`` each.
    /// - Returns: The root.
    /// - Throws: ``ProofError/entryTooLarge(index:bytes:)`` when one is longer.
    /// - Complexity: O(*n*) in their bytes.
    public func root(appending entries: some Sequence<[UInt8]>) throws(ProofError) -> Digest {
        var next = builder
        for entry in entries { _ = try next.append(entry) }
        return next.root
    }

    /// Appends an entry, and stores the tiles that it makes full.
    ///
    /// - Parameter entry: Its bytes, at most ``EntryBundle/maximumEntryBytes``.
    /// - Throws: ``ProofError/entryTooLarge(index:bytes:)`` when it is longer, ``ProofError/immutableTile(path:)`` when the tile is there with
    ///   other bytes, and what the storage throws; nothing was appended then, and the same entry may be appended again.
    public mutating func append(_ entry: [UInt8]) throws {
        guard (builder.size + 1).isMultiple(of: UInt64(Tile.fullWidth)) else {
            // It makes no tile full, and nothing can fail that would have to be taken back.
            _ = try builder.append(entry)
            return
        }
        var next = builder
        for file in try next.append(entry) { try storage.put(file.bytes, for: file.tile) }
        builder = next
    }

    /// Stores the partial tiles of this size, and then the checkpoint.
    ///
    /// - Parameter sign: Makes the signed checkpoint of a size and root.
    /// - Returns: The checkpoint.
    /// - Throws: ``ProofError/logMismatch(size:)`` when the checkpoint is of another size or root; what the closure and the storage throw. The
    ///   checkpoint before is still there then.
    @discardableResult
    public mutating func publish(
        _ sign: (_ size: UInt64, _ root: Digest) throws -> SignedCheckpoint
    ) throws -> SignedCheckpoint {
        for file in builder.partials(since: published) { try storage.put(file.bytes, for: file.tile) }
        let signed = try sign(size, root)
        guard signed.checkpoint.size == size, signed.checkpoint.root == root else {
            throw ProofError.logMismatch(size: size)
        }
        try storage.putCheckpoint(signed.note.bytes)
        published = size
        return signed
    }
}
