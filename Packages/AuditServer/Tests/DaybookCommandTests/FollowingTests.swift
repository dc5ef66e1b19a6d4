import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import Foundation
import SQLiteStore
import Synchronization
import Testing
import UnixSignals

@testable import DaybookCommand

@Suite("Following events")
struct FollowingTests {
    private func event(_ number: UInt32, _ activity: String = "Rounds") -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 1, low: number),
            clock: ClockReading(
                wall: EventInstant(microseconds: Int64(number) * 1_000_000),
                monotonicNanoseconds: 0,
                boot: Boot(high: 0, low: 0)
            ),
            activity: activity
        )
    }

    /// What a follower says until it is asked again.
    private func news(_ follower: inout some EventFollower) async throws -> (events: [String], isNew: Bool) {
        var found: [String] = []
        let isNew = try await follower.next(
            { found.append("\($0.activity ?? "") \($0.details.sequence)") },
            report: { found.append($0) }
        )
        return (found, isNew)
    }

    // MARK: - Files

    @Test("files are followed while they are written, sealed, and deleted, and each event comes once")
    func files() async throws {
        let folder = try TestFolder.made()
        let place = try EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        let files = try PartitionedEventFiles(place)
        _ = try files.append([event(1), event(2, "Handover")])
        let archive = try FileEventArchive(folder.path, workingDirectory: "/")
        var follower = FileEventFollower(archive, EventFilter(activity: "Rounds"))

        let first = try await news(&follower)
        #expect(first.events == ["Rounds 1"])
        #expect(first.isNew)
        #expect(try await !news(&follower).isNew)
        _ = try files.append([event(3), event(4, "Handover")])
        #expect(try await news(&follower).events == ["Rounds 3"])
        _ = try files.append([event(5, "Handover")])
        let other = try await news(&follower)
        #expect(other.events == [])
        #expect(other.isNew)
        try files.close()
        #expect(try await news(&follower).events == [])
        let next = try PartitionedEventFiles(place)
        _ = try next.append([event(6)])
        #expect(try await news(&follower).events == ["Rounds 1"])
        try next.close()
        for path in try PartitionFiles.find(below: folder.path) { try FileManager.default.removeItem(atPath: path) }
        #expect(try await news(&follower).events == [])
    }

    @Test("damage is reported once, and the events behind it are followed")
    func damage() async throws {
        let folder = try TestFolder.made()
        let files = try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        )
        for number in 1...3 { _ = try files.append([event(UInt32(number), "activity \(number)")]) }
        try files.close()
        let path = try #require(try PartitionFiles.find(below: folder.path).first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("activity 2".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        var follower = FileEventFollower(try FileEventArchive(folder.path, workingDirectory: "/"), EventFilter())

        let found = try await news(&follower).events

        #expect(found.filter { $0.hasPrefix("activity") } == ["activity 1 1", "activity 3 3"])
        #expect(found.contains { $0.contains("is damaged in bytes") })
        #expect(try await news(&follower).events == [])
    }

    // MARK: - Servers

    @Test("a server is followed across partitions, also across one that is older than others")
    func server() async throws {
        let store = InMemoryEventStore()
        var (older, younger) = (SampleDevice(1), SampleDevice(2))
        older.record(["Rounds", "Handover", "Rounds", "Handover"])
        younger.record(["Rounds", "Rounds"])
        _ = try await store.accept(older.upload(1...2))
        _ = try await store.accept(younger.upload(1...1))
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock())
        let token = try await tokens.issue(.auditor, for: .access)
        let index = try SearchIndex()
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: index,
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: SampleDevice.serverKey
        )

        try await RunningServer.with(service) { port in
            let archive = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token))
            var follower = RemoteEventFollower(archive, EventFilter(activity: "Rounds"))
            #expect(try await news(&follower).events == ["Rounds 1", "Rounds 1"])
            #expect(try await news(&follower).events == [])
            for upload in [try older.upload(3...4), try younger.upload(2...2)] {
                _ = try await store.accept(upload)
                index.didStore(upload.partition)
            }
            #expect(try await news(&follower).events == ["Rounds 3", "Rounds 2"])
            #expect(try await news(&follower).events == [])
            let records = try await news(&follower)
            #expect(!records.isNew)
        }
    }

    // MARK: - The loop

    /// A follower that answers by a list, and ends its loop after it.
    private struct Script: EventFollower {
        var answers: [Result<Bool, CommandError>]

        mutating func next(_ body: (EventLine) throws -> Void, report: (String) -> Void) async throws -> Bool {
            guard !answers.isEmpty else { throw CancellationError() }
            return try answers.removeFirst().get()
        }
    }

    private func run(_ answers: [Result<Bool, CommandError>]) async -> (
        pauses: [UInt64], reports: [String], error: String
    ) {
        let pauses = Mutex<[UInt64]>([])
        let loop = FollowLoop(
            shortestPause: 1,
            longestPause: 4,
            longestOutage: 16,
            pause: { nanoseconds in pauses.withLock { $0.append(nanoseconds) } }
        )
        var reports: [String] = []
        var error = ""
        do {
            try await loop.run(Script(answers: answers), { _ in }, batch: {}, report: { reports.append($0) })
        } catch let found {
            error = "\(found)"
        }
        return (pauses.withLock { $0 }, reports, error)
    }

    @Test("nothing new makes pauses longer up to a bound, and something new makes them short again")
    func pauses() async {
        let quiet = await run([.success(true), .success(false), .success(false), .success(false), .success(true)])

        #expect(quiet.pauses == [1, 2, 4, 4, 1])
        #expect(quiet.reports == [])
    }

    @Test("a server that stops answering is asked again, and said to be out and back once each")
    func outage() async {
        let gone = CommandError.unreachable(server: "s", reason: "nobody listens there")
        let found = await run([
            .success(true), .failure(gone), .failure(.refused(status: 503, message: "m")), .failure(gone),
            .success(false),
        ])

        #expect(found.pauses.prefix(4) == [1, 2, 4, 8])
        #expect(found.reports.count == 2)
        #expect(found.reports.last == "The server answers again.")
    }

    @Test(
        "a server that never answered, or refuses, ends the following",
        arguments: [
            ([], CommandError.unreachable(server: "s", reason: "nobody listens there")),
            ([true], CommandError.refused(status: 401, message: "The token is not accepted: its time is over.")),
            ([true], .refused(status: 403, message: "no")), ([true], .malformedAnswer(server: "s")),
        ]
    )
    func ends(before: [Bool], error: CommandError) async {
        let found = await run(before.map { .success($0) } + [.failure(error), .success(true)])

        #expect(found.error == "\(error)")
        #expect(found.pauses.count == before.count)
    }

    @Test("the end of the task ends the following without an error")
    func cancellation() async throws {
        let task = Task {
            try await FollowLoop(pause: { _ in throw CancellationError() })
                .run(Script(answers: [.success(true)]), { _ in }, batch: {}, report: { _ in })
        }
        try await task.value
    }

    @Test("a signal ends the work, and work that ends needs none")
    func interruption() async throws {
        try await Interruption.ending(on: [.sigusr2]) {}
        try await Interruption.ending(on: [.sigusr2]) {
            kill(getpid(), SIGUSR2)
            // Only the end of the task ends it.
            for await _ in AsyncStream<Void>.makeStream().stream {}
        }
    }
}
