import EventModel
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@Suite("Recovery of event files")
struct RecoveryTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    /// Writes three frames of events, and returns the bytes of the file as a crash leaves them, with the frames' ends.
    private func crashedFile(sealed: Bool = false) throws -> (name: String, bytes: [UInt8], ends: [Int: Int]) {
        let files = try fixture.open()
        var ends: [Int: Int] = [:]
        for (start, end) in [(0, 2), (2, 3), (3, 6)] {
            _ = try files.append(AuditEvent.samples(start..<end))
            ends[try Int(#require(try files.partitions().first).byteCount)] = end
        }
        if sealed { try files.seal() }
        let path = try #require(try fixture.paths().first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        return (URL(fileURLWithPath: path).lastPathComponent, Array(bytes), ends)
    }

    /// Puts a file into an empty event folder of its own.
    private func place(_ bytes: [UInt8], _ name: String) throws -> FilesFixture {
        let fixture = try FilesFixture()
        try FileManager.default.createDirectory(atPath: fixture.folder.path, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(fixture.folder.path)/\(name)"))
        return fixture
    }

    @Test("a file cut off at any byte gives back every event of its whole frames, and uploads them")
    func everyTruncation() throws {
        let (name, bytes, ends) = try crashedFile()
        for size in 0...bytes.count {
            let expected = ends.filter { $0.key <= size }.values.max() ?? 0
            let place = try place(Array(bytes.prefix(size)), name)
            #expect(try place.storedEvents() == AuditEvent.samples(0..<expected))

            let files = try place.open()

            let summaries = try files.partitions()
            #expect(summaries.map(\.count) == (expected == 0 ? [] : [UInt64(expected)]), "cut off at \(size)")
            // Checking signatures is slow without optimization, so the proofs are looked at around the ends of frames.
            for summary in summaries where ends[size] != nil || ends[size - 1] != nil || ends[size + 1] != nil {
                #expect(summary.isSealed)
                let path = "\(place.folder.path)/\(name)"
                #expect(try PartitionFiles.verify(path).problems == [])
                #expect(try files.upload(summary.partition) == AuditEvent.samples(0..<expected))
                try files.delete(summary.partition)
            }
            _ = try files.append([.sample(99)])
            #expect(try place.storedEvents().last == .sample(99))
        }
    }

    @Test("a flipped bit in any byte is reported, and no event is read that was not written", arguments: [false, true])
    func everyFlip(sealed: Bool) throws {
        let (name, bytes, ends) = try crashedFile(sealed: sealed)
        let written = Set(AuditEvent.samples(0..<6))
        // The sealed file begins like the other one.
        let start = sealed ? ends.keys.max() ?? 0 : 0
        for index in start..<bytes.count {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            let place = try place(changed, name)
            let path = "\(place.folder.path)/\(name)"

            let report = try PartitionFiles.verify(path)

            #expect(!report.problems.isEmpty, "byte \(index)")
            #expect(written.isSuperset(of: try FilesFixture.events(path)), "byte \(index)")
        }
    }

    @Test("after a flipped bit in any byte, every event is stored again, still there, or counted as lost")
    func everyFlipRecovers() throws {
        let (name, bytes, _) = try crashedFile()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            let place = try place(changed, name)

            let files = try place.open()
            try files.seal()

            let reports = try place.paths().filter { $0.hasSuffix(".events") }.map { try PartitionFiles.verify($0) }
            #expect(reports.flatMap(\.problems) == [], "byte \(index)")
            let kept = reports.reduce(0) { $0 + $1.eventCount }
            let lost = reports.flatMap(\.losses).reduce(0) { $0 + $1.count }
            // A frame whose header is gone at the very end does not say how many events it held: it counts as one.
            let isLastHeader = kept == 3 && lost == 1
            #expect(kept + lost == 6 || isLastHeader || (kept == 6 && lost == 1), "byte \(index): \(kept) and \(lost)")
            let events = try place.paths().filter { $0.hasSuffix(".events") }.flatMap { try FilesFixture.events($0) }
            #expect(Set(AuditEvent.samples(0..<6)).isSuperset(of: events))
            #expect(try files.partitions().contains { $0.quarantineReason?.contains("damaged") == true })
        }
    }

    @Test("damage in a sealed file shows when it is read, and what is whole goes on in another partition")
    func damageInsideSealed() throws {
        let (name, bytes, ends) = try crashedFile(sealed: true)
        var changed = bytes
        let secondFrameEnd = try #require(ends.first { $0.value == 3 }?.key)
        changed[secondFrameEnd - 1] ^= 1
        let place = try place(changed, name)
        let files = try place.open()
        let partition = try #require(try files.partitions().first?.partition)

        #expect(throws: PartitionError.self) { try files.read(partition, from: 1, maximumBytes: .max) }
        try files.seal()

        let summaries = try files.partitions()
        #expect(summaries.map { $0.quarantineReason == nil } == [false, true])
        let salvaged = try #require(summaries.last)
        #expect(
            try files.upload(salvaged.partition) == AuditEvent.samples(0..<2) + AuditEvent.samples(3..<6)
        )
        let seal = try files.read(salvaged.partition, from: 6, maximumBytes: 1).seal
        #expect(seal?.losses.map(\.reason) == [.damaged])
        #expect(seal?.losses.map(\.count) == [1])
    }

    @Test("an event that holds a copy of a frame is never taken for that frame")
    func embeddedFrame() throws {
        let (_, bytes, ends) = try crashedFile()
        let firstEnd = try #require(ends.first { $0.value == 2 }?.key)
        let copied = Array(bytes[firstEnd...])
        let fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(50, data: copied)])
        _ = try files.append([.sample(51)])
        let path = try #require(try fixture.paths().first)
        var changed = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let start = try #require(changed.firstRange(of: copied)?.lowerBound)
        // The header of the frame that holds the copy is damaged, so the reader has to search for the next frame.
        for index in start - 60..<start - 30 { changed[index] ^= 0xFF }
        let place = try place(changed, URL(fileURLWithPath: path).lastPathComponent)

        #expect(try place.storedEvents() == [.sample(51)])
    }

    @Test("zeros behind the last frame are space that was never written")
    func zeroTail() throws {
        let (name, bytes, _) = try crashedFile()
        let place = try place(bytes + [UInt8](repeating: 0, count: 5000), name)

        let files = try place.open()

        #expect(try files.partitions().map(\.count) == [6])
        #expect(try files.partitions().map(\.quarantineReason) == [nil])
    }

    @Test("a file that cannot be recovered is named, blocks nothing, and is tried again")
    func unreadable() throws {
        let (name, bytes, _) = try crashedFile()
        let place = try place(bytes, name)
        place.faulty.fail(.read, at: 1, times: 1000, with: .error(EIO))

        let files = try place.open()
        let summary = try #require(try files.partitions().first)
        _ = try files.append([.sample(9)])

        #expect(summary.quarantineReason?.contains("could not be recovered yet") == true)
        place.faulty.heal()
        #expect(try files.partitions().map(\.count) == [6, 1])
        #expect(try files.partitions().map(\.quarantineReason) == [nil, nil])
    }

    @Test("a symbolic link in the place of a folder or file is refused")
    func symbolicLinks() throws {
        let elsewhere = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(fixture.temporary.path)/realm-audit",
            withDestinationPath: elsewhere.path
        )
        #expect(throws: PartitionError.self) { try fixture.open() }

        let (name, bytes, _) = try RecoveryTests().crashedFile()
        let target = "\(elsewhere.path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: target))
        let place = try FilesFixture()
        let files = try place.open()
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.folder.path)/\(name)",
            withDestinationPath: target
        )

        #expect(try files.partitions().map(\.count) == [0])
        #expect(try files.partitions().allSatisfy { $0.quarantineReason != nil })
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(bytes))
    }

    @Test("a folder name that leads elsewhere is refused", arguments: ["", ".", "..", "a/b", "a\0b"])
    func unsafeNames(name: String) {
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "/data", appID: "app", userID: name, prefix: "ward")
        }
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "/data/../\(name)", appID: "app", userID: "user", prefix: "ward")
        }
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "data\(name)", appID: "app", userID: "user", prefix: "ward")
        }
    }
}
