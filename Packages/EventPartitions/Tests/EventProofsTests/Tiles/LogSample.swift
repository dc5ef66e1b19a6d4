import EventModel
import EventProofs

/// A log that is written, with the tree over the same entries.
struct LogSample<Storage: TileStorage> {
    let notes: NoteSample
    let storage: Storage
    var writer: TileWriter<Storage>
    var tree = MerkleTree()

    init(_ storage: Storage) throws {
        notes = try NoteSample()
        self.storage = storage
        writer = try TileWriter(storage, from: nil)
    }

    static func entry(_ index: Int) -> [UInt8] { Array("entry \(index)".utf8.prefix(index % 12)) }

    mutating func grow(to size: Int) throws {
        for index in Int(tree.count)..<size {
            try writer.append(Self.entry(index))
            tree.append(MerkleHash.leaf(Self.entry(index)))
        }
    }

    @discardableResult
    mutating func publish(cosignedBy witnesses: Range<Int> = 0..<0) throws -> Checkpoint {
        let notes = notes
        return
            try writer.publish { size, root in
                let checkpoint = try Checkpoint(origin: NoteSample.origin, size: size, root: root)
                let cosignatures = try notes.witnesses[witnesses]
                    .map { try checkpoint.cosigned(by: $0, at: NoteSample.time) }
                return try SignedCheckpoint(checkpoint, signedBy: [notes.log]).adding(cosignatures)
            }
            .checkpoint
    }
}
