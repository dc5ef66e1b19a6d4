import EventModel
import Testing

@Suite("PartitionStretch on the wire")
struct PartitionStretchWireTests {
    static func sample(sealed: Bool) throws -> PartitionStretch {
        let root = try #require(Digest(repeatElement(7, count: 32)))
        let partition = PartitionID(prefix: "event-", id: ObjectId("62b38b3c10846041166f5deb"))
        let seal = PartitionSeal(
            partition: partition,
            count: 2,
            root: root,
            first: EventInstant(microseconds: 1),
            last: nil,
            previousRoot: root,
            losses: [LossEntry(reason: .quota, count: 3, noticed: EventInstant(microseconds: 9))],
            publicKey: [1],
            signature: [2]
        )
        let events = EncodedEvents([
            try AuditEventEncodingTests.sample(), try AuditEventEncodingTests.sample(data: nil),
        ])
        return PartitionStretch(
            partition: partition,
            firstSequence: 3,
            events: events,
            root: root,
            seal: sealed ? seal : nil
        )
    }

    @Test("a stretch survives a round trip, with and without a seal", arguments: [false, true])
    func roundTrip(sealed: Bool) throws {
        let stretch = try Self.sample(sealed: sealed)

        let copy = try stretch.wireBytes().withUnsafeBytes { try PartitionStretch(wireBytes: $0) }

        #expect(copy == stretch)
        #expect(copy.partition.value == "event--62b38b3c10846041166f5deb")
        #expect(copy.lastSequence == 4)
    }

    @Test("every truncation is refused")
    func truncation() throws {
        let bytes = try Self.sample(sealed: true).wireBytes()

        for length in 0..<bytes.count {
            #expect(throws: EventModelError.self) {
                try Array(bytes[0..<length]).withUnsafeBytes { try PartitionStretch(wireBytes: $0) }
            }
        }
    }

    @Test("a seal of more than 64 KiB is refused before it is decoded")
    func hugeSeal() throws {
        let sample = try Self.sample(sealed: true)
        let seal = try #require(sample.seal)
        let huge = PartitionStretch(
            partition: sample.partition,
            firstSequence: 1,
            events: EncodedEvents(),
            root: sample.root,
            seal: PartitionSeal(
                partition: sample.partition,
                count: 2,
                root: sample.root,
                first: nil,
                last: nil,
                previousRoot: nil,
                losses: Array(repeating: seal.losses[0], count: 2000),
                publicKey: [],
                signature: []
            )
        )

        let error = try #require(throws: EventModelError.self) {
            try huge.wireBytes().withUnsafeBytes { try PartitionStretch(wireBytes: $0) }
        }
        guard case .longSeal(let byteCount) = error else { throw error }
        #expect(byteCount > PartitionSeal.maximumBytes)
        #expect(error.description.contains("may have 65536"))
    }
}
