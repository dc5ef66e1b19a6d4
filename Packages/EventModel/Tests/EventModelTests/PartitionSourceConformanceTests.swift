import EventModel
import EventModelTesting
import Testing

@Suite("PartitionSourceConformance")
struct PartitionSourceConformanceTests {
    @Test("the fake source keeps the rules")
    func fake() {
        let partition = PartitionID(prefix: "fake", id: ObjectId("00000000000000000000002a"))
        let kit = PartitionSourceConformance(
            make: { events in
                let source = FakePartitionSource()
                for event in events { source.append(event.encoded, to: partition) }
                return source
            },
            seal: { $0.seal(partition) }
        )

        #expect(kit.brokenRules() == [])
    }
}
