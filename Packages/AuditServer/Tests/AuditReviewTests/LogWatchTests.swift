import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import AuditModel
@testable import AuditReview

@Suite("Gaps, losses and the verification in the background")
struct LogWatchTests {
    private static let hour: Int64 = 3_600_000_000

    /// A device's partitions, each after the one before.
    private static func chain(_ count: Int, user: String = "aa") throws -> [PartitionLogEntry] {
        let key = DeviceKey()
        var previous: Digest?
        return try (1...count)
            .map { number in
                var device = SampleDevice(UInt32(number))
                device.record(["\(user) \(number)"])
                let seal = try device.signed(by: key, after: previous)
                previous = seal.root
                return entry(seal, user: user)
            }
    }

    private static func entry(_ seal: PartitionSeal, user: String = "aa", index: UInt64 = 0) -> PartitionLogEntry {
        PartitionLogEntry(index: index, app: "ward-app", user: user, received: SampleDevice.received, seal: seal)
    }

    private static func gaps(_ entries: [PartitionLogEntry], after hours: Int64 = 2) -> [PartitionID] {
        var watch = LogWatch()
        for (index, entry) in entries.enumerated() {
            _ = watch.see(Self.entry(entry.seal, user: entry.user, index: UInt64(index)))
        }
        let now = EventInstant(microseconds: SampleDevice.received.microseconds + hours * hour)
        return watch.overdue(at: now, after: hour).map(\.follower.partition)
    }

    @Test("a partition that is missing between two others is found after a while, and one that comes late is not")
    func missing() throws {
        let all = try Self.chain(5)

        #expect(Self.gaps(all).isEmpty)
        #expect(Self.gaps(all.reversed()).isEmpty)
        #expect(Self.gaps(Array(all.dropFirst())) == [all[1].partition], "the first is missing")
        #expect(Self.gaps([all[0], all[1], all[3], all[4]]) == [all[3].partition])
        #expect(Self.gaps([all[0], all[1], all[3], all[4]], after: 0).isEmpty, "it may still come")
        #expect(Self.gaps(Array(all.dropLast())).isEmpty, "nobody can know of the last")
        #expect(Self.gaps([all[0], all[2], all[4]]) == [all[2].partition, all[4].partition])
    }

    @Test("chains of other users do not stand in for a partition")
    func otherUser() throws {
        let all = try Self.chain(3)
        let foreign = PartitionLogEntry(
            index: 0,
            app: "ward-app",
            user: "bb",
            received: SampleDevice.received,
            seal: all[1].seal
        )

        #expect(Self.gaps([all[0], foreign, all[2]]).contains(all[2].partition))
    }

    @Test("what a device lost by its own ledger is told with the number and the reasons")
    func losses() throws {
        var device = SampleDevice()
        device.record(["a"])
        let noticed = EventInstant(microseconds: 5)
        let seal = try DeviceKey()
            .seal(
                device.partition,
                of: SampleDevice.owner,
                over: device.frontier(through: 1),
                first: nil,
                last: nil,
                previousRoot: nil,
                losses: [
                    LossEntry(reason: .quota, count: .max, noticed: noticed),
                    LossEntry(reason: .damaged, count: 2, noticed: noticed),
                    LossEntry(reason: .encodingFailed, count: 7, noticed: noticed),
                ]
            )
        var watch = LogWatch()

        let found = watch.see(Self.entry(seal))
        let alert = try #require(found)
        #expect(alert.kind == .loss)
        #expect(alert.count == .max)
        #expect(alert.detail == "the device's ledger says why: damaged, quota")
        #expect(alert.from == noticed)
        let other = watch.see(try Self.chain(1)[0])
        #expect(other == nil)
    }

    // MARK: - The verification

    private static let now = EventInstant(microseconds: 1)

    private static func store() async throws -> InMemoryEventStore {
        let store = InMemoryEventStore()
        for number in 1...3 {
            var device = SampleDevice(UInt32(number))
            device.record((0..<25).map { "\($0)" })
            _ = try await store.accept(device.upload(1...25, seal: number == 3 ? nil : device.seal()))
        }
        return store
    }

    @Test("what is stored as it came verifies, in steps of any size", arguments: [1, 7, 1000])
    func verifies(budget: Int) async throws {
        let store = try await Self.store()
        let head = try await store.withLog(durably: false) { (size: $0.count, root: try $0.root(at: $0.count)) }
        var check = StoreCheck(signedBy: [SampleDevice.serverKey.publicKey])

        while check.rounds < 2 {
            let evidence = StoreCheck.Evidence(heads: [head.size: head.root])
            let verdicts = try await check.step(budget, in: store, log: store, against: evidence, at: Self.now)
            #expect(verdicts.flatMap(\.problems) == [])
        }
        #expect(head.size == 2)
    }

    @Test("a log that is not the one that a reviewer signed is found, whether it was cut or rewritten")
    func rewrittenLog() async throws {
        let store = try await Self.store()

        for heads in [[1: MerkleHash.empty], [9: MerkleHash.empty]] as [[UInt64: Digest]] {
            var check = StoreCheck(signedBy: [SampleDevice.serverKey.publicKey])
            var findings: [StoreCheck.Verdict] = []
            let evidence = StoreCheck.Evidence(heads: heads)
            while check.rounds == 0 {
                findings += try await check.step(10, in: store, log: store, against: evidence, at: Self.now)
                    .filter { !$0.problems.isEmpty }
            }
            let finding = try #require(findings.first)
            #expect(findings.count == 1 && finding.subject == CheckSubject(.log))
            let alert = finding.alert(at: Self.now)
            #expect(alert.kind == .verifyFailure && alert.app == nil)
            #expect(alert.detail?.contains("signed off") == true)
        }
    }
}
