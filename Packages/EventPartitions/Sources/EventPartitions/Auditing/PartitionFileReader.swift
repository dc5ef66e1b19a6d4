public import EventModel
public import EventProofs

/// Reads the file of any partition, also of one that another process is writing, without changing anything.
///
/// ```swift
/// var reader = try PartitionFileReader(path)
/// while let stored = try reader.next() {
///     print(stored.sequence, stored.event.activity)
/// }
/// try reader.verifySeal()
/// ```
public struct PartitionFileReader {
    /// The absolute path of the file.
    public let path: String
    /// The partition: the name of the file with the prefix that is recorded in it, or else that of its folder.
    public private(set) var partition: PartitionID
    /// When the file was made; nil until the first call of ``next()``, and when that part is damaged.
    public private(set) var created: EventInstant?
    /// Whose events these are; nil until the first call of ``next()``, and in files of earlier versions.
    public private(set) var owner: EventOwner?
    /// The root of the partition that the same writer sealed before, where earlier versions wrote it; see the seal.
    public private(set) var previousRoot: Digest?
    /// The losses that were noted in the part that was read.
    public private(set) var losses: [LossEntry] = []
    /// The seal, once the reader has reached it.
    public private(set) var seal: PartitionSeal?
    /// The tree over the events that were read.
    public private(set) var frontier = MerkleFrontier()
    /// The bytes of a frame that was not completely written: of a crash, or of a writer that is at work.
    public private(set) var tornTail: Range<UInt64>?

    private var walk: PartitionWalk
    private var frame: EventFrame?
    private var position = 0

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The absolute path; the name is 24 hexadecimal digits with an ending.
    ///   - encryptionKey: What encrypted events are read with; nil when they are not.
    ///   - fileSystem: Where the file lives.
    /// - Throws: ``PartitionError/unsafePath(_:reason:)`` when the name is not that of a partition,
    ///   ``PartitionError/newerVersion(path:found:known:)`` when only a newer program can read it, and
    ///   ``PartitionError/fileSystem(_:)`` when a call fails.
    public init(
        _ path: String,
        encryptionKey: EventEncryptionKey? = nil,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) {
        partition = try PartitionFiles.partition(at: path)
        self.path = path
        let file: any OpenFile
        let size: UInt64
        do throws(FileSystemError) {
            file = try fileSystem.open(path, .read)
            size = try file.size()
        } catch {
            throw .fileSystem(error)
        }
        walk = try PartitionWalk(file, partition: partition.id, path: path, key: encryptionKey, to: size)
    }

    /// Reads the next event; nil at the end of what is written.
    ///
    /// - Throws: ``PartitionError/damaged(path:bytes:reason:)`` in the place of bytes that cannot be trusted; the next
    ///   call goes on behind them. ``PartitionError/fileSystem(_:)`` when a call fails, ``PartitionError/encrypted(path:)``
    ///   and ``PartitionError/wrongKey(path:)`` when only another key gives the events.
    public mutating func next() throws(PartitionError) -> FiledEvent? {
        while true {
            if let frame, position < frame.ranges.count {
                return try event(in: frame)
            }
            frame = nil
            switch try walk.next() {
            case nil: return nil
            case .start(let start):
                partition = PartitionID(prefix: start.partition.prefix, id: partition.id)
                created = start.created
                previousRoot = start.previousRoot
                owner = start.owner
            case .events(let events):
                frame = events
                position = 0
            case .loss(let loss): losses.append(loss)
            case .seal(let seal): self.seal = seal
            case .end: break
            case .tornTail(let range): tornTail = range
            // A writer that is at work has reserved it; behind a seal nobody writes.
            case .reserved(let range): if seal != nil { tornTail = range }
            case .damage(let range, let reason):
                throw .damaged(path: path, bytes: range, reason: reason)
            }
        }
    }

    /// Checks that the seal is signed and speaks of exactly the events that were read.
    ///
    /// Call it when ``next()`` has returned nil. A partition without a seal passes: it is not closed yet.
    ///
    /// - Throws: ``PartitionError/proof(_:)`` when the seal does not fit.
    public func verifySeal() throws(PartitionError) {
        do throws(ProofError) {
            try seal?.verify(over: frontier)
        } catch {
            throw .proof(error)
        }
    }

    /// How many events are known to be missing in front of the place that was reached.
    public var missingCount: UInt64 { walk.lossCount }

    private mutating func event(in frame: EventFrame) throws(PartitionError) -> FiledEvent {
        let sequence = frame.firstSequence + UInt64(position)
        let (leaf, decoded) = frame.withEvent(position) { bytes in
            (MerkleHash.leaf(bytes), Result { () throws(EventModelError) in try AuditEvent(encoded: bytes) })
        }
        // The hash belongs to the tree even when this version of the code cannot decode the event.
        frontier.append(leaf)
        position += 1
        do throws(EventModelError) {
            return FiledEvent(partition: partition, sequence: sequence, leaf: leaf, event: try decoded.get())
        } catch {
            let reason = "event \(sequence) cannot be decoded. \(error)"
            throw .damaged(path: path, bytes: frame.bytes, reason: reason)
        }
    }
}
