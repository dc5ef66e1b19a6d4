import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import LogPublishing

/// One process of a server whose log is copied into a bucket, and a stranger who reads it there.
struct CopiedServer {
    let store: InMemoryEventStore
    let publisher: LogPublisher
    let cosigned: CosignedLog
    let stamped: StampedLog
    let copied = CopiedLog()
    let bucket: SampleBucket
    let clock = ManualClock()
    var copier: LogCopier

    init(
        _ store: InMemoryEventStore,
        in folder: LogFolder,
        to bucket: SampleBucket,
        entries: Bool = true,
        origin: ExactText = "example.com/daybook",
        key: SigningKey = SampleDevice.serverKey,
        formerKeys: [NoteVerifierKey] = []
    ) throws {
        let signer = try key.logSigner(origin: origin)
        self.store = store
        self.bucket = bucket
        publisher = LogPublisher(log: store, folder: folder, signer: signer, formerKeys: formerKeys)
        cosigned = try CosignedLog(.none, of: publisher.verifierKey, formerKeys: formerKeys)
        stamped = StampedLog(in: folder)
        copier = LogCopier(
            try LogBucketSettings(
                url: "https://s3.example.com",
                bucket: "our-log",
                credentials: BucketCredentials(accessKey: "NAME", secret: "s3cret"),
                copiesEntries: entries
            ),
            publisher: publisher,
            cosigned: cosigned,
            stamped: stamped,
            log: store,
            copied: copied,
            transport: bucket,
            clock: clock
        )
    }

    /// Lets the log grow to so many entries, and readers be shown them.
    func grow(to size: UInt32) async throws {
        let count = UInt32(try await store.withLog(durably: false) { $0.count })
        if count < size { try await store.acceptSealed(count + 1...size) }
        guard let newest = try await publisher.publish() else { return }
        cosigned.advance(to: newest, at: clock.now())
    }

    /// Lets the log grow, and copies it.
    ///
    /// - Returns: What was wrong.
    mutating func copy(_ size: UInt32) async throws -> LogBucketConcern? {
        try await grow(to: size)
        return await copier.copy()
    }

    /// Expects that the bucket has every file of the newest checkpoint byte for byte, and hardly any more.
    func expectWhole(_ size: UInt64, entries: Bool = true, _ comment: Comment? = nil) throws {
        let objects = bucket.objects
        let tiles = Tile.growth(from: 0, to: size).filter { entries || $0.content != .entries }
        for tile in tiles {
            let bytes = try publisher.folder.tiles.bytes(of: tile, limit: tile.maximumBytes)
            let object = objects[tile.path]
            #expect(bytes != nil && object?.bytes == bytes, "\(tile.path)")
            #expect(object?.contentType == "application/octet-stream", comment)
        }
        #expect(objects["checkpoint"]?.bytes == cosigned.shown?.note.bytes, comment)
        #expect(objects["checkpoint"]?.cacheControl == "no-cache", comment)
        #expect(copied.size == size && copied.concern == nil, comment)
        let others = objects.keys.filter { name in name != "checkpoint" && !tiles.contains { $0.path == name } }
        #expect(others.allSatisfy { $0.contains(".p/") || $0.hasPrefix("time-stamps/") }, "\(others)")
        #expect(others.count <= 3 * BucketPlan.keptCopies * 3, "\(others)")
    }

    /// Expects that no reader ever saw a checkpoint without all of its tiles.
    func expectReadable(_ comment: Comment? = nil, entries: Bool = true) throws {
        for objects in bucket.snapshots {
            guard let bytes = objects["checkpoint"]?.bytes else { continue }
            let size = try SignedCheckpoint(bytes).checkpoint.size
            let missing = Tile.growth(from: 0, to: size)
                .filter { (entries || $0.content != .entries) && objects[$0.path] == nil }
            #expect(missing.isEmpty, comment)
        }
    }
}
