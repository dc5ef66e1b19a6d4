import Daybook
import Testing

/// Quota, retention, durability and size of the files, from the configuration of a realm to the disk.
@MainActor
@Suite("Storage of events, end to end")
struct StoragePolicyTests {
    let place: RecordingRealm

    init() throws {
        place = try RecordingRealm()
    }

    /// A name of about three thousand bytes that compression does not make much shorter.
    private static func name(_ number: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return "\(number) " + (0..<250).map { _ in String(generator.next(), radix: 36) }.joined()
    }

    private func eventBytes() throws -> UInt64 {
        let system = POSIXFileSystem()
        return try PartitionFiles.find(below: place.path).reduce(0) { try $0 + (system.status($1)?.size ?? 0) }
    }

    @Test("at the quota a scope's completion says so, reading and writing go on, and the ledger has the numbers")
    func quotaInScope() async throws {
        let quota = EventQuota(bytes: EventQuota.minimumBytes)
        let realm = try place.open(EventConfiguration(quota: quota))
        let events = try #require(realm.events)
        var refused = 0
        var scopes = 0
        for number in 0..<60 {
            let scope = events.beginScope(activity: "scope \(number)")
            try realm.write {
                for part in 0..<3 {
                    realm.add(Person(id: ObjectId(), name: Self.name(number * 3 + part), employeeId: number))
                }
            }
            do {
                try await scope.commit()
                #expect(refused == 0)
            } catch RecordingError.quotaExceeded(let count, _, let used, let limit) {
                scopes += 1
                refused += count
                #expect(limit == quota.bytes)
                #expect(used <= limit)
            }
        }

        #expect(scopes > 10)
        #expect(realm.objects(Person.self).count == 180)
        #expect(try eventBytes() <= quota.bytes + 4096)
        let losses = try #require(try realm.eventDestination?.files.losses())
        #expect(losses.reduce(0) { $0 + $1.count } == UInt64(refused))
        #expect(events.statistics.eventsRejected == UInt64(refused))
        #expect(try place.storedEvents().count == 60 - scopes)
    }

    @Test("with the policy that drops, every event is taken, the oldest files go, and the ledger names them")
    func dropOldest() async throws {
        let quota = EventQuota(bytes: EventQuota.minimumBytes, policy: .dropOldest)
        let realm = try place.open(EventConfiguration(quota: quota))
        let events = try #require(realm.events)
        for number in 0..<200 {
            try await events.persistEvent(activity: "event \(number)", data: Self.name(number))
        }

        let stored = try place.storedEvents().map(\.activity)
        #expect(stored == (200 - stored.count..<200).map { "event \($0)" })
        let losses = try #require(try realm.eventDestination?.files.losses())
        #expect(losses.reduce(0) { $0 + $1.count } == UInt64(200 - stored.count))
        #expect(losses.allSatisfy { $0.partition != nil && $0.root != nil })
        #expect(try eventBytes() <= quota.bytes + 4096)
    }

    @Test("the size of files is that of the configuration")
    func rollOver() async throws {
        let realm = try place.open(EventConfiguration(partitionBytes: 65536))
        for number in 0..<60 {
            try await realm.events?.persistEvent(activity: "event", data: Self.name(number))
        }

        #expect(try PartitionFiles.find(below: place.path).count >= 3)
        #expect(try place.storedEvents().count == 60)
    }

    @Test("retention by size holds for the local destination")
    func retention() async throws {
        let retention = EventRetention(maximumBytes: 100_000)
        let realm = try place.open(EventConfiguration(retention: retention, partitionBytes: 65536))
        for number in 0..<100 {
            try await realm.events?.persistEvent(activity: "event \(number)", data: Self.name(number))
        }

        let stored = try place.storedEvents().map(\.activity)
        #expect(stored.count < 100)
        #expect(stored == (100 - stored.count..<100).map { "event \($0)" })
        let losses = try #require(try realm.eventDestination?.files.losses())
        #expect(losses.allSatisfy { $0.reason == .retention })
        #expect(losses.reduce(0) { $0 + $1.count } == UInt64(100 - stored.count))
    }

    private struct Account: EventUser {
        let appID = "ward"
        let id = "auditor"
    }

    @Test("events of an account wait for their upload, whatever the retention says")
    func retentionWithAccount() async throws {
        let retention = EventRetention(maximumBytes: 100_000)
        let configuration = EventConfiguration(syncUser: Account(), retention: retention, partitionBytes: 65536)
        let realm = try place.open(configuration)
        for number in 0..<100 {
            try await realm.events?.persistEvent(activity: "event \(number)", data: Self.name(number))
        }

        #expect(try place.storedEvents().count == 100)
        #expect(try realm.eventDestination?.files.losses().isEmpty == true)
    }

    @Test("a file of an account is closed after an hour, one of nobody's stays open")
    func duration() throws {
        let account = try place.open(EventConfiguration(syncUser: Account()))
        #expect(account.eventDestination?.files.policy.closing == .seconds(3600))
        let local = try RecordingRealm()
        let realm = try local.open(EventConfiguration(partitionDuration: .seconds(900)))
        #expect(realm.eventDestination?.files.policy.closing == nil)
    }

    @Test("closing the partition signs what was recorded before the call; later events go into the next one")
    func closing() async throws {
        let realm = try place.open(EventConfiguration())
        let events = try #require(realm.events)
        func seals() throws -> [UInt64?] {
            try PartitionFiles.find(below: place.path).map { try PartitionFiles.verify($0).seal?.count }
        }

        events.recordEvent(activity: "before")
        try await events.closePartition()
        events.recordEvent(activity: "behind")
        await events.flush()
        #expect(try seals() == [1, nil])

        for _ in 0..<2 { try await events.closePartition() }
        #expect(try seals() == [1, 1])
    }

    @Test("whoever waits for the recorder finds all refused events in the ledger of the file, which nobody closes")
    func flushedLosses() async throws {
        let realm = try place.open(EventConfiguration(quota: EventQuota(bytes: EventQuota.minimumBytes)))
        let events = try #require(realm.events)
        for number in 0..<1700 { events.recordEvent(activity: "event \(number)", data: Self.name(number)) }
        await events.flush()

        let refused = events.statistics.eventsRejected
        #expect(refused > 1500)
        let reports = try PartitionFiles.find(below: place.path).map { try PartitionFiles.verify($0) }
        #expect(reports.flatMap(\.losses).eventCount == refused)
    }

    @Test("without a sync for each commit, completions come as before and every event is there")
    func system() async throws {
        let realm = try place.open(EventConfiguration(durability: .system))
        for number in 0..<20 { try await realm.events?.persistEvent(activity: "event \(number)") }

        #expect(try place.storedEvents().count == 20)
        try realm.eventDestination?.files.synchronize()
        #expect(realm.eventDestination?.files.persistedCount == 20)
    }

    @Test("a number that makes no sense keeps the realm from opening, and is named")
    func nonsense() {
        #expect(throws: EventModelError.invalidParameter("partitionBytes", reason: "1 is not from 64 KiB to 64 GiB")) {
            try place.open(EventConfiguration(partitionBytes: 1))
        }
        for seconds in [899, 86_401] {
            #expect(throws: EventModelError.self) {
                try place.open(EventConfiguration(partitionDuration: .seconds(seconds)))
            }
        }
    }
}
