import EventModel
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

/// What a reader finds that somebody wrote in Python from the specifications of C2SP alone.
@Suite("Logs as a stranger reads them", .enabled(if: PythonReader.isThere, "python3 is not installed"))
struct TileStrangerTests {
    private let temporary: TestFolder
    private let path: String
    private var log: LogSample<TileFolder>

    init() throws {
        temporary = try TestFolder.made()
        path = temporary.file("log")
        log = try LogSample(TileFolder(at: path, in: POSIXFileSystem()))
    }

    private func said() throws -> String {
        let keys = [log.notes.log.verifierKey] + log.notes.witnesses.map(\.verifierKey)
        return try PythonReader("tiles.py").said(of: [path] + keys.map(\.description))
    }

    @Test(
        "it finds the entries, the root and the signatures that were written",
        arguments: [0, 1, 255, 256, 257, 1_300]
    )
    func untouched(size: Int) throws {
        var log = log
        try log.grow(to: size)
        let root = try log.publish(cosignedBy: 0..<2).root

        #expect(
            try said() == "verified, \(size) entries, root \(root), cosigned by witness.example/w1 at 1679315147, "
                + "cosigned by witness.example/w2 at 1679315147\n"
        )
    }

    @Test("it finds each file that was changed, cut off, or is missing")
    func altered() throws {
        var log = log
        try log.grow(to: 300)
        try log.publish(cosignedBy: 0..<1)
        for name in ["checkpoint"] + Tile.growth(from: 0, to: 300).map(\.path) {
            let url = URL(fileURLWithPath: "\(path)/\(name)")
            let bytes = try Data(contentsOf: url)
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            for other in [changed, bytes.dropLast(), bytes + [0], nil] {
                try FileManager.default.removeItem(at: url)
                try other?.write(to: url)
                let said = try said()
                #expect(said.hasPrefix("wrong: "), "\(name): \(said)")
                try bytes.write(to: url)
            }
        }
        #expect(try said().hasPrefix("verified, "))
    }
}
