import EventModel
import EventModelTesting
import EventPartitions
import Testing

@Suite("An index of many partitions")
struct ManyPartitionsTests {
    @Test(
        "it knows all of them when it is read again, in the same process and in the next",
        arguments: [1, 3, 400],
        [EventDurability.eachCommit, .system]
    )
    func known(count: Int, durability: EventDurability) throws {
        let fixture = try DiskFixture()
        let files = try fixture.open(policy: StoragePolicy(durability: durability))
        for event in AuditEvent.samples(0..<count) {
            // Without a sync in between, so that the seal makes the events durable, too.
            _ = try files.append([event])
            try files.seal()
        }
        try files.close()
        let written = fixture.surroundings

        for _ in 1...2 {
            let opened = try fixture.open()
            #expect(try opened.partitions().count == count)
            #expect(fixture.errors.findings == [])
            try opened.close()
            #expect(try fixture.audit() == [])
        }
        #expect(fixture.surroundings == written, "everything was known, so that nothing is entered again")
    }
}
