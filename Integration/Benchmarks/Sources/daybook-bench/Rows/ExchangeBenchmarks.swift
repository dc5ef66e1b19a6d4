import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import ChangeModel
import Daybook
import EventModel
import Foundation

/// What devices and a server exchange of realms, over loopback, with the server as a process of its own.
func exchangeBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = ExchangeWork(workload: workload)
    return [
        Benchmark(
            "upload of single-property changes, one device",
            unit: "changes/s",
            target: .atLeast(20_000),
            floor: { 1_000_000 / (try await work.rawMicroseconds()) },
            ours: { 1_000_000 / (try await work.uploadMicroseconds()) }
        ),
        Benchmark(
            "upload of single-property changes, one device (floor: SQLite, same rows and syncs)",
            unit: "us/change",
            target: .timesFloor(2.5),
            floor: { try await work.rawMicroseconds() },
            ours: { try await work.uploadMicroseconds() }
        ),
        Benchmark(
            "upload, one realm, \(ChangeLoad.deviceCount) devices",
            unit: "changes/s",
            target: .atLeast(15_000),
            ours: { try await work.load().changesPerSecond }
        ),
        Benchmark(
            "upload, one realm, \(ChangeLoad.deviceCount) devices, an answer, p99",
            unit: "ms",
            target: .atMost(250),
            ours: { try await work.load().p99Milliseconds }
        ),
        Benchmark(
            "from a commit to the other device's notification (floor: 2 syncs, 3 trips)",
            unit: "ms",
            target: .aboveFloor(5),
            floor: { try await work.rawTripMilliseconds() },
            ours: { try await work.notificationMilliseconds() }
        ),
    ] + fanOutBenchmarks(workload) + shorteningBenchmarks(workload)
}

/// The work behind the rows; each turn has a server and devices of its own.
private struct ExchangeWork: Sendable {
    /// Bytes of a change of a property as a file signs it, of its entry, and of a batch and an answer that have one of them.
    private enum Sizes {
        static let change = 50
        /// How many properties a person has beside the key.
        static let cells = 5
        static let entry = 104
        static let batch = 160
        static let sendAnswer = 12
        static let entriesAnswer = 117
    }

    let workload: Workload

    private var changeCount: Int { workload.isQuick ? 2000 : 10_000 }
    private var commitCount: Int { workload.isQuick ? 30 : 100 }

    // MARK: One device

    /// Microseconds of a change that was made while the session was suspended, from its resuming until the server has all of them.
    @MainActor
    func uploadMicroseconds() async throws -> Double {
        try await workload.withFolder { folder in
            let server = try ServerProcess(in: folder)
            let (realm, session) = try await SyncedDevice("a", on: server, in: folder).open()
            try fill(realm, with: workload.people[..<changeCount])
            try await session.wait(for: .upload)
            try await session.wait(for: .download)
            session.suspend()
            let people = (0..<changeCount)
                .compactMap { realm.object(ofType: Person.self, forPrimaryKey: $0 * 7919 % changeCount) }
            for (number, person) in people.enumerated() { try realm.write { person.score = Double(number) + 0.5 } }
            let time = try await asyncNanoseconds {
                session.resume()
                try await session.wait(for: .upload)
            }
            await session.closed()
            return time / Double(changeCount) / 1000
        }
    }

    /// The same number of changes, as the rows that the server writes, with a sync of its own and two of the device for each batch.
    func rawMicroseconds() async throws -> Double {
        try await workload.withFolder { folder in
            let changes = try RawChanges(
                path: folder.appending(path: "raw.sqlite").path,
                objects: changeCount,
                sizes: RawChanges.Sizes(entry: Sizes.entry, upload: Sizes.change, cells: Sizes.cells)
            )
            let log = try RawLog(path: folder.appending(path: "log").path)
            let note = [UInt8](repeating: 7, count: Sizes.batch)
            return try nanoseconds {
                for start in stride(from: 0, to: changeCount, by: ChangeLimits.batchChanges) {
                    try log.append(note)
                    try changes.take(min(ChangeLimits.batchChanges, changeCount - start))
                    try log.append(note)
                }
            } / Double(changeCount) / 1000
        }
    }

    // MARK: Many devices

    func load() async throws -> ChangeLoad {
        try await workload.withFolder { folder in
            try ChangeLoad(batches: workload.isQuick ? 10 : 25, to: ServerProcess(in: folder))
        }
    }

    // MARK: Two devices

    /// Milliseconds from the beginning of a write to the call of the other device's block: the median of many.
    @MainActor
    func notificationMilliseconds() async throws -> Double {
        try await workload.withFolder { folder in
            let server = try ServerProcess(in: folder)
            let (here, mine) = try await SyncedDevice("a", on: server, in: folder).open()
            let (there, theirs) = try await SyncedDevice("b", on: server, in: folder).open()
            let (calls, called) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
            try fill(here, with: workload.people[..<1])
            try await mine.wait(for: .upload)
            try await theirs.wait(for: .download)
            there.refresh()
            guard let person = here.object(ofType: Person.self, forPrimaryKey: 0) else { throw BenchError.noObject }
            let token = there.objects(Person.self).observe { _ in called.yield(ContinuousClock.now) }
            var arrivals = calls.makeAsyncIterator()
            // The first call says what is there.
            _ = await arrivals.next(isolation: #isolation)
            var times: [Double] = []
            for number in 0..<commitCount + Self.warmUpCount {
                try await mine.wait(for: .download)
                try await theirs.wait(for: .download)
                let start = ContinuousClock.now
                try here.write { person.score = Double(number) + 0.5 }
                guard let arrival = await arrivals.next(isolation: #isolation) else { throw BenchError.notSynced }
                try await mine.wait(for: .upload)
                times.append((arrival - start) / .milliseconds(1))
            }
            token.invalidate()
            await mine.closed()
            await theirs.closed()
            return median(Array(times.dropFirst(Self.warmUpCount)))
        }
    }

    /// How many commits come before those that count.
    private static let warmUpCount = 5

    /// What has to happen between both: each side's sync of something small, the upload, its entry, and the next question for one.
    func rawTripMilliseconds() async throws -> Double {
        let server = try DiscardingServer { request, _ in
            let count = request.hasPrefix("POST") ? Sizes.sendAnswer : Sizes.entriesAnswer
            return [UInt8](repeating: 7, count: count)
        }
        let connection = try LoopbackConnection(port: server.port)
        let bytes = [UInt8](repeating: 7, count: Sizes.batch)
        return try await workload.withFolder { folder in
            let device = try RawLog(path: folder.appending(path: "device").path)
            let store = try RawLog(path: folder.appending(path: "store").path)
            return try medianNanoseconds(ofSteps: commitCount + Self.warmUpCount) { _ in
                try device.append(bytes)
                blackHole(try connection.exchange("POST", "/", headers: SampleRealm.headers, body: bytes).count)
                try store.append(bytes)
                for _ in 0..<2 {
                    blackHole(try connection.exchange("GET", "/", headers: SampleRealm.headers).count)
                }
            } / 1_000_000
        }
    }
}
