public import AuditModel
public import EventModel
import EventProofs

/// Copies the published log into a bucket: tiles first and the checkpoint last, so that whoever reads there finds all that it needs.
///
/// Nothing waits for it. What is there already is known by the checkpoint that is there, which has to be the beginning of this log.
///
/// ```swift
/// if copier.isDue { await copier.copy() }
/// ```
public struct LogCopier: Sendable {
    /// The longest pause after failures, in seconds.
    static let longestPause: Int64 = 300
    /// How long all tiles are not looked at again, in nanoseconds.
    ///
    /// So nobody who removes the checkpoint has the whole log sent over and over.
    static let inspectionNanoseconds: UInt64 = 3_600_000_000_000
    /// How many tiles of hashes are under way at once; of bundles of entries, which may have megabytes, half as many.
    static let concurrentTiles = 4
    /// How many bytes a list of time-stamps may have.
    private static let maximumList = 4_194_304

    /// What there is to copy at one moment.
    private struct Taken {
        let signed: SignedCheckpoint
        let partials: [(tile: Tile, bytes: [UInt8])]
        var size: UInt64 { signed.checkpoint.size }
    }

    private let settings: LogBucketSettings
    private let publisher: LogPublisher
    private let cosigned: CosignedLog
    private let stamped: StampedLog
    private let log: any SealLog
    private let copied: CopiedLog
    private let clock: any EventClock
    private let bucket: LogBucket
    private var plan: BucketPlan
    /// Whether the bucket was looked at, and whether it had a checkpoint then.
    private var isOpen = false
    private var hadCheckpoint = false
    private var inspected: UInt64?
    /// The time-stamps that the bucket has; nil before it was looked at.
    private var stamps: Set<UInt64>?
    /// What readers were shown when everything of it was there.
    private var done: (shown: [UInt8], stamps: Int)?
    private var failures = 0

    /// Creates a copier; nothing is read yet.
    ///
    /// - Parameters:
    ///   - settings: The bucket.
    ///   - publisher: What publishes the log.
    ///   - cosigned: What says which checkpoint readers are shown.
    ///   - stamped: The log's time-stamps.
    ///   - log: The log, which the bucket's checkpoint is held against.
    ///   - copied: Where it is noted what the bucket has.
    ///   - transport: How the bucket is reached.
    ///   - clock: The time that requests are signed with.
    public init(
        _ settings: LogBucketSettings,
        publisher: LogPublisher,
        cosigned: CosignedLog,
        stamped: StampedLog,
        log: any SealLog,
        copied: CopiedLog,
        transport: any BucketTransport,
        clock: any EventClock
    ) {
        self.settings = settings
        self.publisher = publisher
        self.cosigned = cosigned
        self.stamped = stamped
        self.log = log
        self.copied = copied
        self.clock = clock
        bucket = LogBucket(settings, transport: transport, clock: clock)
        plan = BucketPlan(copiesEntries: settings.copiesEntries)
    }

    /// Whether readers are shown something that was not copied yet.
    public var isDue: Bool {
        guard let shown = cosigned.shown else { return false }
        guard let done, plan.outdated.isEmpty else { return true }
        // Time-stamps that cannot be read are told by others.
        let count = (try? stamped.sizes().count) ?? done.stamps
        return done.shown != shown.note.bytes || done.stamps != count
    }

    /// How long to wait until the next look: as the settings say, and ever longer while it fails, at most five minutes.
    public var pause: Duration {
        .seconds(failures == 0 ? Int64(settings.seconds) : min(Self.longestPause, 1 << Int64(min(failures, 20))))
    }

    /// Copies what is not there yet.
    ///
    /// - Returns: Why it is not all there; nil when it is, or the task was cancelled.
    @discardableResult
    public mutating func copy() async -> LogBucketConcern? {
        let concern: LogBucketConcern?
        do {
            try await copyAll()
            concern = nil
        } catch is CancellationError {
            return nil
        } catch let failure as LogBucket.Failure {
            concern = failure.concern
        } catch let error as AuditServerError {
            concern = .unreadable(reason: "the database does not answer: \(error)")
        } catch ProofError.tileInaccessible(let error), LogPublishingError.unusable(.tileInaccessible(let error)) {
            // Where the folder is, is for nobody who asks whether the server is ready.
            concern = .unreadable(reason: "a file of the folder 'log' cannot be read: \(error.reason).")
        } catch {
            concern = .unreadable(reason: "\(error)")
        }
        failures = concern == nil ? 0 : failures + 1
        copied.note(concern)
        return concern
    }

    // MARK: Steps

    private mutating func copyAll() async throws {
        guard var taken = try take() else { return }
        let there = try await bucket.object("checkpoint", limit: SignedNote.maximumBytes)
        let size = try await judge(there)
        if let size { copied.note(size: size) }
        // Another server on the same database was quicker: what it put is not put back.
        guard taken.size >= size ?? 0 else { return }
        try await open(size, for: taken.size)
        for _ in 0..<3 where plan.next(to: taken.size) != nil {
            try await putFull(to: taken.size)
            // Of a log that grew meanwhile the newer checkpoint is as good.
            taken = try take() ?? taken
        }
        try await putFull(to: taken.size)
        let stampCount = try await putStamps(of: taken.size)
        plan.putPartials(of: taken.size)
        for (tile, bytes) in taken.partials where plan.lacks(tile) {
            try await bucket.keepTile(bytes, as: tile.path)
            plan.note(tile)
        }
        let bytes = taken.signed.note.bytes
        if there?.bytes != bytes {
            guard try await bucket.replace(there, with: bytes, as: "checkpoint", .changing) else { return }
        }
        hadCheckpoint = true
        copied.note(size: taken.size)
        while let tile = plan.outdated.last {
            try await bucket.remove(tile.path)
            plan.removeLast()
        }
        done = (bytes, stampCount)
    }

    /// Takes the checkpoint that readers are shown, with its partial tiles, which may be gone soon; nil before there is one.
    private func take() throws -> Taken? {
        guard let signed = cosigned.shown else { return nil }
        let partials = try plan.partials(of: signed.checkpoint.size)
            .map { (tile: $0, bytes: try Self.bytes(of: $0, in: publisher.folder)) }
        return Taken(signed: signed, partials: partials)
    }

    /// Returns how many entries the bucket's checkpoint has; nil when there is none.
    ///
    /// - Throws: ``LogBucket/Failure`` when it is not of the beginning of this log, so that nothing is put in its place.
    private func judge(_ there: LogBucket.Object?) async throws -> UInt64? {
        guard let there else { return nil }
        let checkpoint: Checkpoint
        do throws(ProofError) {
            let signed = try SignedCheckpoint(there.bytes)
            checkpoint = signed.checkpoint
            let key = publisher.verifierKey
            guard checkpoint.origin == key.name, try !signed.note.signatures(by: [key] + publisher.formerKeys).isEmpty
            else {
                throw ProofError.unsignedCheckpoint(origin: checkpoint.origin.string)
            }
        } catch {
            throw LogBucket.Failure(concern: .foreign)
        }
        let size = checkpoint.size
        let (count, root) = try await log.withLog(durably: false) { tree in
            (tree.count, tree.count >= size ? try tree.root(at: size) : nil)
        }
        guard count >= size else { throw LogBucket.Failure(concern: .ahead(copied: size, size: count)) }
        guard root == checkpoint.root else { throw LogBucket.Failure(concern: .otherHistory(size: size)) }
        return size
    }

    /// Takes up what is there, once; all of it again when the checkpoint is gone, once an hour.
    private mutating func open(_ size: UInt64?, for taken: UInt64) async throws {
        if size == nil, hadCheckpoint {
            let now = clock.now().monotonicNanoseconds
            if inspected.map({ now &- $0 >= Self.inspectionNanoseconds }) ?? true {
                plan.beginAnew()
                (isOpen, stamps, inspected) = (false, nil, now)
            }
            hadCheckpoint = false
        }
        if let size {
            plan.find(size, hasEntries: isOpen ? false : try await hasEntries(of: size))
            hadCheckpoint = true
        }
        guard !isOpen else { return }
        plan.leave(try await leftOver(from: size ?? 0, to: taken))
        if let size { plan.putPartials(of: size) }
        isOpen = true
    }

    /// Finds the partial tiles that earlier processes left, and that neither of two checkpoints needs.
    private func leftOver(from size: UInt64, to taken: UInt64) async throws -> [Tile] {
        let (needed, coming) = (plan.partials(of: size), plan.partials(of: taken))
        var places: [Tile] = []
        for tile in needed + coming {
            places += [tile.index, tile.index &- 1].filter { $0 <= tile.index }.map { tile.at($0) }
        }
        var found: [Tile] = []
        for place in Set(places) {
            // Not those that are wider: another server may be about to need them.
            let end = coming.first { $0.at(place.index) == place && $0.index == place.index }?.width ?? Tile.fullWidth
            let widths = try await bucket.widths(in: "\(FilePaths.parent(of: place.path))/")
            found += widths.filter { (1..<end).contains($0) }.map { place.at(place.index, width: $0) }
        }
        return found.filter { !needed.contains($0) }
    }

    /// Returns whether the bucket has the entries of its checkpoint: the last ones are put there last.
    private func hasEntries(of size: UInt64) async throws -> Bool {
        guard settings.copiesEntries, size > 0 else { return false }
        let last = (size - 1) / UInt64(Tile.fullWidth)
        let tile = Tile.entries(index: last, width: Int(size - last * UInt64(Tile.fullWidth)))
        return try await bucket.object(tile.path, limit: tile.maximumBytes) != nil
    }

    /// Puts the full tiles of so many entries, page by page.
    private mutating func putFull(to size: UInt64) async throws {
        while let page = plan.next(to: size) {
            let isOfEntries = page.tiles.first?.content == .entries
            let width = isOfEntries ? Self.concurrentTiles / 2 : Self.concurrentTiles
            let (bucket, folder, tiles) = (bucket, publisher.folder, page.tiles)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, tile) in tiles.enumerated() {
                    if number >= width { try await group.next() }
                    group.addTask {
                        try await bucket.keepTile(try Self.bytes(of: tile, in: folder), as: tile.path)
                    }
                }
                try await group.waitForAll()
            }
            plan.note(page)
        }
    }

    /// Puts time-stamps and their list, which only grows.
    ///
    /// - Returns: How many there are.
    private mutating func putStamps(of size: UInt64) async throws -> Int {
        let sizes = try stamped.sizes().filter { $0 <= size }
        let there: Set<UInt64>
        if let stamps { there = stamps } else { there = try await listedStamps() }
        stamps = there
        let missing = sizes.filter { !there.contains($0) }
        guard !missing.isEmpty else { return sizes.count }
        for size in missing {
            guard let checkpoint = try stamped.bytes(of: .checkpoint, at: size),
                let reply = try stamped.bytes(of: .reply, at: size)
            else { throw LogPublishingError.unusable(.missingTile(path: "time-stamps/\(size).tsr")) }
            let text = LogBucket.Service.constant("text/plain; charset=utf-8")
            // Of several servers on one database the first one's is there, and stays, as a pair.
            if try await bucket.keep(checkpoint, as: "time-stamps/\(size).checkpoint", text) {
                let type = LogBucket.Service.constant("application/timestamp-reply")
                _ = try await bucket.keep(reply, as: "time-stamps/\(size).tsr", type)
            }
        }
        let list = try await bucket.object("time-stamps/list", limit: Self.maximumList)
        let all = Self.numbers(list).union(missing)
        let text = all.sorted().map { "\($0)\n" }.joined()
        guard try await bucket.replace(list, with: Array(text.utf8), as: "time-stamps/list", .changing) else {
            return sizes.count - missing.count
        }
        stamps = all
        return sizes.count
    }

    private func listedStamps() async throws -> Set<UInt64> {
        Self.numbers(try await bucket.object("time-stamps/list", limit: Self.maximumList))
    }

    /// The numbers of a list, a line each.
    private static func numbers(_ list: LogBucket.Object?) -> Set<UInt64> {
        let lines = String(decoding: list?.bytes ?? [], as: UTF8.self).split(separator: "\n")
        return Set(lines.compactMap { line in UInt64(line).flatMap { "\($0)" == line ? $0 : nil } })
    }

    private static func bytes(of tile: Tile, in folder: LogFolder) throws -> [UInt8] {
        guard let bytes = try folder.tiles.bytes(of: tile, limit: tile.maximumBytes) else {
            throw LogPublishingError.unusable(.missingTile(path: tile.path))
        }
        return bytes
    }
}

extension LogBucket {
    /// Puts a tile.
    ///
    /// - Throws: ``Failure`` when something else is there, which stays.
    fileprivate func keepTile(_ bytes: [UInt8], as name: String) async throws {
        guard try await keep(bytes, as: name, .constant()) else { throw Failure(concern: .otherObject(name: name)) }
    }
}

extension Tile {
    /// The tile of the same content at another place.
    fileprivate func at(_ index: UInt64, width: Int = 1) -> Tile {
        switch content {
        case .entries: .entries(index: index, width: width)
        case .hashes(let level): Tile(level: level, index: index, width: width)
        }
    }
}
