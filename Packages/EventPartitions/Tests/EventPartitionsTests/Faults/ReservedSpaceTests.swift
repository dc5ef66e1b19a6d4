import EventModel
import EventModelTesting
import EventPartitionsTesting
import Synchronization
import Testing

@testable import EventPartitions

@Suite("Space that is reserved at the end of an event file")
struct ReservedSpaceTests {
    /// More single events than it takes until space is reserved.
    private static let count = ReservedSpace.patience + 6

    /// Appends single events, each with its own sync, and returns the path of their file.
    @discardableResult
    private func append(_ numbers: Range<Int>, to files: PartitionedEventFiles, _ fixture: DiskFixture) throws -> String
    {
        for number in numbers { _ = try files.append([.sample(number)]) }
        return try #require(try fixture.healthyPaths().last)
    }

    private func size(_ path: String, _ fixture: DiskFixture) throws -> UInt64 {
        UInt64(try #require(fixture.disk.contents(of: path)).count)
    }

    @Test(
        "a caller that waits for each event soon writes into it, no reader sees it as torn, and the seal gives it back"
    )
    func life() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        let path = try append(0..<Self.count, to: files, fixture)
        let content = try #require(try files.partitions().first).byteCount

        #expect(try size(path, fixture) > content + ReservedSpace.byteCount / 2)
        let open = try fixture.verify(path)
        #expect(open.problems == [])
        #expect(open.tornTail == nil)
        #expect(open.eventCount == UInt64(Self.count))

        try files.seal()

        #expect(try size(path, fixture) == #require(try files.partitions().first).byteCount)
        #expect(try fixture.reports().flatMap(\.problems) == [])
        #expect(try fixture.storedEvents() == AuditEvent.samples(0..<Self.count))
    }

    @Test("few events, many at once and large ones reserve nothing, and give back what was reserved")
    func others() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        let path = try append(0..<ReservedSpace.patience, to: files, fixture)
        #expect(try size(path, fixture) == #require(try files.partitions().first).byteCount)
        try append(ReservedSpace.patience..<Self.count, to: files, fixture)
        #expect(try size(path, fixture) > #require(try files.partitions().first).byteCount)
        var random = SeededGenerator(seed: 1)
        let large = (0...ReservedSpace.largestWrite).map { _ in UInt8(truncatingIfNeeded: random.next()) }

        _ = try files.append([.sample(50, data: large)])

        #expect(try size(path, fixture) == #require(try files.partitions().first).byteCount)
    }

    @Test("under a small quota nothing is reserved")
    func quota() throws {
        for (quota, isReserved) in [(ReservedSpace.smallestQuota - 1, false), (ReservedSpace.smallestQuota, true)] {
            let fixture = try DiskFixture()
            let files = try fixture.open(policy: StoragePolicy(quota: EventQuota(bytes: quota)))

            let path = try append(0..<Self.count, to: files, fixture)

            let content = try #require(try files.partitions().first).byteCount
            #expect(try (size(path, fixture) > content) == isReserved)
        }
    }

    @Test("what a killed process has reserved is cut off without a word, and its events are all there")
    func killed() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        try append(0..<Self.count, to: files, fixture)
        let next = try DiskFixture(fixture.disk.afterPowerCut(.losesNothing))

        let reopened = try next.open()

        #expect(next.log.notices.isEmpty)
        #expect(try reopened.partitions().map(\.isSealed) == [true])
        #expect(try next.reports().flatMap(\.problems) == [])
        #expect(try next.storedEvents() == AuditEvent.samples(0..<Self.count))
    }

    @Test("a power cut at any call costs nothing that was promised, and what was torn is never taken for damage")
    func powerCut() throws {
        for seed in 0..<12 as Range<UInt64> {
            let fixture = try DiskFixture()
            let promised = Mutex(0)
            let moments = Mutex<[(promised: Int, disk: InMemoryFileSystem)]>([])
            fixture.faulty.observe { call, _ in
                let cut = fixture.disk.afterPowerCut(.losesSome(seed: seed &* 1000 + UInt64(call)))
                moments.withLock { $0.append((promised.withLock(\.self), cut)) }
            }
            let files = try fixture.open()
            // Frames of many sizes, so that they lie in one sector, over two, and over several.
            for number in 0..<Self.count + 20 {
                var random = SeededGenerator(seed: seed + UInt64(number))
                let data = (0..<random.below(1500)).map { _ in UInt8(truncatingIfNeeded: random.next() | 1) }
                _ = try files.append([.sample(number, data: data)])
                promised.withLock { $0 += 1 }
            }
            for (call, moment) in moments.withLock(\.self).enumerated() {
                let next = try DiskFixture(moment.disk)

                let reopened = try next.open()

                let kept = try next.storedEvents().count
                #expect((moment.promised...moment.promised + 1).contains(kept), "call \(call), seed \(seed)")
                #expect(try reopened.losses().isEmpty, "call \(call), seed \(seed)")
                let isAside = try reopened.partitions().contains { $0.quarantineReason != nil }
                #expect(!isAside, "call \(call), seed \(seed)")
            }
        }
    }

    @Test("a flipped bit in front of reserved space is found and reported, one inside it costs nothing")
    func flippedBits() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        let path = try append(0..<Self.count, to: files, fixture)
        let content = Int(try #require(try files.partitions().first).byteCount)
        let bytes = try #require(fixture.disk.contents(of: path))
        // What changes in the place of the next header may have been one; further behind it is nobody's.
        let behind = [content + FrameHeader.byteCount, content + 600, bytes.count - 1]
        for place in Array(content - 200..<content) + behind {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            let next = try DiskFixture()
            next.disk.place(changed, at: path)

            let reopened = try next.open()

            let isAside = try reopened.partitions().contains { $0.quarantineReason != nil }
            #expect(isAside == (place < content), "byte \(place - content)")
            let missing = Self.count - (try next.storedEvents().count)
            #expect(try reopened.losses().eventCount == UInt64(missing), "byte \(place - content)")
            #expect(missing <= (place < content ? 2 : 0))
        }
    }

    @Test("a disk that fails to reserve costs the call that wanted it, and nothing else", arguments: [1, 2, 3])
    func failures(number: Int) throws {
        let fixture = try DiskFixture()
        let files = try fixture.open(limits: PartitionLimits(partitionBytes: 1 << 20))
        fixture.faulty.fail(.truncate, at: number, with: .error(5))
        var promised: [AuditEvent] = []
        var failureCount = 0
        for number in 0..<3 * Self.count {
            if number % Self.count == Self.count - 1 { try? files.seal() }
            do {
                _ = try files.append([.sample(number)])
                promised.append(.sample(number))
            } catch {
                failureCount += 1
            }
        }
        try files.close()

        #expect(failureCount <= 1)
        #expect(try fixture.reports().flatMap(\.problems) == [])
        #expect(try fixture.storedEvents() == promised)
    }
}
