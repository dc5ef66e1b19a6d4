import EventModel
import EventProofs

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The end of a partition's file that events are appended to.
///
/// Staging collects frames in memory; nothing staged is promised to anybody before ``flush()`` returns.
struct PartitionWriter: Sendable {
    /// Staged frames are written, not synced, when they have reached this size.
    private static let bufferBytes = 4 << 20

    let partition: PartitionID
    let path: String
    let file: any OpenFile
    private let fileSystem: any FileSystem
    /// Whether the file may be larger than what is written.
    private let mayReserve: Bool
    private var buffer: FrameBuffer
    private var framed = FramedEvents()
    private var frameStart: UInt64 = 1
    /// Where the last checkpoint ends.
    private var checkpointEnd: UInt64 = 0
    /// The tree over all events, staged ones included.
    private(set) var frontier: MerkleFrontier
    /// When the first event happened; nil without events.
    private(set) var first: EventInstant?
    private var last: EventInstant?
    /// What the seal will name.
    private(set) var losses: [LossEntry]
    /// Whether more losses are to be named than one seal can, so that the next one goes on.
    var isLedgerContinued = false
    private var isNameDurable: Bool
    /// The size of the file as of the last sync, in bytes.
    private(set) var durableBytes: UInt64
    /// The number of events that were durable at the last sync.
    private(set) var durableCount: UInt64
    /// The end of what callers take for stored, in bytes; behind ``durableBytes`` when not each commit is synced.
    private(set) var promisedBytes: UInt64
    /// The number of events that callers take for stored.
    private(set) var promisedCount: UInt64
    /// The size of the file, reserved space included.
    private var fileBytes: UInt64
    /// How many small frames were written one after the other, each with a sync of its own.
    private var smallWriteCount = 0

    /// Starts a partition in an empty file.
    init(
        creating partition: PartitionID,
        path: String,
        file: any OpenFile,
        fileSystem: any FileSystem,
        cipher: PartitionCipher?,
        created: EventInstant,
        owner: EventOwner,
        salvaged: ObjectId? = nil,
        mayReserve: Bool = false
    ) throws {
        self.partition = partition
        self.path = path
        self.file = file
        self.fileSystem = fileSystem
        self.mayReserve = mayReserve
        buffer = FrameBuffer(partition: partition.id, offset: 0, cipher: cipher)
        buffer.appendPreamble()
        let start = PartitionStart(
            partition: partition,
            created: created,
            app: owner.app,
            user: owner.user,
            salvaged: salvaged
        )
        try buffer.append(.start, json: start, firstSequence: 1)
        frontier = MerkleFrontier()
        losses = []
        isNameDurable = false
        durableBytes = 0
        durableCount = 0
        promisedBytes = 0
        promisedCount = 0
        fileBytes = 0
    }

    /// Goes on where an earlier process stopped; the torn tail, if any, is cut off first.
    init(
        continuing contents: PartitionContents,
        of partition: PartitionID,
        path: String,
        file: any OpenFile,
        fileSystem: any FileSystem,
        cipher: PartitionCipher?
    ) throws(FileSystemError) {
        self.partition = partition
        self.path = path
        self.file = file
        self.fileSystem = fileSystem
        mayReserve = false
        buffer = FrameBuffer(partition: partition.id, offset: contents.contentEnd, cipher: cipher)
        frontier = contents.frontier
        first = contents.first
        last = contents.last
        losses = contents.losses
        isNameDurable = true
        durableBytes = contents.contentEnd
        durableCount = contents.frontier.count
        promisedBytes = durableBytes
        promisedCount = durableCount
        checkpointEnd = contents.contentEnd
        fileBytes = contents.contentEnd
        try file.truncate(to: contents.contentEnd)
    }

    /// The size that the file will have after a flush, in bytes.
    var byteCount: UInt64 { buffer.end + UInt64(framed.payload.count + FrameHeader.byteCount) }

    /// How much of the file is reserved for later frames, in bytes.
    var reservedBytes: UInt64 { fileBytes - min(fileBytes, buffer.offset) }

    /// Whether there is anything that a seal could speak of.
    var isEmpty: Bool { frontier.count == 0 && losses.isEmpty }

    /// The sequence that the next event gets.
    var nextSequence: UInt64 { frontier.count + 1 }

    /// Appends events in memory.
    ///
    /// - Throws: When staged frames had to be written to make room, and could not be, or cannot be encrypted.
    mutating func stage(_ block: EventBlock) throws {
        if let content = block.content {
            try closeFrame()
            try append(content, firstSequence: nextSequence, count: block.leaves.count)
        } else {
            if framed.count > 0, framed.payload.count + block.byteCount > LeafBatch.blockBytes { try closeFrame() }
            if framed.count == 0 { frameStart = nextSequence }
            framed.append(contentsOf: block.framed)
        }
        for leaf in block.leaves { frontier.append(leaf.hash) }
        first = first ?? block.leaves.first?.instant
        last = block.leaves.last?.instant ?? last
        checkpoint()
        if buffer.bytes.count >= Self.bufferBytes { try write(reserves: false) }
    }

    /// Notes a loss, which the seal will name.
    mutating func stage(_ loss: LossEntry) throws {
        try closeFrame()
        losses.append(loss)
        try buffer.append(.loss, json: loss, firstSequence: nextSequence)
    }

    /// Whether something was written that no sync has made durable.
    var hasUnsynced: Bool { buffer.offset > durableBytes }

    /// Makes everything staged durable, or only gives it to the system.
    ///
    /// - Parameter isSynced: Whether to wait for the disk.
    /// - Throws: When a call fails; the file must then not be written to any more.
    mutating func flush(isSynced: Bool = true) throws {
        try closeFrame()
        checkpoint()
        if !buffer.bytes.isEmpty { try write(reserves: isSynced && !hasUnsynced) }
        if isSynced, hasUnsynced { try synchronize() }
        promisedBytes = buffer.end
        promisedCount = frontier.count
    }

    private mutating func synchronize() throws(FileSystemError) {
        try file.synchronize()
        if !isNameDurable {
            try fileSystem.syncDirectory(FilePaths.parent(of: path))
            isNameDurable = true
        }
        // A file that somebody removed takes bytes and syncs as before, and keeps none of them.
        guard try fileSystem.exists(path) else { throw FileSystemError(.status, path: path, code: ENOENT) }
        durableBytes = buffer.end
        durableCount = frontier.count
    }

    /// Signs what the partition holds; nothing is written.
    ///
    /// - Parameters:
    ///   - key: The key of the device.
    ///   - owner: Whose partition it is.
    ///   - place: Where the seal stands among those of the folder.
    /// - Returns: The seal, and how large the file will be with it.
    /// - Throws: ``PartitionError/unsigned(_:)``.
    func signed(
        by key: DeviceKey,
        of owner: EventOwner,
        at place: ChainPlace
    ) throws -> (seal: PartitionSeal, byteCount: UInt64) {
        do {
            let seal = try key.seal(
                partition,
                of: owner,
                number: place.number,
                over: frontier,
                first: first,
                last: last,
                previousRoot: place.previousRoot,
                losses: losses,
                ledgerPart: place.ledgerPart,
                isLedgerContinued: isLedgerContinued
            )
            return (seal, try byteCount(with: seal))
        } catch {
            throw PartitionError.unsigned(partition)
        }
    }

    /// How large the file will be with a seal behind what is written, in bytes.
    private func byteCount(with seal: PartitionSeal) throws -> UInt64 {
        let content = try FrameJSON.encode(seal)
        return buffer.end + UInt64(FrameHeader.byteCount + content.count + PartitionEnd.frameCount)
    }

    /// Closes the partition for good: writes a seal behind everything that is durable.
    mutating func close(with seal: PartitionSeal) throws {
        let offset = buffer.end
        try buffer.append(.seal, json: seal, firstSequence: nextSequence)
        buffer.append(.end, PartitionEnd.payload(sealOffset: offset), firstSequence: nextSequence)
        try flush()
    }

    /// Cuts off what may not be durable after a failed call, as well as that is possible; removes a file without events.
    ///
    /// The file is not closed here: a reader may still use it, and its lock goes with the last reference.
    func abandon() {
        // Bytes that stay behind are events that nobody was promised; recovery keeps those that are whole.
        if promisedBytes == 0 {
            try? fileSystem.remove(path)
        } else {
            try? file.truncate(to: promisedBytes)
        }
    }

    /// Notes what recovery would have to compute, when it has become much.
    private mutating func checkpoint() {
        guard framed.count == 0, buffer.end - checkpointEnd >= PartitionCheckpoint.interval, let first, let last else {
            return
        }
        let checkpoint = PartitionCheckpoint(frontier: frontier, first: first, last: last)
        buffer.append(.checkpoint, checkpoint.bytes, firstSequence: nextSequence)
        checkpointEnd = buffer.end
    }

    /// Makes a frame of the events that share one.
    private mutating func closeFrame() throws {
        guard framed.count > 0 else { return }
        try append(FrameContent(packing: framed.payload), firstSequence: frameStart, count: framed.count)
        framed.removeAll()
    }

    private mutating func append(_ content: FrameContent, firstSequence: UInt64, count: Int) throws {
        do {
            try buffer.append(events: content, firstSequence: firstSequence, count: count)
        } catch {
            throw PartitionError.notEncrypted(partition)
        }
    }

    /// Writes what is staged.
    ///
    /// - Parameter reserves: Whether everything in front of it is durable and it will be, before anything else is written.
    /// - Throws: When a call fails; the file must then not be written to any more.
    private mutating func write(reserves: Bool) throws(FileSystemError) {
        let isSmall = buffer.frameCount == 1 && buffer.bytes.count <= ReservedSpace.largestWrite
        smallWriteCount = reserves && mayReserve && isSmall ? smallWriteCount + 1 : 0
        if smallWriteCount > ReservedSpace.patience {
            if buffer.end > fileBytes { try resize(to: buffer.end + ReservedSpace.byteCount) }
        } else if fileBytes > buffer.offset {
            try resize(to: buffer.offset)
        }
        try file.writeAll(buffer.bytes, at: buffer.offset)
        buffer.didWrite()
        fileBytes = max(fileBytes, buffer.offset)
    }

    private mutating func resize(to size: UInt64) throws(FileSystemError) {
        try file.truncate(to: size)
        fileBytes = size
    }
}
