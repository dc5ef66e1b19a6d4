import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import ChangeModel
import EventModel
import Foundation
import SQLiteStore
import SyncServer

/// What it costs a server to keep the log of a realm for a time.
func shorteningBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = ShorteningWork(workload: workload)
    let counts = workload.isQuick ? [1000, 10_000] : [1000, 10_000, 100_000]
    return counts.map { count in
        Benchmark(
            "remove a log of \(count) entries (floor: SQLite, same rows and syncs)",
            unit: "us/entry",
            target: .timesFloor(2),
            step: GrowthStep("remove a log", size: count),
            floor: { try await work.raw(count) },
            ours: { try await work.shortening(count) }
        )
    }
}

/// The work behind the rows; each turn has a database of its own.
private struct ShorteningWork: Sendable {
    /// How many entries one transaction removes, as the server's.
    private static let step = 1000
    /// How many objects the entries are of.
    private static let objects = 1000

    let workload: Workload

    /// Microseconds of an entry of a log that goes as a whole.
    func shortening(_ count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let store = try SQLiteChangeStore(path: folder.appending(path: "realms.sqlite").path)
            var file = try await SampleRealmFile(in: store)
            let received = EventInstant(microseconds: 1_700_000_000_000_000)
            let people = (0..<Self.objects).map { ObjectAddress("Person", .int(Int64($0))) }
            let creations = people.map { ChangeOperation($0, .create(given: [:], defaults: [:])) }
            try await take(file.upload([creations]), in: store, received)
            for start in stride(from: 1, to: count, by: Self.step) {
                let changes = (start..<min(start + Self.step, count))
                    .map { [ChangeOperation(people[$0 * 7919 % people.count], .set("score", .double(Double($0))))] }
                try await take(file.upload(changes, base: 1), in: store, received)
            }
            return try await asyncNanoseconds {
                var isDone = false
                while !isDone {
                    isDone =
                        try await store.shorten(.sample(), before: EventInstant(microseconds: .max), limit: Self.step)
                        .isDone
                }
            } / Double(count) / 1000
        }
    }

    private func take(_ upload: ChangeUpload, in store: SQLiteChangeStore, _ received: EventInstant) async throws {
        for outcome in await store.take([upload], in: .sample(), received: received) { _ = try outcome.get() }
    }

    /// The same rows, removed through the C API.
    func raw(_ count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let changes = try RawChanges(
                path: folder.appending(path: "raw.sqlite").path,
                objects: Self.objects,
                sizes: RawChanges.Sizes(entry: 104, upload: 50, cells: 1)
            )
            for start in stride(from: 0, to: count, by: Self.step) { try changes.take(min(Self.step, count - start)) }
            return try nanoseconds { try changes.forget(step: Self.step) } / Double(count) / 1000
        }
    }
}
