import EventModel
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@testable import EventPartitions

/// Feeds mutated files to everything that reads one; a trap ends the process, and wrong events fail the test.
///
/// Each run begins with another seed; `DAYBOOK_FUZZ_SEED` repeats one, and `DAYBOOK_FUZZ_SECONDS` goes on for longer.
@Suite("Fuzzed files")
struct FormatFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// Calls the closure with a generator for each round, until the time or the rounds are over.
    private func rounds(_ count: Int, _ body: (inout SeededGenerator) throws -> Void) throws {
        let seed = Self.environment["DAYBOOK_FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64(UInt32.max))
        print("DAYBOOK_FUZZ_SEED=\(seed)")
        let seconds = Self.environment["DAYBOOK_FUZZ_SECONDS"].flatMap { Int64($0) }
        let end = seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
        var random = SeededGenerator(seed: seed)
        var round = 0
        while end.map({ ContinuousClock.now < $0 }) ?? (round < count) {
            round += 1
            try body(&random)
        }
        if seconds != nil { print("\(round) rounds") }
    }

    private func events(in fixture: DiskFixture) throws -> [AuditEvent] {
        try fixture.paths().flatMap { try fixture.events($0) }
    }

    @Test("bytes changed without their checksums never become an event that nobody wrote")
    func changedBytes() throws {
        let samples = try [false, true].map { try SampleFile(sealed: $0) }
        try rounds(150) { random in
            let sample = samples[random.below(2)]
            let fixture = try sample.place(Mutation.bytes(sample.bytes, &random))

            let read = try events(in: fixture)
            let files = try fixture.open()
            for summary in try files.partitions() { _ = try? files.upload(summary.partition) }

            #expect(read.allSatisfy { sample.events.contains($0) })
            #expect(try fixture.storedEvents().allSatisfy { sample.events.contains($0) })
        }
    }

    @Test("frames changed together with their checksums trap nowhere, and the folder can still be used")
    func changedFrames() throws {
        let samples = try [false, true].map { try SampleFile(sealed: $0) }
        try rounds(250) { random in
            let sample = samples[random.below(2)]
            let bytes = try Mutation.frames(sample, &random)
            let fixture = try sample.place(bytes)

            // A frame that was forged to look encrypted is an error of its own.
            _ = try? events(in: fixture)
            _ = try? fixture.verify(sample.path)
            let files = try fixture.open()
            for summary in try files.partitions() where summary.quarantineReason == nil {
                // What a forged file claims may be refused at any point, by an error.
                _ = try? files.read(summary.partition, from: summary.count, maximumBytes: 100)
                _ = try? files.upload(summary.partition)
            }
            _ = try files.append([.sample(77)])
            try files.close()

            let isStored = try fixture.healthyPaths()
                .contains { path in
                    (try? fixture.events(path))?.contains(.sample(77)) == true
                }
            #expect(isStored)
        }
    }

    @Test("a scanner that starts anywhere in any bytes ends, and never reads more than there is")
    func scanner() throws {
        let sample = try SampleFile(sealed: true)
        let id = ObjectId(high: 0, low: 1)
        try rounds(150) { random in
            let bytes = random.once(in: 2) ? Mutation.bytes(sample.bytes, &random) : Mutation.noise(&random)
            let fixture = try sample.place(bytes)
            let file = try fixture.disk.open(sample.path, .read)
            let size = UInt64(bytes.count)
            let start = UInt64(random.below(bytes.count + 10))
            let end = random.once(in: 4) ? size + UInt64(random.below(100)) : size
            var scanner = FrameScanner(file, partition: id, from: start, to: end)
            var last = start
            while let finding = try scanner.next() {
                #expect(scanner.offset > last)
                last = scanner.offset
                if case .frame(let frame) = finding { #expect(frame.end <= end) }
            }
        }
    }

    @Test("an event decoded from any bytes is refused or encodes to the same bytes")
    func eventReader() throws {
        let original = AuditEvent(
            id: ObjectId(high: 1, low: 2),
            clock: ClockReading(
                wall: EventInstant(microseconds: 5),
                monotonicNanoseconds: 6,
                boot: Boot(high: 1, low: 2)
            ),
            activity: "activity",
            event: "read",
            data: Array("{\"type\":\"Person\"}".utf8),
            metadata: try EventMetadata(["a": "1", "shift": "early"]),
            scopeCommitted: EventInstant(microseconds: 9)
        )
        try rounds(3000) { random in
            let bytes = random.once(in: 8) ? Mutation.noise(&random) : Mutation.bytes(original.encoded, &random)
            guard let event = try? bytes.withUnsafeBytes({ try AuditEvent(encoded: $0) }) else { return }
            #expect(event.encoded == bytes)
        }
    }

    @Test("a note of what the server holds is refused or means what its bytes say, with the right code, too")
    func acknowledgement() throws {
        let id = ObjectId(high: 0, low: 1)
        var cursor = PartitionCursor()
        let sample = try SampleFile(sealed: true)
        let fixture = try sample.place(sample.bytes)
        let files = try fixture.open()
        let summary = try #require(try files.partitions().first)
        let held = try files.held(summary.partition)
        try cursor.advance(through: 3, of: held)
        var acknowledgement = Acknowledgement()
        acknowledgement.cursor = cursor
        let key = FilesFixture.key
        let bytes = acknowledgement.bytes(of: id, key: key)
        try rounds(150) { random in
            var changed = Mutation.bytes(bytes, &random)
            let read = Acknowledgement(bytes: changed, of: id, key: key)
            #expect(read.map { $0.bytes(of: id, key: key) == changed } ?? true)
            guard changed.count > DeviceKey.codeByteCount else { return }
            // The code of the last bytes, as a forger would make it who has the device's key.
            let content = changed.dropLast(DeviceKey.codeByteCount)
            changed = content + key.code(for: content + id.withUnsafeBytes { Array($0) })
            let place = try sample.place(sample.bytes)
            place.disk.place(changed, at: sample.path.replacing(".events", with: ".acknowledged"))

            let reopened = try place.open()

            // A forged note may send nothing, but it never costs an event.
            _ = try? reopened.upload(summary.partition)
            #expect(try place.storedEvents() == sample.events)
        }
    }

    @Test("a journal of any bytes is taken over, left alone or removed, and never gives a block that nobody wrote")
    func journal() throws {
        let fixture = try DiskFixture()
        let journal = try ScopeJournalFiles(fixture.folder, fileSystem: fixture.disk, ids: SequentialIds()).begin()
        let blocks = (0..<4).map { [UInt8](repeating: UInt8($0), count: 20 + $0 * 30) }
        for block in blocks { _ = try journal.append(block) }
        let path = "\(fixture.folder.path)/\(journal.id).journal"
        let bytes = try #require(fixture.disk.contents(of: path))
        try rounds(200) { random in
            let place = try DiskFixture()
            place.disk.place(random.once(in: 10) ? Mutation.noise(&random) : Mutation.bytes(bytes, &random), at: path)

            let found = try ScopeJournalFiles(place.folder, fileSystem: place.disk).leftBehind()

            for journal in found {
                // A journal whose first bytes are wrong is left alone, and says so to whoever asks for its blocks.
                guard let intact = try? journal.blocks() else { continue }
                for block in intact { #expect(blocks.contains(try journal.read(block))) }
                let appended = try journal.append([1, 2, 3])
                #expect(try journal.blocks() == intact + [appended])
            }
        }
    }
}
