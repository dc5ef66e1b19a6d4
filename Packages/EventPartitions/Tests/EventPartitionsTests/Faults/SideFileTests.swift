import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Testing

@Suite("Damaged files beside the event files")
struct SideFileTests {
    /// A disk with a sealed partition of three events, of which a server has proven two, and one that is kept aside.
    private func disk() throws -> (DiskFixture, partition: PartitionID, aside: PartitionID) {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(50)])
        try files.seal()
        let aside = try #require(try files.partitions().first?.partition)
        try files.quarantine(aside, reason: "The server holds other events.")
        for number in 0..<3 { _ = try files.append([.sample(number)]) }
        try files.seal()
        let partition = try #require(try files.partitions().last?.partition)
        let stretch = try files.read(partition, from: 1, maximumBytes: AuditEvent.sample(0).encoded.count * 2)
        try files.acknowledge(
            DurabilityProof(partition: partition, durableThrough: 2, root: stretch.root, isSealed: false)
        )
        try files.close()
        return (fixture, partition, aside)
    }

    /// Every way in which a small file can be torn, or have one wrong bit.
    private func damages(of bytes: [UInt8]) -> [[UInt8]] {
        let cuts = (0..<bytes.count).map { Array(bytes.prefix($0)) }
        let flips = bytes.indices.map { index in
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            return changed
        }
        return cuts + flips + [bytes + bytes, [UInt8](repeating: 0xFF, count: 100_000)]
    }

    @Test("a damaged note of what the server holds only sends events again")
    func acknowledgement() throws {
        let (fixture, partition, _) = try disk()
        let path = "\(fixture.folder.path)/\(partition.id).acknowledged"
        let bytes = try #require(fixture.disk.contents(of: path))
        for damage in damages(of: bytes) {
            let place = try DiskFixture(fixture.disk.afterPowerCut(.losesNothing))
            place.disk.place(damage, at: path)

            let files = try place.open()

            let summary = try #require(try files.partitions().last)
            #expect(summary.acknowledgedThrough == 0)
            #expect(try files.upload(partition) == AuditEvent.samples(0..<3))
        }
    }

    @Test("a note of another partition is not believed")
    func foreignAcknowledgement() throws {
        let (fixture, partition, _) = try disk()
        let bytes = try #require(fixture.disk.contents(of: "\(fixture.folder.path)/\(partition.id).acknowledged"))
        let files = try fixture.open()
        for number in 20..<26 { _ = try files.append([.sample(number)]) }
        try files.close()
        let other = try #require(try fixture.open().partitions().last?.partition)
        let place = try DiskFixture(fixture.disk.afterPowerCut(.losesNothing))
        place.disk.place(bytes, at: "\(fixture.folder.path)/\(other.id).acknowledged")

        let reopened = try place.open()

        #expect(try reopened.partitions().last?.acknowledgedThrough == 0)
        #expect(try reopened.upload(other) == AuditEvent.samples(20..<26))
        #expect(try reopened.partitions().filter { $0.quarantineReason != nil }.count == 1)
    }

    @Test("a damaged note of why a partition is kept aside hides neither it nor the others")
    func quarantineRecord() throws {
        let (fixture, partition, aside) = try disk()
        let path = "\(fixture.folder.path)/\(aside.id).quarantined.json"
        let bytes = try #require(fixture.disk.contents(of: path))
        for damage in damages(of: bytes) {
            let place = try DiskFixture(fixture.disk.afterPowerCut(.losesNothing))
            place.disk.place(damage, at: path)

            let summaries = try place.open().partitions()

            #expect(summaries.map(\.partition) == [aside, partition])
            #expect(summaries.last?.quarantineReason == nil)
            // With another program or time in the note it is offered again, which loses nothing.
            let isOffered = summaries.first?.quarantineReason == nil
            #expect(!isOffered || summaries.first?.count == 1)
        }
    }

    @Test("a damaged key of the device is named and never replaced by a new one")
    func deviceKey() throws {
        let fixture = try DiskFixture()
        let system = fixture.disk
        _ = try PartitionedEventFiles(fixture.folder, fileSystem: system)
        let bytes = try #require(system.contents(of: fixture.folder.keyPath))
        for damage in (0..<bytes.count).map({ Array(bytes.prefix($0)) }) + [bytes + [0]] {
            system.place(damage, at: fixture.folder.keyPath)

            let error = #expect(throws: PartitionError.self) {
                try PartitionedEventFiles(fixture.folder, fileSystem: system)
            }

            #expect(error?.description.contains(fixture.folder.keyPath) == true)
            #expect(system.contents(of: fixture.folder.keyPath) == damage)
        }
    }
}
