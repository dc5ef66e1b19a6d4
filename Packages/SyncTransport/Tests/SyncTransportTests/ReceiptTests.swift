import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("Receipts of the server")
struct ReceiptTests {
    private let folder = TestFolder()

    /// Opens the app as a new process does.
    private func app(answering proofs: [DurabilityProof], key: ServerKey? = nil) throws -> App {
        let left = ScriptedHTTPClient(
            answers: try proofs.map { HTTPResponse(status: 200, body: Array(try JSONEncoder().encode($0))) }
        )
        let client = ScriptedHTTPClient { request in
            if request.url.hasSuffix("/login") { return .session(user: "62b3", access: "A0", refresh: "R0") }
            // A server that states nothing of its keys.
            if request.url.hasSuffix("/api/v1/key") { return .json(200, #"{"publicKey":""}"#) }
            return try await left.send(request)
        }
        return App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: "https://audit.example.org",
                rootDirectory: folder.path,
                client: client,
                serverKey: key
            )
        )
    }

    private func send(_ app: App) async throws {
        let user = try await app.login(credentials: .userAPIKey("K"))
        _ = try await HTTPEventTransport(user: user).send(Sample.stretch(from: 1, count: 2))
    }

    private func code(_ app: App) async throws -> TransportError.Code? {
        await #expect(throws: TransportError.self) { try await send(app) }?.code
    }

    @Test("the first key is trusted and kept, and another one is not believed, also after a restart")
    func trustOnFirstUse() async throws {
        let (first, other) = (SampleSigner(), SampleSigner())

        let app = try app(answering: [first.proof(), first.proof(), other.proof()])
        try await send(app)
        try await send(app)
        #expect(try await code(app) == .untrustedServer)
        let again = try self.app(answering: [other.proof(), first.proof()])
        let error = await #expect(throws: TransportError.self) { try await send(again) }
        #expect(error?.code == .untrustedServer)
        #expect(error?.message.contains(Hexadecimal.text(first.publicKey)) == true)
        #expect(error?.message.contains(Hexadecimal.text(other.publicKey)) == true)
        try await send(again)
    }

    @Test("the error of an unknown key stops the upload and deletes nothing")
    func remedy() {
        #expect(TransportError.Code.untrustedServer.remedy == .stop)
    }

    @Test("a configured key is the only one, whatever was learned before")
    func configured() async throws {
        let (first, other) = (SampleSigner(), SampleSigner())
        try await send(try app(answering: [first.proof()]))

        let key = try #require(ServerKey(hex: "\(Hexadecimal.text(other.publicKey))\n"))
        try await send(app(answering: [other.proof()], key: key))
        #expect(try await code(app(answering: [first.proof()], key: key)) == .untrustedServer)
        #expect(try await code(app(answering: [Sample.unsigned(through: 2)], key: key)) == .untrustedServer)
    }

    @Test("a server that signs nothing is not believed, whether or not its key is known")
    func unsigned() async throws {
        let signer = SampleSigner()
        let (open, whole) = (Sample.unsigned(through: 2), Sample.unsigned(through: 2, isSealed: true))
        let app = try app(answering: [open, whole, signer.proof(), open, whole])

        for _ in [open, whole] { #expect(try await code(app) == .untrustedServer) }
        try await send(app)
        for _ in [open, whole] { #expect(try await code(app) == .untrustedServer) }
    }

    @Test("what cannot be kept proves nothing: neither the first key nor the receipt of a whole partition")
    func notKept() async throws {
        let signer = SampleSigner()
        let app = try app(answering: [signer.proof(), signer.proof(isSealed: true), signer.proof(isSealed: true)])
        let folder = "\(folder.path)/mongodb-realm/ward"
        // What is in the way of the file's replacement, and of the file.
        for name in ["server.key.new", "receipts.jsonl"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)/in the way",
                withIntermediateDirectories: true
            )
        }

        #expect(try await code(app) == .notKept)
        try FileManager.default.removeItem(atPath: "\(folder)/server.key.new")
        #expect(try await code(app) == .notKept)
        try FileManager.default.removeItem(atPath: "\(folder)/receipts.jsonl")
        try await send(app)

        #expect(try app.receipts().count == 1)
        #expect(TransportError.Code.notKept.remedy == .retry)
    }

    @Test("a proof of nothing needs no receipt")
    func nothing() async throws {
        let app = try app(answering: [SampleSigner().proof(), Sample.unsigned(through: 0)])

        try await send(app)
        try await send(app)
    }

    @Test("a wrong signature, and one under something else, prove nothing and teach no key")
    func forged() async throws {
        let signer = SampleSigner()
        let forgeries = try [
            signer.proof(spoiled: true), signer.proof(app: "other"), signer.proof(user: "other"),
            signer.proof(signedThrough: 1),
        ]
        let app = try app(answering: forgeries + [SampleSigner().proof()])

        for _ in forgeries { #expect(try await code(app) == .untrustedServer) }
        try await send(app)
    }

    @Test("the receipt of a whole partition is kept in a file of its owner, and is there after a restart")
    func keeping() async throws {
        let signer = SampleSigner()
        let app = try app(answering: [signer.proof(), signer.proof(isSealed: true)])
        #expect(try app.receipts() == [])

        try await send(app)
        #expect(try app.receipts() == [])
        try await send(app)

        let kept = try self.app(answering: []).receipts()
        let key = try #require(ServerKey(signer.publicKey))
        #expect(kept.map(\.durableThrough) == [2])
        #expect(kept.map(\.partition) == [Sample.partition()])
        #expect(kept.allSatisfy(key.isSigner))
        for name in ["receipts.jsonl", "server.key"] {
            let path = "\(folder.path)/mongodb-realm/ward/\(name)"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("a receipt behind a line that was cut off is read, and the line is left out")
    func tornLine() async throws {
        let signer = SampleSigner()
        let app = try app(answering: [signer.proof(isSealed: true), signer.proof(isSealed: true)])
        try await send(app)
        let path = "\(folder.path)/mongodb-realm/ward/receipts.jsonl"
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.dropLast(20).write(to: URL(filePath: path))

        try await send(app)

        #expect(try app.receipts().count == 1)
    }

    @Test("a file of receipts that has become large takes the place of the one before it")
    func bounded() async throws {
        let signer = SampleSigner()
        let path = "\(folder.path)/mongodb-realm/ward/receipts.jsonl"
        let app = try app(answering: [signer.proof(isSealed: true), signer.proof(isSealed: true)])
        try await send(app)
        let line = try Data(contentsOf: URL(filePath: path))
        var large = Data()
        while large.count < 4 << 20 { large += line }
        try large.write(to: URL(filePath: path))
        try Data("an older one".utf8).write(to: URL(filePath: "\(path).earlier"))

        try await send(app)

        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try app.receipts().count == large.count / line.count + 1)
    }

    @Test("a key file that is no key any more is an error, and not a reason to trust anybody")
    func damagedKey() async throws {
        let signer = SampleSigner()
        try await send(app(answering: [signer.proof()]))
        try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/mongodb-realm/ward/server.key"))

        #expect(try await code(app(answering: [signer.proof()])) == .untrustedServer)
    }

    @Test("only 64 hexadecimal digits are a key")
    func keyText() {
        #expect(ServerKey(hex: "") == nil)
        #expect(ServerKey(hex: "zz") == nil)
        #expect(ServerKey(hex: String(repeating: "a", count: 63)) == nil)
        #expect(ServerKey(hex: String(repeating: "aB", count: 32))?.description == String(repeating: "ab", count: 32))
        #expect(ServerKey([1, 2, 3]) == nil)
        // With this one anybody can sign.
        #expect(ServerKey([1] + [UInt8](repeating: 0, count: 31)) == nil)
    }
}

extension SampleSigner {
    fileprivate func proof(
        through last: UInt64 = 2,
        isSealed: Bool = false,
        app: String = "ward",
        user: String = "62b3",
        signedThrough: UInt64? = nil,
        spoiled: Bool = false
    ) throws -> DurabilityProof {
        try signed(
            Sample.unsigned(through: last, isSealed: isSealed),
            app: app,
            user: user,
            signedThrough: signedThrough,
            spoiled: spoiled
        )
    }
}
