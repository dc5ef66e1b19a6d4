import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import Daybook
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Foundation
import LogPublishing
import SQLiteStore
import Testing

@Suite("A device that checks the log of a server", .serialized, .timeLimit(.minutes(2)))
struct CheckedLogTests {
    private let folder: TestFolder
    private let errors = ErrorLog()
    private let key = SigningKey.makeKey()
    private let tokenKey = TokenIssuer.makeKey()

    init() throws { folder = try TestFolder.made() }

    /// A server with the keys and accounts of the test, over the store and the published log of a name.
    private func serve(
        _ name: String,
        _ successions: [KeySuccession] = [],
        key: [UInt8]? = nil,
        _ body: (String) async throws -> Void
    ) async throws {
        let service = AuditService(
            configuration: ServerConfiguration(passwordCost: 10),
            store: try SQLiteEventStore(path: folder.file("\(name).sqlite")),
            index: try SearchIndex(),
            accounts: try SQLiteAccountStore(path: folder.file("accounts.sqlite")),
            tokens: try await TokenIssuer(key: tokenKey, clock: SystemClock()),
            key: try SigningKey(key ?? self.key),
            keyHistory: try KeyHistory(successions),
            logFolder: LogFolder(at: folder.file("\(name)-log"), in: POSIXFileSystem())
        )
        try await service.prepareCollections()
        try await RunningServer.with(service) { port in try await body("http://127.0.0.1:\(port)") }
    }

    private func app(_ url: String) -> App {
        App(id: "ward", configuration: AppConfiguration(baseURL: url, rootDirectory: folder.file("device")))
    }

    private func partitions(of user: User) -> InMemoryPartitions {
        InMemoryPartitions(prefix: "ward", owner: EventOwner(app: "ward", user: user.id))
    }

    /// Records an event, seals its partition, uploads it, and looks at the log.
    private func upload(_ partitions: InMemoryPartitions, as user: User) async throws {
        _ = try partitions.append([
            AuditEvent(id: ObjectIdGenerator.system.next(), clock: SystemClock().now(), activity: "round")
        ])
        try partitions.seal()
        let uploader = Uploader(
            source: partitions,
            user: user,
            reporting: UploadReporting(errorHandler: { errors.add($0) })
        )
        try await uploader.uploadEverything()
    }

    /// Waits until the server has published so many entries.
    private func waitForLog(of size: UInt64, at url: String) async throws {
        let client = URLSessionHTTPClient()
        while true {
            let response = try await client.send(HTTPRequest(method: .get, url: "\(url)/log/checkpoint"))
            if response.status == 200, try SignedCheckpoint(response.body).checkpoint.size >= size { return }
        }
    }

    private struct Record: Decodable {
        let checkpoint: String?
        let proven: [String: String]
    }

    private func record() throws -> Record {
        let path = folder.file("device/mongodb-realm/ward/server-log.json")
        return try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(filePath: path)))
    }

    @Test("an honest server's log grows past what the device keeps, and holds what the device sealed")
    func honest() async throws {
        try await serve("honest") { url in
            let app = app(url)
            let user = try await app.login(credentials: .anonymous)
            let partitions = partitions(of: user)
            for count in 1...4 {
                try await upload(partitions, as: user)
                try await waitForLog(of: UInt64(count), at: url)
            }

            try await upload(partitions, as: user)

            #expect(errors.sentences == [])
            #expect(try partitions.partitions().isEmpty)
            let record = try record()
            let kept = try record.checkpoint.map { try SignedCheckpoint(Array($0.utf8)).checkpoint.size }
            #expect(kept ?? 0 >= 4)
            // The fifth one may not have been published yet.
            let receipts = try app.receipts().map { Hexadecimal.text($0.signature) }
            #expect(receipts.suffix(2).contains(record.proven[user.id] ?? ""))
        }
    }

    @Test("a server whose keys others follow is the same one to devices that know the first, and to those that are new")
    func otherKeys() async throws {
        var keys = [key]
        var successions: [KeySuccession] = []
        for run in 1...3 {
            try await serve("rotating", successions, key: keys.last) { url in
                let app = app(url)
                let user = if let user = app.currentUser { user } else { try await app.login(credentials: .anonymous) }
                let partitions = partitions(of: user)
                for count in 1...2 {
                    try await upload(partitions, as: user)
                    try await waitForLog(of: UInt64(3 * (run - 1) + count), at: url)
                }
                // What was published by now is looked for.
                try await upload(partitions, as: user)
                try await waitForLog(of: UInt64(3 * run), at: url)
                #expect(errors.sentences == [])
                #expect(try partitions.partitions().isEmpty)
            }
            let next = SigningKey.makeKey()
            let (old, new) = (try SigningKey(keys[run - 1]), try SigningKey(next))
            successions.append(try old.succession(to: new, at: SystemClock().now().wall))
            keys.append(next)
        }
        let kept = try Data(contentsOf: URL(filePath: folder.file("device/mongodb-realm/ward/server.keys")))
        #expect(try JSONDecoder().decode([String].self, from: kept) == successions.prefix(2).map(\.text))
        #expect(try record().checkpoint.map { try SignedCheckpoint(Array($0.utf8)).checkpoint.size } ?? 0 >= 8)
    }

    @Test("a server that comes back with another history is caught, and its own signatures prove it")
    func rewritten() async throws {
        try await serve("before") { url in
            let user = try await app(url).login(credentials: .anonymous)
            let partitions = partitions(of: user)
            for count in 1...2 {
                try await upload(partitions, as: user)
                try await waitForLog(of: UInt64(count), at: url)
            }
            try await upload(partitions, as: user)
            #expect(errors.sentences == [])
        }
        try await serve("after") { url in
            let app = app(url)
            let user = try #require(app.currentUser)
            let partitions = partitions(of: user)
            for count in 1...3 {
                // From the third one on nothing is sent any more, if the first looks have seen it.
                try? await upload(partitions, as: user)
                if try app.logContradiction() == nil { try await waitForLog(of: UInt64(count), at: url) }
            }
            try? await upload(partitions, as: user)

            let contradiction = try #require(try app.logContradiction())
            let key = try #require(contradiction.checkpoints.first?.note.signatures.first?.name)
            #expect(key == contradiction.checkpoints.first?.checkpoint.origin)
            let signer = try SigningKey(self.key)
            let policy = try WitnessPolicy(logKeys: [signer.logSigner(origin: key).verifierKey])
            try contradiction.verify(by: policy, serverKeys: [signer.publicKey])
            #expect(try !partitions.partitions().isEmpty)
            #expect(
                errors.ofUploads.contains { error in
                    if case .untrustedServer = error { true } else { false }
                }
            )
        }
    }
}
