import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Foundation
import Testing

@Suite("Loss ledger")
struct LossLedgerTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    private let loss = LossEntry(
        reason: .writeFailed,
        count: 4,
        noticed: EventInstant(microseconds: 9),
        first: EventInstant(microseconds: 1),
        last: EventInstant(microseconds: 3)
    )

    @Test("what a caller notes is on the disk when the call returns, and is signed by the seal")
    func noted() throws {
        let files = try fixture.open()
        files.note([loss])

        let open = try fixture.onlyReport()
        #expect(open.losses == [loss])
        #expect(open.seal == nil)
        try files.close()
        let closed = try fixture.onlyReport()
        #expect(closed.seal?.losses == [loss])
        #expect(closed.problems.isEmpty)
    }

    @Test("an entry survives the death of its process, and is signed by whoever recovers the file")
    func crash() throws {
        do {
            let files = try fixture.open()
            _ = try files.append([.sample(1)])
            files.note([loss])
        }

        let files = try fixture.open()

        #expect(try files.losses() == [loss])
        #expect(try fixture.onlyReport().seal?.losses == [loss])
    }

    @Test("what cannot be written now waits, and is in front of the next events")
    func later() throws {
        let files = try fixture.open()
        fixture.faulty.fail(.write, at: 1, times: 1000, with: .error(28))

        files.note([loss])

        #expect(try files.losses() == [loss])
        #expect(try fixture.paths().flatMap { try PartitionFiles.verify($0).losses }.isEmpty)
        fixture.faulty.heal()
        _ = try files.append([.sample(1)])
        #expect(try fixture.paths().flatMap { try PartitionFiles.verify($0).losses } == [loss])
        #expect(try files.losses() == [loss])
    }

    @Test("noting nothing makes no file")
    func nothing() throws {
        let files = try fixture.open()

        files.note([])

        #expect(try fixture.paths().isEmpty)
        #expect(try files.losses().isEmpty)
    }

    @Test("the ledger of an upload names the losses, in the seal that the server gets")
    func uploaded() throws {
        let files = try fixture.open()
        files.note([loss])
        _ = try files.append([.sample(1)])
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)

        #expect(try files.read(partition, from: 1, maximumBytes: .max).seal?.losses == [loss])
    }

    @Test("damage is entered with the partition that it was found in")
    func damage() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<5))
        try files.seal()
        let partition = try #require(try files.partitions().first)
        let file = try POSIXFileSystem().open(fixture.path(of: partition.partition), .write)
        var byte: [UInt8] = [0]
        _ = try byte.withUnsafeMutableBytes { try file.read(into: $0, at: 250) }
        byte[0] ^= 0xFF
        _ = try byte.withUnsafeBytes { try file.write($0, at: 250) }

        #expect(throws: PartitionError.self) { try files.read(partition.partition, from: 1, maximumBytes: .max) }

        let entry = try #require(try files.losses().first)
        #expect(entry.reason == .damaged)
        #expect(entry.count == 5)
        #expect(entry.partition == partition.partition)
        #expect(entry.root != nil)
        #expect(entry.first == EventInstant(microseconds: 0))
    }

    @Test("after closing the ledger cannot be read, and noting does nothing")
    func closed() throws {
        let files = try fixture.open()
        try files.close()

        files.note([loss])

        #expect(throws: PartitionError.closed) { try files.losses() }
        #expect(try fixture.paths().isEmpty)
    }

    @Test("a ledger that one seal cannot name goes on in the next ones, entry by entry")
    func continued() throws {
        let files = try fixture.open()
        let partition = PartitionID(prefix: String(repeating: "\u{1}", count: 100), id: ObjectId(high: 0, low: 1))
        func entry(_ number: Int) -> LossEntry {
            LossEntry(
                reason: .writeFailed,
                count: UInt64(number),
                noticed: EventInstant(microseconds: Int64(number)),
                partition: partition
            )
        }
        for first in stride(from: 1, to: 151, by: 50) { files.note((first..<first + 50).map(entry)) }
        _ = try files.append([.sample(1)])
        try files.close()

        let seals = try fixture.paths().compactMap { try PartitionFiles.verify($0).seal }
        #expect(try fixture.paths().flatMap { try PartitionFiles.verify($0).problems } == [])
        #expect(seals.flatMap(\.losses) == (1...150).map(entry))
        #expect(seals.count > 2)
        #expect(seals.map(\.ledgerPart) == seals.indices.map { UInt32($0) })
        #expect(seals.map(\.isLedgerContinued) == seals.indices.map { $0 < seals.count - 1 })
        for seal in seals { #expect(try JSONEncoder().encode(seal).count <= PartitionSeal.maximumBytes) }
    }

    @Test("a sentence says how many events are missing, why, of where and when")
    func sentence() {
        let partition = PartitionID(prefix: "ward", id: ObjectId(high: 0, low: 1))
        let entry = LossEntry(
            reason: .retention,
            count: 2,
            noticed: EventInstant(microseconds: 3_000_000),
            first: EventInstant(microseconds: 0),
            last: EventInstant(microseconds: 1_000_000),
            partition: partition,
            sequences: 1...2
        )

        #expect(
            entry.description == """
                2 events lost (retention), noticed 1970-01-01T00:00:03.000000Z, of ward-000000000000000000000001, \
                sequences 1 to 2, of the time from 1970-01-01T00:00:00.000000Z to 1970-01-01T00:00:01.000000Z
                """
        )
        let payload = LossEntry(reason: .encodingFailed, count: 1, noticed: EventInstant(microseconds: 0))
        #expect(payload.description == "1 payload lost (encodingFailed), noticed 1970-01-01T00:00:00.000000Z")
    }
}
