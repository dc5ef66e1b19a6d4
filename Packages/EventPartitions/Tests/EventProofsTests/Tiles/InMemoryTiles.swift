import EventProofs
import Synchronization

/// The files of a log in memory, which a test may change.
final class InMemoryTiles: TileStorage {
    private struct State {
        var files: [Tile: [UInt8]] = [:]
        var checkpoint: [UInt8]?
        var written: [Tile] = []
    }

    private let state = Mutex(State())

    var files: [Tile: [UInt8]] {
        get { state.withLock { $0.files } }
        set { state.withLock { $0.files = newValue } }
    }

    /// The names of all that was stored since the last call, in order.
    func takeWritten() -> [Tile] {
        state.withLock { state in
            defer { state.written = [] }
            return state.written
        }
    }

    func bytes(of tile: Tile, limit: Int) -> [UInt8]? {
        state.withLock { state in state.files[tile].map { Array($0.prefix(limit + 1)) } }
    }

    func put(_ bytes: [UInt8], for tile: Tile) throws {
        try state.withLock { state in
            guard state.files[tile] ?? bytes == bytes else { throw ProofError.immutableTile(path: tile.path) }
            state.files[tile] = bytes
            state.written.append(tile)
        }
    }

    func checkpoint(limit: Int) -> [UInt8]? { state.withLock { $0.checkpoint } }

    func putCheckpoint(_ bytes: [UInt8]) { state.withLock { $0.checkpoint = bytes } }
}
