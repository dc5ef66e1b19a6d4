import EventModel
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@testable import EventPartitions

@Suite("Checkpoints of event files")
struct CheckpointTests {
    let fixture: FilesFixture
    private let events: [AuditEvent]

    /// Writes a file with two checkpoints and events behind the last one, as a crash leaves it.
    init() throws {
        fixture = try FilesFixture()
        var state: UInt64 = 3
        let noise = (0..<900_000)
            .map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
        events = (0..<8).map { .sample($0, data: $0 < 6 ? Array(noise[$0 * 100_000..<$0 * 100_000 + 400_000]) : nil) }
        let files = try fixture.open()
        for event in events { _ = try files.append([event]) }
    }

    private func open(_ path: String) throws -> (any OpenFile, ObjectId) {
        let file = try POSIXFileSystem().open(path, .write)
        return (file, try ObjectId(string: String(path.split(separator: "/").last?.prefix(24) ?? "")))
    }

    private func frames(_ path: String) throws -> [FrameScanner.Frame] {
        let (file, id) = try open(path)
        var scanner = FrameScanner(file, partition: id, from: 24, to: try file.size())
        var frames: [FrameScanner.Frame] = []
        while case .frame(let frame) = try scanner.next() { frames.append(frame) }
        return frames
    }

    @Test("one is written for each MiB, and says what hashing all events in front of it says")
    func contents() throws {
        let path = try #require(try fixture.paths().first)
        let found = try frames(path).filter { $0.header.kind == .checkpoint }
        #expect(found.count == 2)
        for frame in found {
            let checkpoint = try #require(PartitionCheckpoint(bytes: frame.payload))
            var frontier = MerkleFrontier()
            for event in events.prefix(Int(checkpoint.frontier.count)) {
                frontier.append(MerkleHash.leaf(event.encoded))
            }
            #expect(checkpoint.frontier == frontier)
            #expect(checkpoint.first == events[0].timestamp)
            #expect(checkpoint.last == events[Int(frontier.count) - 1].timestamp)
            #expect(PartitionCheckpoint(bytes: Array(frame.payload.dropLast())) == nil)
        }
    }

    @Test("after a crash, the seal from the last checkpoint is the one over all events")
    func recovery() throws {
        let path = try #require(try fixture.paths().first)
        let (file, id) = try open(path)
        #expect(try CheckpointScan(file, partition: id, to: file.size())?.checkpoint.frontier.count == 6)
        try file.truncate(to: file.size() - 3)

        let files = try fixture.open()

        #expect(try files.partitions().map(\.count) == [7])
        let report = try PartitionFiles.verify(path)
        #expect(report.problems == [])
        #expect(report.seal?.first == events[0].timestamp)
        #expect(report.seal?.last == events[6].timestamp)
        #expect(try files.upload(#require(try files.partitions().first?.partition)) == Array(events[..<7]))
    }

    @Test("damage in front of a checkpoint, or in one, is found all the same")
    func damage() throws {
        let path = try #require(try fixture.paths().first)
        let all = try frames(path)
        let places = [
            all.first { $0.header.kind == .events }.map { $0.offset + 1000 },
            all.last { $0.header.kind == .checkpoint }.map { $0.offset + 40 },
        ]
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for place in places {
            var bytes = whole
            bytes[Int(try #require(place))] ^= 4
            try bytes.write(to: URL(fileURLWithPath: path))
            let (file, id) = try open(path)
            #expect(try CheckpointScan(file, partition: id, to: file.size()) == nil)
            #expect(try PartitionFiles.verify(path).problems.count == 1)
        }
    }

    @Test("one that speaks of other events is not believed")
    func mismatch() throws {
        let path = try #require(try fixture.paths().first)
        let (file, id) = try open(path)
        let last = try #require(try frames(path).last)
        var buffer = FrameBuffer(partition: id, offset: last.end, cipher: nil)
        let instant = EventInstant(microseconds: 1)
        let wrong = PartitionCheckpoint(frontier: MerkleFrontier(), first: instant, last: instant)
        buffer.append(.checkpoint, wrong.bytes, firstSequence: 9)
        try file.writeAll(buffer.bytes, at: last.end)

        #expect(try CheckpointScan(file, partition: id, to: file.size()) == nil)
        let key: EventEncryptionKey? = nil
        let contents = try PartitionContents(file, partition: id, path: path, key: key, to: file.size())
        #expect(contents.frontier.count == 8)
        #expect(contents.damages == [])
    }
}
