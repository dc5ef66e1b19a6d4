import BenchmarkFloors
import BenchmarkHarness
import ChangeModel
import Daybook
import EventModel
import Foundation

/// What a server says to a device: entries of others and of its own, and snapshots.
func integrationBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = IntegrationWork(workload: workload)
    let bootstraps = workload.counts
        .map { count in
            Benchmark(
                "bootstrap from pages, 10 properties, \(count) objects",
                unit: "us/object",
                target: .atMost(10),
                step: GrowthStep("bootstrap from pages, 10 properties", size: count)
            ) {
                try await work.bootstrapping(count)
            }
        }
    let returns = workload.counts
        .map { count in
            Benchmark(
                "snapshot of what the file has, 10 properties, \(count) objects",
                unit: "us/object",
                target: .atMost(4),
                step: GrowthStep("snapshot of what the file has, 10 properties", size: count)
            ) {
                try await work.bootstrapping(count, times: 2)
            }
        }
    return [
        Benchmark(
            "integrate one entry: a cell of every object",
            unit: "us each",
            target: .timesFloor(2),
            floor: { try await work.rawUpdates() },
            ours: { try await work.integrating(cells: .max) }
        ),
        Benchmark(
            "integrate entries of one cell, together",
            unit: "us each",
            target: .timesFloor(2),
            floor: { try await work.rawUpdates() },
            ours: { try await work.integrating(cells: 1) }
        ),
        Benchmark(
            "offline: send \(2 * work.offlineCount) changes and integrate them (floor: half of them)",
            unit: "ms",
            target: .timesFloor(2.1),
            floor: { try await work.returning(after: work.offlineCount) },
            ours: { try await work.returning(after: 2 * work.offlineCount) }
        ),
    ] + bootstraps + returns
}

/// The work behind the rows of integration; each turn has files of its own.
private struct IntegrationWork: Sendable {
    let workload: Workload

    /// How many changes wait in the floor of the row of offline work.
    var offlineCount: Int { workload.isQuick ? 1000 : 10_000 }

    func rawUpdates() async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(workload.people)
            return try nanoseconds { try people.setScores(to: 1) } / Double(workload.people.count) / 1000
        }
    }

    /// Integrates a write to one cell of every object, in entries of some cells.
    func integrating(cells: Int) async throws -> Double {
        try await workload.withFolder { folder in
            try withStore(in: folder) { store in try integrating(cells: cells, store) }
        }
    }

    private func integrating(cells: Int, _ store: LiveSyncedStore) throws -> Double {
        let people = workload.people.map { ObjectAddress("Person", .int(Int64($0.key))) }
        let created = people.map { ChangeOperation($0, .create(given: ["name": "x"], defaults: [:])) }
        _ = try store.integrate([try entry(1, created)])
        let writes = people.map { ChangeOperation($0, .set("score", .double(1))) }
        let size = min(cells, writes.count)
        let entries = try stride(from: 0, to: writes.count, by: size)
            .map { start in
                try entry(2 + start / size, Array(writes[start..<min(start + size, writes.count)]))
            }
        return try nanoseconds { _ = try store.integrate(entries) } / Double(writes.count) / 1000
    }

    /// Milliseconds in which a device that was offline sends what it did, and integrates the entries that come of it.
    func returning(after count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, keepsChanges: true)
            try fill(realm, with: workload.people[...])
            try withStore(in: folder) { store in try synchronize(store, expecting: 1) }
            let people = realm.objects(Person.self)
            for turn in 0..<count {
                try realm.write { people[turn * 7919 % people.count].score = Double(turn) }
            }
            return try withStore(in: folder) { store in
                try nanoseconds { try synchronize(store, expecting: count) } / 1_000_000
            }
        }
    }

    private func synchronize(_ store: LiveSyncedStore, expecting count: Int) throws {
        let changes = try send(store)
        guard changes.count == count else { throw BenchError.wrongAnswer }
        for start in stride(from: 0, to: count, by: ChangeLimits.batchChanges) {
            let batch = changes[start..<min(start + ChangeLimits.batchChanges, count)]
            _ = try store.integrate(try batch.map { try entry($0.number, $0.operations, file: 1, clock: $0.clock) })
        }
    }

    /// Takes the changes that wait, a batch at a time, as a session does.
    private func send(_ store: LiveSyncedStore) throws -> [Change] {
        var changes: [Change] = []
        var sent = try store.syncState().acknowledged
        while let last = try take(store, after: sent, &changes) {
            try store.noteSent(through: last)
            try store.acknowledge(through: last, chain: digest())
            sent = last
        }
        return changes
    }

    private func take(_ store: LiveSyncedStore, after number: Int, _ changes: inout [Change]) throws -> Int? {
        let batch = try store.pendingChanges(after: number, limit: ChangeLimits.batchBytes)
        for change in batch { changes.append(try Change(number: change.number, body: change.body)) }
        return batch.last?.number
    }

    /// Microseconds of an object of a snapshot, from the arrival of its pages' bytes until it is shown; the last of some times.
    func bootstrapping(_ count: Int, times: Int = 1) async throws -> Double {
        let size = 10_000
        let pages = stride(from: 0, to: count, by: size)
            .map { start in
                let end = min(start + size, count)
                let next = end < count ? SnapshotCursor(bytes: [1]) : nil
                return SnapshotPage(head: 1, objects: (start..<end).map(delivery), next: next).encoded
            }
        return try await workload.withFolder { folder in
            try withStore(in: folder, of: [Delivery.self]) { store in
                var last = 0.0
                for _ in 0..<times {
                    last = try nanoseconds {
                        try store.beginBootstrap(history: history(), head: 1)
                        for page in pages { try store.integrate(try SnapshotPage(bytes: page)) }
                        try store.endBootstrap()
                    }
                }
                return last / Double(count) / 1000
            }
        }
    }

    private func delivery(_ key: Int) -> SnapshotObject {
        let cells: ChangeOperation.Cells = [
            "street": .string("Unter den Linden"), "city": .string("Berlin"), "parcels": .int(Int64(key % 7)),
            "weight": .double(1.5), "isPaid": .bool(true), "due": .date(700_000_000), "note": .string("Ring twice."),
            "floor": .int(3), "driver": .null,
        ]
        return SnapshotObject(
            ObjectAddress("Delivery", .int(Int64(key))),
            changed: 1,
            actions: [.create(given: cells, defaults: [:])]
        )
    }

    // MARK: Stores

    private func withStore<T>(
        in folder: URL,
        of classes: [ObjectBase.Type]? = nil,
        _ work: (LiveSyncedStore) throws -> T
    ) throws -> T {
        let digest = try digest()
        var configuration = realmConfiguration(in: folder)
        if let classes { configuration.objectTypes = classes }
        // What is hashed here is the schema alone, which nobody compares.
        let store = try LiveSyncedStore(configuration, hash: { _ in digest })
        defer { store.close() }
        try store.bind(FileBinding(history: history(), file: 1, salt: []))
        return try work(store)
    }

    private func entry(
        _ number: Int,
        _ literals: [ChangeOperation],
        file: UInt32 = 2,
        clock: HybridClock? = nil
    ) throws -> Entry {
        Entry(
            number: number,
            change: ChangeReference(file: file, number: number),
            user: 1,
            clock: clock ?? HybridClock(milliseconds: Int64(number)),
            received: EventInstant(microseconds: 0),
            results: literals.map { _ in .asSent },
            literals: literals,
            corrections: [],
            digest: try digest()
        )
    }

    private func history() throws -> HistoryID {
        guard let history = HistoryID([UInt8](repeating: 1, count: HistoryID.byteCount)) else {
            throw BenchError.wrongAnswer
        }
        return history
    }

    private func digest() throws -> Digest {
        guard let digest = Digest([UInt8](repeating: 0, count: Digest.byteCount)) else { throw BenchError.wrongAnswer }
        return digest
    }
}
