import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import AuditModel

@Suite("An upload that arrives in pieces")
struct ArrivingUploadTests {
    private static func sealed() throws -> PartitionStretch {
        var device = SampleDevice()
        for number in 1...50 {
            device.record(device.event("a\(number)", metadata: try EventMetadata(["shift": "\(number % 3)"])))
        }
        return device.stretch(1...50, seal: try device.seal())
    }

    private static func arrive(_ bytes: [UInt8], in size: Int) throws -> (upload: ArrivingUpload, cost: Int) {
        var upload = ArrivingUpload()
        var cost = 0
        for start in stride(from: 0, to: bytes.count, by: size) {
            cost += try Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { try upload.add($0) }
        }
        return (upload, cost)
    }

    private static func whole(_ arrived: ArrivingUpload) throws -> EventUpload {
        try EventUpload(
            arrived,
            owner: SampleDevice.owner,
            received: SampleDevice.received,
            signedBy: SampleDevice.serverKey
        )
    }

    @Test("it is what the stretch is as a whole, whatever the size of the pieces", arguments: [1, 7, 1024, 1_000_000])
    func pieces(size: Int) throws {
        let stretch = try Self.sealed()
        let expected = try EventUpload(
            stretch,
            owner: SampleDevice.owner,
            received: SampleDevice.received,
            signedBy: SampleDevice.serverKey
        )

        let (arrived, cost) = try Self.arrive(stretch.wireBytes(), in: size)
        let upload = try Self.whole(arrived)

        #expect(upload.events == expected.events)
        #expect(upload.leaves == expected.leaves)
        #expect(upload.proof == expected.proof)
        #expect(upload.seal == expected.seal)
        #expect(arrived.byteCount == (try stretch.wireBytes().count))
        #expect(cost == 50 * (ArrivingUpload.eventBytes + ArrivingUpload.entryBytes))
    }

    @Test("an event of very many small entries is charged for what they take, and not for their few bytes")
    func smallEntries() throws {
        var device = SampleDevice()
        let keys = (0..<5000).map { "k\($0)" }
        device.record(
            device.event("a", metadata: try EventMetadata(Dictionary(uniqueKeysWithValues: keys.map { ($0, "") })))
        )
        let bytes = try device.stretch(1...1).wireBytes()

        let (_, cost) = try Self.arrive(bytes, in: bytes.count)

        #expect(cost == ArrivingUpload.eventBytes + 5000 * ArrivingUpload.entryBytes)
        #expect(cost > 5 * bytes.count)
    }

    @Test("a body that ends too early is refused, wherever that is")
    func truncation() throws {
        var device = SampleDevice()
        device.record(["a", "b"])
        let bytes = try device.stretch(1...2).wireBytes()

        for count in 0..<bytes.count {
            #expect(throws: AuditServerError.self) {
                try Self.whole(Self.arrive(Array(bytes[..<count]), in: 64).upload)
            }
        }
    }

    @Test("an event that may not be stored is refused when it has arrived, and nothing behind it is waited for")
    func early() throws {
        var device = SampleDevice()
        device.record([String(repeating: "x", count: AuditEvent.maximumNameBytes + 1)])
        device.record(device.event("b", data: String(repeating: "y", count: 1_000_000)))
        let bytes = try device.stretch(1...2).wireBytes()

        #expect(throws: AuditServerError.refused(.longName)) { try Self.arrive(Array(bytes[..<10_000]), in: 1024) }
    }

    @Test("a body of more bytes than one may have is refused at the first of them")
    func tooLarge() throws {
        var upload = ArrivingUpload()
        let stretch = PartitionStretch(
            partition: SampleDevice().partition,
            firstSequence: 1,
            events: EncodedEvents(),
            root: MerkleFrontier().root
        )
        // Two events are announced, of which the first would fill the body.
        let head = try Array(stretch.wireBytes().dropLast()) + [2, 0x80, 0x80, 0x80, 0x08]
        let piece = [UInt8](repeating: 0, count: 65_536)
        _ = try head.withUnsafeBytes { try upload.add($0) }

        #expect(throws: AuditServerError.tooLarge(limit: EventUpload.maximumBytes)) {
            while upload.byteCount <= EventUpload.maximumBytes {
                _ = try piece.withUnsafeBytes { try upload.add($0) }
            }
        }
        #expect(upload.byteCount > EventUpload.maximumBytes)
    }
}
