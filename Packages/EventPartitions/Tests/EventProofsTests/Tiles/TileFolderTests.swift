import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@Suite("Logs in folders")
struct TileFolderTests {
    private let temporary: TestFolder
    private let folder: TileFolder

    init() throws {
        temporary = try TestFolder.made()
        folder = TileFolder(at: temporary.file("log"), in: POSIXFileSystem())
    }

    @Test("a folder has the files at the paths of the specification, and nothing else")
    func layout() throws {
        var log = try LogSample(folder)
        try log.grow(to: 300)
        try log.publish()

        let root = temporary.file("log")
        let paths = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
            .filter { (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\($0)")) == nil }
        #expect(
            Set(paths) == [
                "checkpoint", "tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1", "tile/entries/000",
                "tile/entries/001.p/44",
            ]
        )
        let note = try #require(try folder.checkpoint(limit: SignedNote.maximumBytes))
        #expect(try log.notes.policy(quorum: 0).verify(SignedCheckpoint(note)).checkpoint.size == 300)
    }

    @Test("a tile that is there is not written again, and never with other bytes")
    func immutable() throws {
        let tile = Tile(level: 0, index: 0, width: 1)
        let file = temporary.file("log/\(tile.path)")
        let bytes = [UInt8](repeating: 1, count: 32)
        try folder.put(bytes, for: tile)
        let before = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int

        try folder.put(bytes, for: tile)

        for other in [[UInt8](repeating: 2, count: 32), [], bytes + bytes, Array(bytes.dropLast())] {
            #expect(throws: ProofError.immutableTile(path: "tile/0/000.p/1")) { try folder.put(other, for: tile) }
        }
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == before)
        #expect(try folder.bytes(of: tile, limit: 32) == bytes)
        #expect(try folder.bytes(of: tile, limit: 5)?.count == 6)
        #expect(try folder.bytes(of: Tile(level: 0, index: 9), limit: 32) == nil)
        #expect(try folder.checkpoint(limit: 10) == nil)
    }

    @Test("a checkpoint takes the place of the one before, and a folder that cannot be used is a sentence")
    func checkpoints() throws {
        try folder.putCheckpoint([1])
        try folder.putCheckpoint([2, 3])

        #expect(try folder.checkpoint(limit: 10) == [2, 3])
        let blocked = TileFolder(at: temporary.file("log/checkpoint"), in: POSIXFileSystem())
        let error = try #require(throws: ProofError.self) { try blocked.putCheckpoint([1]) }
        #expect(error.description.hasPrefix("A file of the log cannot be used. "))
    }
}
