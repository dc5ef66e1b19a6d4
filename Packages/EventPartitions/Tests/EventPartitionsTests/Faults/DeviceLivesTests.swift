import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Testing

@Suite("Whole lives of a device")
struct DeviceLivesTests {
    @Test("nothing is lost, and nothing is reported that is not so, whatever ends the processes", arguments: 0..<40)
    func lives(seed: UInt64) throws {
        var lives = DeviceLives(seed: seed)
        for _ in 0..<8 { try lives.live() }

        #expect(try lives.problems() == [], "seed \(seed)")
    }

    @Test("notes of partitions that are gone, of any version, go without a word; what is no note stays and is reported")
    func orphans() throws {
        let fixture = try DiskFixture()
        let ids = SequentialIds()
        let orphans = (0..<111).map { _ in "\(fixture.folder.path)/\(ids.next()).acknowledged" }
        for (number, path) in orphans.enumerated() {
            let note = Array("DAYACKN".utf8) + [UInt8(number % 3)] + [UInt8](repeating: 5, count: number)
            fixture.disk.place(note, at: path)
        }
        let foreign = "\(fixture.folder.path)/\(ids.next()).acknowledged"
        fixture.disk.place(Array("a letter to somebody".utf8), at: foreign)

        let files = try fixture.open()
        _ = try files.partitions()

        #expect(orphans.allSatisfy { fixture.disk.contents(of: $0) == nil })
        #expect(fixture.disk.contents(of: foreign) != nil)
        #expect(fixture.errors.errors.isEmpty)
        #expect(fixture.log.notices.count <= 1)
    }

    @Test("the index and everything beside the events belong to the user alone")
    func permissions() throws {
        let fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        try files.seal()

        let audit = "\(fixture.temporary.path)/realm-audit"
        let system = POSIXFileSystem()
        var paths = ["\(audit)/device.index", "\(audit)/device.index.lock"]
        paths += try system.list(fixture.folder.path).map { "\(fixture.folder.path)/\($0)" }
        #expect(paths.count >= 6)
        for path in paths { #expect(try system.status(path)?.permissions == 0o600, "\(path)") }
    }

    @Test("opening a thousand sealed files costs a few calls for each, and none is read as a whole")
    func thousand() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open(limits: PartitionLimits(partitionBytes: 1), ids: SequentialIds())
        for number in 0..<1000 { _ = try files.append([.sample(number)]) }
        try files.close()
        let next = try DiskFixture(fixture.disk)

        let opened = try next.open()

        #expect(try opened.partitions().count == 1000)
        // Its two ends, and what they point to.
        #expect(next.faulty.count(.read) < 8000)
        #expect(next.faulty.callCount < 20_000)
        #expect(next.errors.errors.isEmpty)
    }
}
