import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import LogPublishing
import SQLiteStore
import Testing
import TimeStamping

@testable import DaybookCommand

@Suite("daybook verify --authority", .enabled(if: SampleAuthority.isInstalled), .timeLimit(.minutes(5)))
struct TimeStampVerificationTests {
    private let folder: TestFolder
    private let authority: SampleAuthority
    private let store = InMemoryEventStore()
    private let signer: EdwardsNoteSigner

    init() throws {
        folder = try TestFolder.made()
        try POSIXFileSystem().makeDirectory(folder.file("authority"))
        authority = try SampleAuthority(in: folder.file("authority"))
        signer = try SampleDevice.serverKey.logSigner(origin: "log.example/daybook")
    }

    private var log: LogFolder { LogFolder(at: folder.file("log"), in: POSIXFileSystem()) }

    /// Runs a server that is time-stamped at this address, or whose folder alone says when it was.
    private func withServer(_ url: String?, _ body: (Int, String) async throws -> Void) async throws {
        let data = try DataFolder(folder.file("data"))
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        try PrivateFile.write(
            Array(try await tokens.issue(.auditor, for: .access).utf8),
            to: folder.file("token")
        )
        var configuration = ServerConfiguration(limits: .forPolling)
        configuration.logOrigin = "log.example/daybook"
        configuration.timeStamps = try url.map { try TimeStampSettings(url: $0, trust: authority.trust) }
        let service = AuditService(
            configuration: configuration,
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: SampleDevice.serverKey,
            ids: ObjectIdGenerator.system,
            logFolder: log
        )
        try await RunningServer.with(service) { try await body($0, folder.file("token")) }
    }

    private func verify(_ port: Int, _ more: [String] = []) async -> CommandOutcome {
        await CommandOutcome.of(
            ["verify", "--server", "http://127.0.0.1:\(port)", "--token-file", folder.file("token")]
                + ["--log-key", "\(signer.verifierKey)", "--authority", authority.rootFile] + more
        )
    }

    /// Has the authority time-stamp the first entries of the log, as an earlier run of the server had.
    private func stamp(_ size: UInt64, of tree: MerkleTree, by signer: EdwardsNoteSigner? = nil) throws {
        let checkpoint = try Checkpoint(origin: "log.example/daybook", size: size, root: tree.root(at: size))
        let bytes = try SignedCheckpoint(checkpoint, signedBy: [signer ?? self.signer]).note.bytes
        let reply = try authority.reply(to: TimeStampRequest(over: bytes, nonce: 1).bytes())
        try POSIXFileSystem().makeDirectory(folder.file("log/time-stamps"))
        try POSIXFileSystem().replaceFile(at: folder.file("log/time-stamps/\(size).checkpoint"), with: bytes)
        try POSIXFileSystem().replaceFile(at: folder.file("log/time-stamps/\(size).tsr"), with: reply)
    }

    private func tree() async throws -> MerkleTree {
        MerkleTree(leaves: try await store.logEntries(from: 0, limit: 100).map(\.leaf))
    }

    @Test("a server's time-stamps are verified with its log, and a proof with its own")
    func stamped() async throws {
        try await store.acceptSealed(1...3)
        try await authority.serving { url in
            try await withServer(url) { port, _ in
                var outcome = await verify(port)
                while outcome.code != 0 || !outcome.output.contains("existed before") { outcome = await verify(port) }
                #expect(outcome.output.contains("3 of them existed before 2"))
                #expect(outcome.output.contains(", by 1 time-stamp of CN=Authority of Time 1; 0 came later\n"))
                // Samples say they were received in another year than the clock of the system has.
                #expect(outcome.output.contains("it was entered later than it says.") == false)
                let json = await verify(port, ["--json", "--tree-head", folder.file("head")])
                #expect(json.output.contains(#""timeStamps":{"#) && json.output.contains(#""count":1"#))
            }
        }
        let tree = try await tree()
        let entry = try await store.logEntries(from: 1, limit: 1)[0]
        let read = try POSIXFileSystem().open(folder.file("log/time-stamps/3.checkpoint"), .read)
        let signed = try SignedCheckpoint(read.bytes(at: 0, count: Int(read.size())))
        read.close()
        let proof = try LogProof(tree.inclusionProof(of: 1, in: 3), in: signed, extra: entry.canonicalBytes)
        try PrivateFile.write(proof.bytes, to: folder.file("proof"))
        let arguments = ["verify", "--log-proof", folder.file("proof"), "--log-key", "\(signer.verifierKey)"]
        let reply = folder.file("log/time-stamps/3.tsr")

        let alone = await CommandOutcome.of(arguments + ["--time-stamp", reply, "--authority", authority.rootFile])
        #expect(alone.code == 0, "\(alone.fullMessage)")
        #expect(alone.output.contains(", by the time-stamp of CN=Authority of Time 1\n"))
        let json = await CommandOutcome.of(
            arguments + ["--time-stamp", reply, "--authority", authority.rootFile, "--json"]
        )
        #expect(json.output.contains(#""existedBefore":"2"#))

        let other = try LogProof(
            tree.inclusionProof(of: 1, in: 2),
            in: SignedCheckpoint(
                Checkpoint(origin: "log.example/daybook", size: 2, root: tree.root(at: 2)),
                signedBy: [signer]
            ),
            extra: entry.canonicalBytes
        )
        try PrivateFile.write(other.bytes, to: folder.file("proof"))
        let wrong = await CommandOutcome.of(arguments + ["--time-stamp", reply, "--authority", authority.rootFile])
        #expect(wrong.code == 1 && wrong.output == "The time-stamp is of other bytes.\n1 problem found\n")
    }

    @Test("a server that shows none of its time-stamps, or leaves some out, does not look like one that has them")
    func removed() async throws {
        try await store.acceptSealed(1...5)
        let tree = try await tree()
        for size in [2, 3] as [UInt64] { try stamp(size, of: tree) }
        try await withServer(nil) { port, _ in
            var outcome = await verify(port)
            while outcome.code > 1 || outcome.output.isEmpty { outcome = await verify(port) }
            #expect(outcome.code == 0, "\(outcome.output)")
            #expect(outcome.output.contains(", by 2 time-stamps of CN=Authority of Time 1, at most "))
            #expect(outcome.output.contains(" minutes apart; 2 came later\n"))
        }
        try FileManager.default.removeItem(atPath: folder.file("log/time-stamps"))
        try await withServer(nil) { port, _ in
            var outcome = await verify(port)
            while outcome.output.isEmpty { outcome = await verify(port) }
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("The log has no time-stamp: "), "\(outcome.output)")
        }
    }

    @Test("time-stamps of another log, by another key or authority, or that were changed, are problems")
    func forged() async throws {
        try await store.acceptSealed(1...4)
        let tree = try await tree()
        let reversed = MerkleTree(leaves: try await store.logEntries(from: 0, limit: 100).map(\.leaf).reversed())
        let stranger = try EdwardsNoteSigner(name: "log.example/daybook", algorithm: .ed25519)
        try stamp(1, of: tree)
        try stamp(2, of: reversed)
        try stamp(3, of: tree, by: stranger)
        try stamp(4, of: tree)
        // The one of four entries in the place of that of one.
        try POSIXFileSystem().rename(folder.file("log/time-stamps/4.tsr"), to: folder.file("log/time-stamps/1.tsr"))
        try await withServer(nil) { port, _ in
            var outcome = await verify(port)
            while outcome.output.isEmpty || outcome.code > 1 { outcome = await verify(port) }
            #expect(outcome.code == 1)
            #expect(
                outcome.output.contains(
                    "The time-stamp of 1 entries is not accepted. The time-stamp is of other bytes."
                )
            )
            #expect(outcome.output.contains("The first 2 entries of the log are not those that were time-stamped at "))
            #expect(outcome.output.contains("The time-stamp of 3 entries is not accepted. "))
            #expect(outcome.output.contains("3 problems found"))
        }
    }

    @Test(
        "options that do not belong together are refused with what is missing",
        arguments: [
            (["--authority", "roots.pem", "--server", "http://127.0.0.1:1"], "--log-key"),
            (["--authority", "roots.pem", "--log-proof", "p", "--log-key", "KEY"], "--time-stamp"),
            (["--time-stamp", "1.tsr", "--log-proof", "p", "--log-key", "KEY"], "--authority"),
            (["--time-stamp", "1.tsr", "--authority", "roots.pem", "--server", "http://127.0.0.1:1"], "--log-proof"),
            (["--authority", "roots.pem", "--time-stamp", "1.tsr", "./export"], "carries its time-stamp itself"),
            (["--authority", "roots.pem", "--log-contradiction", "c", "--log-key", "KEY"], "--time-stamp"),
        ]
    )
    func options(_ arguments: [String], _ missing: String) async throws {
        let outcome = await CommandOutcome.of(
            ["verify"] + arguments.map { $0 == "KEY" ? "\(signer.verifierKey)" : $0 }
        )
        #expect(outcome.code == 64 && outcome.fullMessage.contains(missing), "\(outcome.fullMessage)")
    }

    @Test("a file of certificates that is missing, or has none, is named")
    func files() async throws {
        try PrivateFile.write(Array("a-token".utf8), to: folder.file("token"))
        try PrivateFile.write(Array("no certificate".utf8), to: folder.file("empty.pem"))
        for (name, words) in [("missing.pem", "missing.pem"), ("empty.pem", "it holds no certificate as PEM")] {
            let outcome = await CommandOutcome.of(
                ["verify", "--log-proof", folder.file("token"), "--log-key", "\(signer.verifierKey)"]
                    + ["--time-stamp", folder.file("token"), "--authority", folder.file(name)]
            )
            #expect(outcome.code != 0 && outcome.fullMessage.contains(words), "\(outcome.fullMessage)")
        }
    }
}
