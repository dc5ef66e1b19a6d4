import EventModel
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@testable import EventPartitions

@Suite("Encrypted event files")
struct EncryptionTests {
    let fixture: FilesFixture
    let key = EventEncryptionKey.random()

    init() throws {
        fixture = try FilesFixture()
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Whether a text lies somewhere in the bytes.
    private func contains(_ bytes: [UInt8], _ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    /// Appends events of which one is large enough to be packed.
    private func record(_ key: EventEncryptionKey?) throws -> (path: String, events: [AuditEvent]) {
        let rows = (0..<200).map { "{\"name\":\"secret \($0)\"}" }.joined(separator: ",")
        let note = AuditEvent.sample(2, data: Array("confidential note".utf8))
        let events = AuditEvent.samples(0..<2) + [note, .sample(3, data: Array("[\(rows)]".utf8))]
        let files = try fixture.open(encryptionKey: key)
        _ = try files.append(Array(events[..<3]))
        _ = try files.append(Array(events[3...]))
        return (try #require(try fixture.paths().last), events)
    }

    @Test("with the key everything is read, uploaded and verified; the roots are those of plain files")
    func roundTrip() throws {
        let files = try fixture.open(encryptionKey: key)
        let events = AuditEvent.samples(0..<40)
        for event in events { _ = try files.append([event]) }
        try files.seal()
        let path = try #require(try fixture.paths().first)
        let report = try PartitionFiles.verify(path, encryptionKey: key)
        #expect(report.problems == [])
        #expect(report.eventCount == 40)
        var plain = MerkleFrontier()
        for event in events { plain.append(MerkleHash.leaf(event.encoded)) }
        #expect(report.root == plain.root)
        let partition = try #require(try files.partitions().first?.partition)
        #expect(try files.upload(partition) == events)
        try files.delete(partition)
    }

    @Test("no word of an event is in an encrypted file, packed or not, and the file is its owner's alone")
    func nothingReadable() throws {
        let plain = try record(nil)
        #expect(contains(try bytes(plain.path), "confidential note"))
        let (path, events) = try record(key)
        let bytes = try bytes(path)
        for text in ["secret", "name", "confidential", "note"] { #expect(!contains(bytes, text)) }
        #expect(key.withUnsafeBytes { bytes.firstRange(of: Array($0)) } == nil)
        #expect(try POSIXFileSystem().status(path)?.permissions == 0o600)
        var reader = try PartitionFileReader(path, encryptionKey: key)
        #expect(try (0..<4).map { _ in try reader.next()?.event } == events)
    }

    @Test("without the key or with another one, the error names the file and the remedy, and not the key")
    func wrongKey() throws {
        let (path, _) = try record(key)
        let other = EventEncryptionKey.random()
        for (given, expected) in [(nil, PartitionError.encrypted(path: path)), (other, .wrongKey(path: path))] {
            var reader = try PartitionFileReader(path, encryptionKey: given)
            #expect(throws: expected) { try reader.next() }
            #expect(try PartitionFiles.verify(path, encryptionKey: given).problems == [expected])
            #expect(expected.description.contains(path))
            #expect(expected.description.contains("open the file with"))
        }
    }

    @Test("what another key wrote is listed with the reason, left alone, and uploaded when the key is back")
    func keyComesBack() throws {
        for isSealed in [false, true] {
            let fixture = try FilesFixture()
            let events = AuditEvent.samples(0..<5)
            do {
                let files = try fixture.open(encryptionKey: key)
                _ = try files.append(events)
                if isSealed { try files.seal() }
            }
            let path = try #require(try fixture.paths().first)
            let before = try bytes(path)
            for wrong in [nil, EventEncryptionKey.random()] {
                let files = try fixture.open(encryptionKey: wrong)
                let summary = try #require(try files.partitions().first)
                #expect(summary.quarantineReason?.contains("encrypted") == true)
                // Recording goes on beside it.
                _ = try files.append([.sample(9)])
                try files.seal()
                let own = try #require(try files.partitions().first { $0.quarantineReason == nil }?.partition)
                #expect(try files.upload(own) == [.sample(9)])
                try files.delete(own)
                try files.close()
                #expect(try bytes(path) == before)
                #expect(try fixture.paths() == [path])
            }
            let files = try fixture.open(encryptionKey: key)
            let partition = try #require(try files.partitions().first)
            #expect(partition.quarantineReason == nil)
            #expect(try files.upload(partition.partition) == events)
            try files.delete(partition.partition)
            #expect(try fixture.paths() == [])
        }
    }

    @Test("plain files are read by a program that has a key now")
    func plainFilesStayReadable() throws {
        do {
            let files = try fixture.open()
            _ = try files.append([.sample(1)])
        }
        let files = try fixture.open(encryptionKey: key)
        _ = try files.append([.sample(2)])
        try files.seal()
        #expect(try files.partitions().flatMap { try files.upload($0.partition) } == [.sample(1), .sample(2)])
    }

    @Test("no nonce comes twice with one key: each opening has its own salt, each frame its own place")
    func nonces() throws {
        var salts: [[UInt8]] = []
        for _ in 0..<20 {
            let files = try fixture.open(encryptionKey: key)
            for number in 0..<5 { _ = try files.append([.sample(number)]) }
            var own: Set<[UInt8]> = []
            var places: Set<UInt64> = []
            let path = try #require(try fixture.paths().last)
            let partition = try ObjectId(string: String(path.split(separator: "/").last?.prefix(24) ?? ""))
            let file = try POSIXFileSystem().open(path, .read)
            var scanner = FrameScanner(file, partition: partition, from: 24, to: try file.size())
            while case .frame(let frame) = try scanner.next() {
                guard frame.header.kind == .events else { continue }
                own.insert(try #require(PartitionCipher.salt(of: frame.payload)))
                places.insert(frame.offset)
            }
            #expect(own.count == 1)
            #expect(places.count == 5)
            salts += own
        }
        #expect(Set(salts).count == 20)
    }

    @Test("a frame whose place, header, salt or content was changed does not open, even with right checksums")
    func authenticated() throws {
        let partition = ObjectId(high: 1, low: 2)
        let cipher = PartitionCipher(key, salt: PartitionCipher.randomSalt(), of: partition)
        let header = FrameHeader(kind: .events, flags: .encrypted, payloadCount: 45, firstSequence: 7, eventCount: 1)
        let aad = header.authenticated(at: 100, of: partition)
        let sealed = try cipher.seal([1, 2, 3, 4, 5], at: 100, header: aad)
        #expect(cipher.open(sealed, at: 100, header: aad) == [1, 2, 3, 4, 5])
        #expect(cipher.open(sealed, at: 101, header: aad) == nil)
        for changed in [
            FrameHeader(kind: .events, flags: .encrypted, payloadCount: 45, firstSequence: 8, eventCount: 1),
            FrameHeader(kind: .events, flags: .encrypted, payloadCount: 45, firstSequence: 7, eventCount: 2),
            FrameHeader(
                kind: .events,
                flags: [.encrypted, .packed],
                payloadCount: 45,
                firstSequence: 7,
                eventCount: 1
            ),
        ] {
            #expect(cipher.open(sealed, at: 100, header: changed.authenticated(at: 100, of: partition)) == nil)
        }
        #expect(
            cipher.open(sealed, at: 100, header: header.authenticated(at: 100, of: ObjectId(high: 1, low: 3))) == nil
        )
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            // The salt and the check are compared when a cipher is chosen; the tag vouches for the rest.
            #expect(index < 24 ? !cipher.fits(changed) : cipher.open(changed, at: 100, header: aad) == nil)
        }
        for size in 0..<sealed.count { #expect(cipher.open(Array(sealed.prefix(size)), at: 100, header: aad) == nil) }
    }

    @Test("nothing that prints a cipher shows its key")
    func printsNothing() throws {
        let cipher = PartitionCipher(key, salt: PartitionCipher.randomSalt(), of: ObjectId(high: 1, low: 2))
        var dumped = ""
        dump([cipher], to: &dumped)
        #expect("\(cipher)" == "PartitionCipher(hidden)")
        #expect(dumped.split(separator: "\n").count == 2)
        #expect(Mirror(reflecting: cipher).children.isEmpty)
    }

    @Test("a flipped bit in any byte of an encrypted file is reported, and the rest is salvaged")
    func flips() throws {
        let path: String
        do {
            let files = try fixture.open(encryptionKey: key)
            for number in 0..<3 { _ = try files.append([.sample(number)]) }
            path = try #require(try fixture.paths().first)
        }
        let whole = try bytes(path)
        for index in stride(from: 0, to: whole.count, by: 3) {
            var changed = whole
            changed[index] ^= 1 << UInt8(index % 8)
            try Data(changed).write(to: URL(fileURLWithPath: path))
            let report = try PartitionFiles.verify(path, encryptionKey: key)
            #expect(!report.problems.isEmpty, "byte \(index)")
            #expect(report.eventCount >= 2 || index < 200)
        }
    }
}
