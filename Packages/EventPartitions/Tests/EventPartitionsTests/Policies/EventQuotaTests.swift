import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Synchronization
import Testing

@Suite("Quota of the event files")
struct EventQuotaTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    private func policy(_ bytes: UInt64, _ policy: EventQuota.Policy = .refuseNew) -> StoragePolicy {
        StoragePolicy(quota: EventQuota(bytes: bytes, policy: policy))
    }

    /// An event of about a kilobyte that does not become smaller by compression.
    private func event(_ number: Int) -> AuditEvent {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<125).map { _ in generator.next() }
        return .sample(number, data: words.withUnsafeBytes { Array($0) })
    }

    /// How large the files are that the quota is about: all but the room for what it refuses.
    private func diskBytes() throws -> UInt64 {
        let system = POSIXFileSystem()
        return try system.list(fixture.folder.path).filter { !$0.hasSuffix(".ledger") }
            .reduce(0) { try $0 + (system.status("\(fixture.folder.path)/\($1)")?.size ?? 0) }
    }

    @Test("at the limit new events are refused by name, nothing is thrown, and the ledger has their number and times")
    func refusal() throws {
        let files = try fixture.open(policy: policy(20_000))
        var refused: [Int] = []
        for number in 0..<60 {
            let receipt = try files.append([event(number)])
            guard let rejection = receipt.rejections.first else { continue }
            #expect(receipt.count == 0)
            #expect(rejection.reason == .quota)
            #expect(rejection.limit == 20_000)
            #expect((15_000...20_000).contains(rejection.usedBytes))
            refused.append(number)
        }

        #expect(refused.count > 35)
        #expect(refused == Array((60 - refused.count)..<60))
        let losses = try files.losses().filter { $0.reason == .quota }
        #expect(losses.reduce(0) { $0 + $1.count } == UInt64(refused.count))
        #expect(losses.compactMap(\.first).min() == EventInstant(microseconds: Int64(refused[0])))
        #expect(losses.compactMap(\.last).max() == EventInstant(microseconds: 59))
        try files.close()
        let seal = try #require(try fixture.onlyReport().seal)
        #expect(seal.losses.reduce(0) { $0 + $1.count } == UInt64(refused.count))
        #expect(try diskBytes() < 25_000)
    }

    @Test(
        "of a call that does not fit, the first events are stored and the rest is named, also beside one that is too large"
    )
    func partialCall() throws {
        let files = try fixture.open(limits: PartitionLimits(eventBytes: 3000), policy: policy(10_000))
        let events = (0..<20)
            .map { $0 == 2 ? AuditEvent.sample(2, data: [UInt8](repeating: 1, count: 4000)) : event($0) }

        let receipt = try files.append(events)

        let large = receipt.rejections.filter { $0.reason == .tooLarge }
        let refused = receipt.rejections.filter { $0.reason == .quota }
        #expect(large.map(\.index) == [2])
        #expect(refused.map(\.index) == Array((20 - refused.count)..<20))
        #expect(Int(receipt.count) == 19 - refused.count)
        #expect(receipt.count > 5)
        #expect(try fixture.storedEvents().count == Int(receipt.count))
        #expect(Set(try files.losses().map(\.reason)) == [.tooLarge, .quota])
    }

    @Test("there is room again when the server has taken a partition")
    func roomAgain() throws {
        let files = try fixture.open(policy: policy(20_000))
        while try files.append([event(1)]).rejections.isEmpty {}
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)
        _ = try files.upload(partition, maximumBytes: .max)
        try files.delete(partition)

        #expect(try files.append([event(2)]).rejections.isEmpty)
    }

    @Test("other prefixes of the user count, other users do not")
    func otherPrefixes() throws {
        func files(_ user: String, _ prefix: String) throws -> PartitionedEventFiles {
            try PartitionedEventFiles(
                EventFolder(root: fixture.temporary.path, appID: "app", userID: user, prefix: prefix),
                policy: policy(20_000),
                key: FilesFixture.key
            )
        }
        let first = try files("user", "one")
        while try first.append([event(1)]).rejections.isEmpty {}

        #expect(try files("user", "two").append([event(1)]).rejections.count == 1)
        #expect(try files("other", "one").append([event(1)]).rejections.isEmpty)
    }

    @Test("two instances do not exceed the limit together")
    func twoInstances() throws {
        let instances = [try fixture.open(policy: policy(300_000)), try fixture.open(policy: policy(300_000))]
        var refusals = 0
        for number in 0..<80 {
            let batch = (0..<10).map { event(number * 10 + $0) }
            refusals += try instances[number % 2].append(batch).rejections.count
        }

        #expect(refusals > 300)
        #expect(try diskBytes() < 300_000 + 2 * 65536)
    }

    @Test("the oldest partitions are dropped to make room, each entered with what it held before it goes")
    func dropping() throws {
        let files = try fixture.open(policy: policy(40_000, .dropOldest))
        for number in 0..<100 {
            #expect(try files.append([event(number)]).rejections.isEmpty)
            #expect(try diskBytes() < 45_000)
        }
        try files.close()

        let reports = try fixture.paths().map { try PartitionFiles.verify($0) }
        #expect(reports.allSatisfy { $0.problems.isEmpty })
        let stored = try fixture.storedEvents().map { Int($0.timestamp.microseconds) }
        #expect(stored == Array((100 - stored.count)..<100))
        #expect(stored.count > 20)
        let losses = reports.flatMap(\.losses)
        #expect(losses.allSatisfy { $0.reason == .quota && $0.root != nil && $0.partition != nil })
        #expect(losses.reduce(0) { $0 + $1.count } == UInt64(100 - stored.count))
        #expect(Set(losses.map(\.partition)).count == losses.count)
        // Each entry names the events exactly; the first partition that is left follows the last one that went.
        let spans = losses.compactMap(\.first).map(\.microseconds).sorted()
        #expect(spans.first == 0)
        #expect(losses.allSatisfy { $0.sequences?.count == Int($0.count) })
        #expect(losses.map(\.root).contains(reports[0].seal?.previousRoot))
    }

    @Test("a wholly proven partition goes before others, and is no loss")
    func provenFirst() throws {
        let files = try fixture.open(policy: policy(40_000, .dropOldest))
        var proven: PartitionID?
        for number in 0..<25 {
            _ = try files.append([event(number)])
            guard proven == nil, let last = try files.partitions().last(where: \.isSealed) else { continue }
            _ = try files.append([event(1000)])
            try files.seal()
            proven = try files.partitions().last(where: \.isSealed)?.partition
            if proven == last.partition { proven = nil }
            if let proven { _ = try files.upload(proven, maximumBytes: .max) }
        }
        let first = try #require(try files.partitions().first?.partition)

        for number in 25..<45 where try files.partitions().contains(where: { $0.partition == proven }) {
            _ = try files.append([event(number)])
        }

        #expect(try files.partitions().first?.partition == first)
        #expect(try files.losses().isEmpty)
    }

    @Test("what a dropped partition had lost itself is not forgotten")
    func carriedOver() throws {
        let files = try fixture.open(policy: policy(40_000, .dropOldest))
        files.note([LossEntry(reason: .encodingFailed, count: 7, noticed: EventInstant(microseconds: 1))])
        for number in 0..<150 { _ = try files.append([event(number)]) }

        #expect(try files.losses().filter { $0.reason == .encodingFailed }.map(\.count) == [7])
    }

    @Test("a partition that cannot be deleted is entered once, the handler is notified, and new events are refused")
    func undeletable() throws {
        let errors = Mutex(0)
        let clock = ManualClock()
        let files = try fixture.open(
            policy: policy(20_000, .dropOldest),
            clock: clock,
            errorHandler: { _ in errors.withLock { $0 += 1 } }
        )
        fixture.faulty.fail(.remove, at: 1, times: 1000, with: .error(13))
        var refused = 0
        for number in 0..<40 {
            clock.advance(microseconds: 2_000_000)
            refused += try files.append([event(number)]).rejections.count
        }
        let entered = try files.losses().filter { $0.partition != nil }

        #expect(refused > 10)
        #expect(errors.withLock { $0 } >= refused)
        #expect(entered.count == 1)
        fixture.faulty.heal()
        clock.advance(microseconds: 2_000_000)
        #expect(try files.append([event(40)]).rejections.isEmpty)
        #expect(try files.losses().filter { $0.partition != nil } == entered)
        #expect(try !files.partitions().contains { $0.partition == entered.first?.partition })
    }

    @Test("when nothing of its own can be dropped, events are refused")
    func nothingToDrop() throws {
        let other = try PartitionedEventFiles(
            EventFolder(root: fixture.temporary.path, appID: "app", userID: "user", prefix: "other"),
            key: FilesFixture.key
        )
        _ = try other.append((0..<40).map { event($0) })
        let files = try fixture.open(policy: policy(30_000, .dropOldest))

        let receipt = try files.append([event(1)])

        #expect(receipt.rejections.map(\.reason) == [.quota])
        #expect(try other.partitions().map(\.count) == [40])
    }

    @Test("the folder is not walked for each append")
    func cheap() throws {
        let files = try fixture.open()
        _ = try files.append([event(0)])
        let before = fixture.faulty.count(.list)

        for number in 1..<50 { _ = try files.append([event(number)]) }

        #expect(fixture.faulty.count(.list) == before)
    }

    @Test("a full folder is looked at again after a second, not for each refused event")
    func fullIsCheap() throws {
        let clock = ManualClock()
        let files = try fixture.open(policy: policy(5000), clock: clock)
        while try files.append([event(1)]).rejections.isEmpty {}
        let before = fixture.faulty.count(.list)

        for _ in 0..<50 { #expect(try files.append([event(2)]).rejections.count == 1) }
        #expect(fixture.faulty.count(.list) == before)
        clock.advance(microseconds: 1_000_000)
        _ = try files.append([event(2)])
        #expect(fixture.faulty.count(.list) > before)
    }

    @Test("a limit that makes no sense is refused by its name")
    func nonsense() {
        func refused(_ limits: PartitionLimits, _ policy: StoragePolicy = StoragePolicy()) -> String {
            do {
                _ = try fixture.open(limits: limits, policy: policy)
                return "accepted"
            } catch EventModelError.invalidParameter(let name, _) {
                return name
            } catch {
                return "\(error)"
            }
        }

        #expect(refused(PartitionLimits(partitionBytes: 0)) == "partitionBytes")
        #expect(refused(PartitionLimits(partitionBytes: .max)) == "partitionBytes")
        #expect(refused(PartitionLimits(eventBytes: 0)) == "eventBytes")
        #expect(refused(PartitionLimits(eventBytes: 1 << 40)) == "eventBytes")
        let hasty = StoragePolicy(durability: .interval(.milliseconds(1)))
        #expect(refused(PartitionLimits(), hasty) == "durability")
        let short = StoragePolicy(retention: EventRetention(maximumAge: .seconds(1)))
        #expect(refused(PartitionLimits(), short) == "retention.maximumAge")
    }
}
