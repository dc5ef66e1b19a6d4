import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransport
import SyncTransportTesting
import Synchronization
import Testing

@Suite("A device that looks at its server's log", .timeLimit(.minutes(1)))
struct LogLookTests {
    private let fixture: LogFixture
    private var server: ServerWithLog { fixture.server }

    init() throws { fixture = try LogFixture() }

    /// What a device keeps, as its file says.
    private func record() throws -> String {
        try String(contentsOfFile: fixture.path("server-log.json"), encoding: .utf8)
    }

    private func keptSize() throws -> UInt64? {
        struct Record: Decodable { let checkpoint: String? }
        let bytes = try Data(contentsOf: URL(filePath: fixture.path("server-log.json")))
        let text = try JSONDecoder().decode(Record.self, from: bytes).checkpoint
        return try text.map { try SignedCheckpoint(Array($0.utf8)).checkpoint.size }
    }

    @Test("no upload waits for the log: a partition is gone before the first question, and one look follows the round")
    func order() async throws {
        try server.grow(by: 3)
        for number: UInt32 in 1...2 { fixture.seal(number) }

        try await fixture.uploader().uploadEverything()

        let paths = server.takePaths()
        #expect(paths.prefix(2).allSatisfy { $0.hasSuffix("/events") })
        #expect(paths.dropFirst(2).prefix(2) == ["api/v1/key", "log/checkpoint"])
        #expect(paths.dropFirst(4).allSatisfy { $0.hasPrefix("api/v1/log/inclusion?") && $0.hasSuffix("&size=5") })
        #expect(paths.count == 6)
        #expect(fixture.told == [])
        #expect(try keptSize() == 5)
    }

    @Test("what is kept is durable, of its owner alone, and what was found in the log is not asked for again")
    func keeps() async throws {
        try await fixture.upload(1)
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path("server-log.json"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try record().contains(SampleLog.origin.string))
        _ = server.takePaths()

        try server.grow(by: 300)
        try await fixture.upload(2)

        let asked = server.takePaths().filter { $0.contains("inclusion") }
        #expect(asked.count == 1)
        #expect(asked.allSatisfy { $0.contains(Sample.partition(2).value) })
        #expect(try keptSize() == 302)
        #expect(fixture.told == [])
    }

    @Test("an uploader that runs looks after each round")
    func run() async throws {
        try server.grow(by: 1)
        let uploader = try await fixture.uploader()
        let running = Task { await uploader.run() }

        for number: UInt32 in 1...3 {
            let looked = TestGate()
            server.state.withLock { $0.looks = looked }
            fixture.seal(number)
            uploader.wake()
            await looked.pass()
            #expect(fixture.isDeleted(number))
        }

        running.cancel()
        await running.value
        #expect(fixture.told == [])
    }

    @Test("a server that goes away in the middle of a look is asked again with the next round")
    func downInBetween() async throws {
        try await fixture.upload(1)
        try server.grow(by: 300)
        for path in ["log/tile/0/000", "log/tile/0/001.p/46", "api/v1/log/inclusion"] {
            server.override(path, with: .refusal(503, .unavailable))
        }
        try await fixture.upload(2)
        #expect(try keptSize() == 1)
        #expect(fixture.isDeleted(2))
        server.override("log/tile/0/000", with: nil)
        server.override("log/tile/0/001.p/46", with: nil)
        try await fixture.upload(3)
        #expect(try keptSize() == 303)
        server.override("api/v1/log/inclusion", with: nil)
        _ = server.takePaths()

        try await fixture.upload(4)

        #expect(server.takePaths().filter { $0.contains("inclusion") }.count == 3)
        #expect(fixture.told == [])
    }

    @Test("a seal that is not published yet is looked for again with the next round")
    func notPublishedYet() async throws {
        try server.grow(by: 1)
        server.state.withLock { $0.publishesAtOnce = false }
        try await fixture.upload(1)
        #expect(fixture.told == [])
        _ = server.takePaths()

        try server.grow(by: 1)
        try await fixture.upload(2)

        let asked = server.takePaths().filter { $0.contains("inclusion") }
        #expect(asked.first?.contains(Sample.partition(1).value) == true)
        #expect(fixture.told == [])
    }

    @Test("of many partitions that wait no round asks for more than sixteen")
    func bounded() async throws {
        server.override("log/checkpoint", with: .refusal(503, .unavailable))
        for number: UInt32 in 1...40 { fixture.seal(number) }
        try await fixture.uploader().uploadEverything()
        #expect((1...40).allSatisfy { fixture.isDeleted($0) })
        server.override("log/checkpoint", with: nil)
        var asked: [Int] = []

        for number: UInt32 in 41...43 {
            _ = server.takePaths()
            try await fixture.upload(number)
            asked.append(server.takePaths().filter { $0.contains("inclusion") }.count)
        }

        #expect(asked == [16, 16, 11])
    }

    @Test("an app that is given another key of its server trusts the log that this one names")
    func otherServerKey() async throws {
        try await fixture.upload(1)
        let moved = try LogFixture(ServerWithLog(seed: 2), in: fixture.folder)
        let key = try #require(ServerKey(moved.server.signer.publicKey))
        moved.seal(2)

        try await moved.uploader(serverKey: key).uploadEverything()

        #expect(moved.isDeleted(2))
        #expect(moved.told == [])
        let asked = moved.server.takePaths().filter { $0.contains("inclusion") }
        #expect(asked.count == 1)
    }

    // MARK: - No log, or none to be had

    @Test("a server without a log is left alone")
    func withoutLog() async throws {
        server.state.withLock { $0.logKey = nil }

        try await fixture.upload(1)

        #expect(server.takePaths().last == "api/v1/key")
        #expect(!fixture.exists("server-log.json"))
        #expect(fixture.told == [])
    }

    @Test("an older server that does not know the routes is left alone")
    func olderServer() async throws {
        server.override("api/v1/key", with: .refusal(404, .rejected))

        try await fixture.upload(1)

        #expect(fixture.isDeleted(1))
        #expect(fixture.told == [])
    }

    @Test("a server that stops to publish is told of once, and nothing waits for it")
    func stops() async throws {
        try await fixture.upload(1)
        server.override("log/checkpoint", with: .refusal(404, .rejected))
        let uploader = try await fixture.uploader()

        for number: UInt32 in 2...3 {
            fixture.seal(number)
            try await uploader.uploadEverything()
        }

        #expect(fixture.isDeleted(2) && fixture.isDeleted(3))
        #expect(fixture.told == ["The log of the server could not be checked: the server does not publish it any more"])
        server.override("log/checkpoint", with: nil)
        fixture.seal(4)
        try await uploader.uploadEverything()
        #expect(try keptSize() == 4)
    }

    @Test(
        "no answer, an answer of somebody in between, and no checkpoint at all keep nothing and hold up nothing",
        arguments: [
            (HTTPResponse(status: 502, body: Array("Bad gateway".utf8)), 0), (.json(404, "not here"), 0),
            (.refusal(503, .unavailable), 0), (.json(200, "<html>Sign in</html>"), 1), (HTTPResponse(status: 200), 1),
        ]
    )
    func somebodyElse(answer: HTTPResponse, told: Int) async throws {
        try await fixture.upload(1)
        server.override("log/checkpoint", with: answer)
        let uploader = try await fixture.uploader()

        for number: UInt32 in 2...3 {
            fixture.seal(number)
            try await uploader.uploadEverything()
        }

        #expect(fixture.isDeleted(2) && fixture.isDeleted(3))
        #expect(fixture.told.count == told)
        #expect(fixture.told.allSatisfy { $0.hasPrefix("The log of the server could not be checked: ") })
        #expect(fixture.uploads.reports.lines.contains { $0.contains("cannot be looked at now") } == (told == 0))
        #expect(try keptSize() == 1)
    }

    @Test("an older copy of the log, as a cache may have it, is told of once and holds up nothing")
    func cached() async throws {
        try server.grow(by: 299)
        let old = try #require(server.published)
        try await fixture.upload(1)
        server.override("log/checkpoint", with: HTTPResponse(status: 200, body: old.signed.note.bytes))
        server.state.withLock { $0.publishesAtOnce = false }

        try await fixture.upload(2)

        #expect(fixture.isDeleted(2))
        #expect(fixture.told.count == 1)
        #expect(fixture.told.first?.contains("an older checkpoint, of 299 partitions, than the one of 300") == true)
        #expect(try keptSize() == 300)
    }

    @Test("a policy of the app's is asked instead of the server: its keys, and its quorum")
    func policy() async throws {
        try server.grow(by: 1)
        let own = try server.policy
        fixture.seal(1)

        try await fixture.uploader(policy: own).uploadEverything()

        #expect(!server.takePaths().contains("api/v1/key"))
        #expect(fixture.told == [])
        #expect(try keptSize() == 2)
        let witness = try EdwardsNoteSigner(name: "witness.example/w1", algorithm: .cosignature)
        let strict = try WitnessPolicy(logKeys: own.logKeys, witnesses: [witness.verifierKey], quorum: 1)
        fixture.seal(2)
        try await fixture.uploader(policy: strict).uploadEverything()
        #expect(
            fixture.told == [
                """
                The log of the server is not proven, and what it holds is kept here until it is: The checkpoint is cosigned by 0 of the \
                known witnesses, and 1 are needed.
                """
            ]
        )
    }
}
