import EventModel
import EventProofs
import Synchronization

/// A log in memory with a key that is the same in every run: what a server would publish of some entries.
struct SampleLog {
    static let origin: ExactText = "log.example.com/daybook"

    let signer: EdwardsNoteSigner
    /// The entries, in their order; a test may change them as a server that lies would.
    var entries: [[UInt8]]

    init(_ entries: [[UInt8]] = [], origin: ExactText = Self.origin, seed: UInt8 = 1) throws {
        signer = try EdwardsNoteSigner(
            name: origin,
            algorithm: .ed25519,
            rawRepresentation: [UInt8](repeating: seed, count: 32)
        )
        self.entries = entries
    }

    /// A log with so many entries.
    init(size: Int) throws {
        try self.init((0..<size).map { Array("entry \($0)".utf8) })
    }

    var policy: WitnessPolicy { get throws { try WitnessPolicy(logKeys: [signer.verifierKey]) } }

    /// The files and the checkpoint of the first entries; of all when no number is given.
    func published(_ size: Int? = nil) throws -> Published {
        let storage = TilesInMemory()
        var writer = try TileWriter(storage, from: nil)
        for entry in entries.prefix(size ?? entries.count) { try writer.append(entry) }
        let signed = try writer.publish { size, root in
            let checkpoint = try Checkpoint(origin: signer.verifierKey.name, size: size, root: root)
            return try SignedCheckpoint(checkpoint, signedBy: [signer])
        }
        return Published(signed: signed, files: storage.files)
    }

    /// What is published at a size.
    struct Published {
        let signed: SignedCheckpoint
        var files: [Tile: [UInt8]]
    }
}

/// Where a sample's files are written.
private final class TilesInMemory: TileStorage {
    private let state = Mutex<[Tile: [UInt8]]>([:])

    var files: [Tile: [UInt8]] { state.withLock { $0 } }

    func bytes(of tile: Tile, limit: Int) -> [UInt8]? { state.withLock { $0[tile] } }
    func put(_ bytes: [UInt8], for tile: Tile) { state.withLock { $0[tile] = bytes } }
    func checkpoint(limit: Int) -> [UInt8]? { nil }
    func putCheckpoint(_ bytes: [UInt8]) {}
}
