public import AuditModel
import EventModel
public import EventProofs
import Synchronization

/// Writes the log of sealed partitions as files that anybody can check and copy: tlog-tiles of C2SP, with signed checkpoints.
///
/// The files lie outside of the database. So each run compares the database with what it has published: a database that was put back to an
/// older copy, or changed where it was published, is an error, and the files stay as they were.
///
/// ```swift
/// let publisher = try LogPublisher(log: store, folder: folder, signer: key.logSigner(origin: "example.com/daybook"))
/// let checkpoint = try await publisher.publish()
/// ```
public actor LogPublisher {
    /// Where the files are.
    public nonisolated let folder: LogFolder
    /// The public half of the key that signs checkpoints, with the log's name.
    public nonisolated let verifierKey: NoteVerifierKey
    /// The keys that signed checkpoints of this log before it.
    public nonisolated let formerKeys: [NoteVerifierKey]

    private let log: any SealLog
    private let signer: any NoteSigner
    private var writer: TileWriter<TileFolder>?
    private var partials = PartialTiles()
    private var isPublishing = false
    /// Whether the database was held against the files since the folder was opened.
    private var isCompared = false
    private nonisolated let kept = Mutex<SignedCheckpoint?>(nil)

    /// How many entries are read at once.
    private static let page = 1000

    /// Creates a publisher; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - log: The log that is published.
    ///   - folder: Where its files go; no other publisher may write there.
    ///   - signer: The key of checkpoints, whose name is the log's origin.
    ///   - formerKeys: The keys that it took the place of, of which the folder may still have a checkpoint; none by default.
    public init(log: any SealLog, folder: LogFolder, signer: any NoteSigner, formerKeys: [NoteVerifierKey] = []) {
        self.log = log
        self.folder = folder
        self.signer = signer
        self.formerKeys = formerKeys
        verifierKey = signer.verifierKey
    }

    /// The checkpoint that was published last, also by an earlier process; nil before the first run.
    ///
    /// Reading it waits neither for the database nor for a run that goes on. It stays when the database does not fit it any more.
    public nonisolated var newest: SignedCheckpoint? { kept.withLock { $0 } }

    /// Publishes what was entered since the last time, all of it under one checkpoint.
    ///
    /// The entries are first made as durable as what devices are told. A run that finds another one going on returns at once.
    ///
    /// - Returns: The newest checkpoint; nil when another run goes on and there was none before.
    /// - Throws: ``LogPublishingError``; what the log throws when its storage fails. The next run takes up where this one ended.
    /// - Complexity: O(*n*) in the new entries; a few reads when there are none.
    @discardableResult
    public func publish() async throws -> SignedCheckpoint? {
        guard !isPublishing else { return newest }
        isPublishing = true
        defer { isPublishing = false }
        var writer = try self.writer ?? opened()
        // Whatever goes wrong below, the next run opens the folder anew.
        self.writer = nil
        let published = writer.published
        let count = try await log.withLog(durably: false) { $0.count }
        guard count >= published else { throw LogPublishingError.shortened(published: published, found: count) }
        if count > published || !isCompared { try await grow(&writer) }
        self.writer = writer
        return newest
    }

    // MARK: - Steps

    /// Takes up the folder where its checkpoint ended.
    private func opened() throws -> TileWriter<TileFolder> {
        isCompared = false
        return try Self.naming {
            let limit = SignedNote.maximumBytes
            let tiles = folder.tiles
            guard let bytes = try tiles.checkpoint(limit: limit) else { return try TileWriter(tiles, from: nil) }
            let signed = try SignedCheckpoint(bytes)
            guard signed.checkpoint.origin == verifierKey.name,
                try !signed.note.signatures(by: [verifierKey] + formerKeys).isEmpty
            else { throw LogPublishingError.foreign(origin: signed.checkpoint.origin.string) }
            let writer = try TileWriter(tiles, from: signed.checkpoint)
            kept.withLock { $0 = signed }
            try folder.removeNeighbours(of: Tile.partials(of: writer.published))
            try folder.remove(partials.add(writer.published))
            return writer
        }
    }

    private func grow(_ writer: inout TileWriter<TileFolder>) async throws {
        let (published, root) = (writer.published, writer.root)
        let (size, newRoot, publishedRoot) = try await log.withLog(durably: true) { tree in
            (tree.count, try tree.root(at: tree.count), try tree.root(at: min(published, tree.count)))
        }
        guard size >= published else { throw LogPublishingError.shortened(published: published, found: size) }
        guard publishedRoot == root else { throw LogPublishingError.rewritten(size: published) }
        var grown = writer
        while grown.size < size {
            let entries = try await log.logEntries(from: grown.size, limit: Self.page).prefix { $0.index < size }
            let end = grown.size + UInt64(entries.count)
            guard !entries.isEmpty, entries.map(\.index) == Array(grown.size..<end) else {
                throw LogPublishingError.contradictory(size: size)
            }
            let bytes = entries.map(\.canonicalBytes)
            let root = try await log.withLog(durably: false) { try $0.root(at: end) }
            // Before anything of them is stored: a full tile that is there once stays for ever.
            guard try Self.naming({ try grown.root(appending: bytes) }) == root else {
                throw LogPublishingError.contradictory(size: size)
            }
            for entry in bytes { try Self.naming { try grown.append(entry) } }
        }
        guard grown.root == newRoot else { throw LogPublishingError.contradictory(size: size) }
        let signed = try Self.naming {
            try grown.publish { size, root in
                try SignedCheckpoint(
                    Checkpoint(origin: verifierKey.name, size: size, root: root),
                    signedBy: [signer]
                )
            }
        }
        writer = grown
        kept.withLock { $0 = signed }
        isCompared = true
        try Self.naming { try folder.remove(partials.add(signed.checkpoint.size)) }
    }

    private static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ProofError {
            throw LogPublishingError.unusable(error)
        } catch let error as FileSystemError {
            throw LogPublishingError.unusable(.tileInaccessible(error))
        }
    }
}
