import EventModel
import EventModelTesting
import Testing

@Suite("Fakes of the upload seams")
struct UploadFakesTests {
    let partition = PartitionID(prefix: "events", id: ObjectId("62b38b3c10846041166f5deb"))

    @Test("the fake transport keeps the rules of its seam")
    func transportConformance() async {
        #expect(await EventTransportConformance(transport: FakeTransport()).brokenRules() == [])
    }

    @Test("the kit finds a transport that stores behind a gap and seals too early")
    func kitFindsLiar() async {
        let lie: FakeTransport.Step = .answer { proof in
            DurabilityProof(
                partition: proof.partition,
                durableThrough: proof.durableThrough + 1,
                root: proof.root,
                isSealed: true
            )
        }
        let liar = FakeTransport(script: Array(repeating: lie, count: 20))

        let broken = await EventTransportConformance(transport: liar).brokenRules()

        #expect(broken.count == 6)
        #expect(broken.contains("A partition is sealed when its seal arrived, not before."))
    }

    @Test("the root of nothing is the empty tree of RFC 6962 and the order of events matters")
    func sampleRoot() {
        #expect(SampleRoot.of([]).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SampleRoot.of([[1], [2]]) != SampleRoot.of([[2], [1]]))
        #expect(SampleRoot.of([[1], [2]]) == SampleRoot.appending([2], to: SampleRoot.of([[1]])))
    }

    @Test("the fake source keeps the rules of its seam")
    func sourceConformance() {
        let kit = PartitionSourceConformance(
            make: { [partition] in FakePartitionSource(holding: $0, of: partition) },
            seal: { [partition] in $0.seal(partition) }
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("the fake source refuses a foreign root and deletes only what is sealed and proven")
    func sourceKeepsUnproven() throws {
        let source = FakePartitionSource()
        source.append([1], to: partition)
        source.seal(partition)
        let stretch = try source.read(partition, from: 1, maximumBytes: 100)
        func proof(_ root: Digest, isSealed: Bool) -> DurabilityProof {
            DurabilityProof(partition: partition, durableThrough: 1, root: root, isSealed: isSealed)
        }

        #expect(throws: FakePartitionSource.Failure.rootMismatch) {
            try source.acknowledge(proof(SampleRoot.empty, isSealed: true))
        }
        #expect(throws: FakePartitionSource.Failure.notProven) { try source.delete(partition) }
        try source.acknowledge(proof(stretch.root, isSealed: false))
        #expect(throws: FakePartitionSource.Failure.notProven) { try source.delete(partition) }
        try source.acknowledge(proof(stretch.root, isSealed: true))
        try source.delete(partition)
        #expect(try source.partitions() == [])
    }

    @Test("the fake source lists sealed partitions first, each by age, and reads within a byte budget")
    func sourceOrderAndBudget() throws {
        let source = FakePartitionSource()
        let ids = SequentialIds()
        let names = (0..<3).map { _ in PartitionID(prefix: "events", id: ids.next()) }
        source.append([1, 2], to: names[2])
        source.append([3, 4], to: names[2])
        source.append([5], to: names[1])
        source.seal(names[2])
        source.seal(names[0])

        let listed = try source.partitions().map(\.partition)
        let stretch = try source.read(names[2], from: 1, maximumBytes: 3)

        #expect(listed == [names[0], names[2], names[1]])
        #expect(stretch.events.count == 1)
        #expect(stretch.seal == nil)
    }
}
