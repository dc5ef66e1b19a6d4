import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransportTesting
import Synchronization
import Testing

@testable import SyncTransport

@Suite("A server whose log lies", .timeLimit(.minutes(1)))
struct LogLieTests {
    private let fixture: LogFixture
    private var server: ServerWithLog { fixture.server }

    init() throws { fixture = try LogFixture() }

    /// Uploads a partition after the lie was seen: it stays, and so does every other one from then on, also after a restart.
    private func expectNothingIsDeletedAnyMore(_ processes: ClosedRange<UInt32> = 90...90) async throws {
        for number in processes {
            fixture.seal(number)
            let uploader = try await fixture.uploader()
            let kept = (processes.lowerBound...number).map { Sample.partition($0) }
            await #expect(throws: SyncTransportError.uploadsBlocked(kept)) {
                try await uploader.uploadEverything()
            }
            #expect(!fixture.isDeleted(number))
        }
        let stopped = fixture.uploads.reports.errors.compactMap { error -> TransportError? in
            if case .partitionStopped(_, let cause) = error { cause } else { nil }
        }
        #expect(stopped.last?.code == .untrustedServer)
        #expect(stopped.last?.message.contains(fixture.contradiction) == true)
    }

    /// Checks the file from its bytes alone, as somebody does who never saw the device.
    @discardableResult
    private func expectProof() throws -> LogContradiction {
        let bytes = Array(try Data(contentsOf: URL(filePath: fixture.contradiction)))
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.contradiction)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let contradiction = try LogContradiction(bytes)
        try contradiction.verify(by: server.policy, serverKeys: [server.signer.publicKey])
        return contradiction
    }

    private var lies: [SyncTransportError] {
        fixture.uploads.reports.errors.filter { if case .untrustedServer = $0 { true } else { false } }
    }

    // MARK: - Contradictions

    @Test(
        "rewritten history is kept as a proof, told of once, and nothing is deleted from then on",
        arguments: [0, 3, 7]
    )
    func rewritten(index: Int) async throws {
        try server.grow(by: 8)
        try await fixture.upload(1)
        try server.rewrite { entries in
            entries[index] = entries[index].received(at: 1)
        }

        try await fixture.upload(2)

        #expect(lies.count == 1)
        #expect(lies.first?.description.contains(fixture.contradiction) == true)
        guard case .fork = try expectProof() else {
            Issue.record("no fork")
            return
        }
        try await expectNothingIsDeletedAnyMore(90...91)
    }

    @Test("a partition that was proven, and not deleted before the lie was seen, stays")
    func provenBefore() async throws {
        try await fixture.upload(1)
        fixture.seal(2)
        fixture.uploads.source.failNext(.delete, "EIO")
        let user = try await fixture.user(fixture.app())
        let uploader = Uploader(source: fixture.uploads.source, user: user, environment: fixture.uploads.environment())
        let running = Task { await uploader.run() }
        _ = await fixture.uploads.nextBackoff()
        running.cancel()
        await running.value
        try server.rewrite { $0[0] = $0[0].received(at: 1) }

        let told = await HTTPEventTransport(user: user).look()

        guard case .untrustedServer = told else {
            Issue.record("\(String(describing: told))")
            return
        }
        await #expect(throws: SyncTransportError.uploadsBlocked([Sample.partition(2)])) {
            try await fixture.uploader().uploadEverything()
        }
        #expect(fixture.uploads.source.summary(Sample.partition(2))?.isSealAcknowledged == true)
    }

    @Test("an entry with other events than the receipt has is kept as a proof that receipt and log give together")
    func replaced() async throws {
        try server.grow(by: 2)
        server.state.withLock { $0.publishesAtOnce = false }
        try await fixture.upload(1)
        try server.rewrite { entries in
            let other = ServerWithLog.seal(of: Sample.partition(1), count: 1, root: Sample.root(through: 1))
            entries[2] = entries[2].sealed(by: other)
        }

        try await fixture.upload(2)

        guard case .replacement(let receipt, _, let entry, _) = try expectProof() else {
            Issue.record("no replacement")
            return
        }
        #expect(receipt.durableThrough == 2 && entry.seal.count == 1)
        #expect(lies.count == 1)
        try await expectNothingIsDeletedAnyMore()
    }

    @Test("an entry with another seal over the same events is noticed, because the device knows what it sent")
    func otherSeal() async throws {
        server.state.withLock { $0.publishesAtOnce = false }
        try server.grow(by: 1)
        try await fixture.upload(1)
        try server.rewrite { entries in
            let sent = entries[1].seal
            let other = PartitionSeal(
                partition: sent.partition,
                count: sent.count,
                root: sent.root,
                first: nil,
                last: nil,
                previousRoot: nil,
                losses: [],
                publicKey: [UInt8](repeating: 1, count: 32),
                signature: [1]
            )
            entries[1] = entries[1].sealed(by: other)
        }

        try await fixture.upload(2)

        guard case .replacement(_, .some, _, _) = try expectProof() else {
            Issue.record("no replacement")
            return
        }
    }

    @Test(
        "a partition that the server gave a receipt for and does not have in its log is kept with receipt and checkpoint"
    )
    func omitted() async throws {
        try server.grow(by: 2)
        server.state.withLock { $0.publishesAtOnce = false }
        try await fixture.upload(1)
        try server.rewrite { $0.removeAll { $0.partition == Sample.partition(1) } }
        try server.grow(by: 3)

        try await fixture.upload(2)

        guard case .omission(let receipt, let signed) = try expectProof() else {
            Issue.record("no omission")
            return
        }
        #expect(receipt.partition == Sample.partition(1))
        #expect(signed.checkpoint.size == 5)
        try await expectNothingIsDeletedAnyMore()
    }

    @Test("a person who knows what happened goes on with the log as it is, and keeps the proof")
    func resolved() async throws {
        try await fixture.upload(1)
        try server.rewrite { $0[0] = $0[0].received(at: 1) }
        try await fixture.upload(2)
        let app = fixture.app()
        #expect(try app.logContradiction() != nil)

        try app.trustLogAnew()

        #expect(try app.logContradiction() == nil)
        #expect(fixture.exists("server-log.contradiction.resolved"))
        try await fixture.upload(3)
        #expect(fixture.isDeleted(3))
        #expect(lies.count == 1)
    }

    // MARK: - What proves nothing

    /// Uploads while the log is in doubt: the partition of the round is gone, the next one waits until the doubt is over.
    private func expectDoubt(_ sentence: String, until mend: () throws -> Void) async throws {
        let user = try await fixture.user(fixture.app())
        let uploader = Uploader(
            source: fixture.uploads.source,
            user: user,
            reporting: fixture.uploads.reports.reporting(),
            environment: fixture.uploads.environment()
        )
        fixture.seal(50)
        try await uploader.uploadEverything()
        #expect(fixture.isDeleted(50))
        #expect(fixture.told.count == 1)
        #expect(fixture.told.first?.hasPrefix("The log of the server is not proven") == true)
        #expect(fixture.told.first?.contains(sentence) == true, "\(fixture.told)")

        fixture.seal(51)
        let running = Task { await uploader.run() }
        _ = await fixture.uploads.nextBackoff()
        #expect(fixture.uploads.source.summary(Sample.partition(51))?.isSealAcknowledged == true)
        running.cancel()
        await running.value
        try mend()

        #expect(await HTTPEventTransport(user: user).look() == nil)

        try await uploader.uploadEverything()
        #expect(fixture.isDeleted(51))
        #expect(!fixture.exists("server-log.contradiction"))
    }

    @Test("a checkpoint of another log is a sentence, and nothing is deleted because of it")
    func foreign() async throws {
        try await fixture.upload(1)
        let other = try SampleLog(origin: "elsewhere.example.com/log").published()
        server.override("log/checkpoint", with: HTTPResponse(status: 200, body: other.signed.note.bytes))

        try await expectDoubt("The checkpoint is of another log than log.example.com/daybook.") {
            server.override("log/checkpoint", with: nil)
        }
    }

    @Test("a checkpoint that another key of the same name signed is a sentence, and nothing is deleted because of it")
    func unsigned() async throws {
        try await fixture.upload(1)
        let other = try SampleLog(seed: 2).published()
        server.override("log/checkpoint", with: HTTPResponse(status: 200, body: other.signed.note.bytes))

        try await expectDoubt("The checkpoint is not signed by a known key of log.example.com/daybook.") {
            server.override("log/checkpoint", with: nil)
        }
    }

    @Test("a tile that is cut off is a sentence, and nothing is deleted because of it")
    func truncated() async throws {
        try await fixture.upload(1)
        try server.grow(by: 5)
        for size in 6...9 {
            server.override("log/tile/0/000.p/\(size)", with: HTTPResponse(status: 200, body: [1, 2, 3]))
        }

        try await expectDoubt("cannot be read: it has 3 bytes, not") {
            for size in 6...9 { server.override("log/tile/0/000.p/\(size)", with: nil) }
        }
    }

    @Test(
        "a log that is shorter than it was is a sentence, and nothing is deleted because of it until it is whole again"
    )
    func rolledBack() async throws {
        try server.grow(by: 10)
        try await fixture.upload(1)
        let whole = server.state.withLock { $0.published }
        let short = try server.state.withLock { try $0.log.published(5) }
        server.state.withLock { state in
            state.publishesAtOnce = false
            state.published = short
        }

        try await expectDoubt("it has 5 partitions, and had 11 before") {
            server.state.withLock { $0.published = whole }
        }
    }

    @Test(
        "a log that does not come to what the server gave a receipt for a day ago is a sentence, and nothing is deleted"
    )
    func stalled() async throws {
        try server.grow(by: 3)
        server.state.withLock { $0.publishesAtOnce = false }
        try await fixture.upload(1)
        #expect(fixture.told == [])
        server.state.withLock { $0.now = EventInstant(microseconds: $0.now.microseconds + 86_400_000_001) }

        try await expectDoubt("\(Sample.partition(1)) is not in what the server shows of it, a day after its receipt") {
            try server.rewrite { _ in }
        }
    }

    @Test("what is kept and cannot be read any more is no reason to trust anew")
    func damagedRecord() async throws {
        try await fixture.upload(1)
        try Data("x".utf8).write(to: URL(filePath: fixture.path("server-log.json")))

        try await fixture.upload(2)

        #expect(fixture.told.count == 1)
        #expect(fixture.told.first?.contains("is not what this device kept of it") == true)
        #expect(try Data(contentsOf: URL(filePath: fixture.path("server-log.json"))) == Data("x".utf8))
    }
}

extension PartitionLogEntry {
    /// The same entry, as if it had come at another time.
    fileprivate func received(at microseconds: Int64) -> PartitionLogEntry {
        PartitionLogEntry(
            index: index,
            app: app,
            user: user,
            received: EventInstant(microseconds: microseconds),
            seal: seal
        )
    }

    /// The same entry of another seal.
    fileprivate func sealed(by seal: PartitionSeal) -> PartitionLogEntry {
        PartitionLogEntry(index: index, app: app, user: user, received: received, seal: seal)
    }
}
