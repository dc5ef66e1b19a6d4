import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import LogPublishing
import LogWitness
import NIOCore
import NIOPosix
import Testing

@testable import AuditHTTP

@Suite("A server with witnesses", .timeLimit(.minutes(5)))
struct WitnessingTests {
    private let place: TestFolder

    init() throws { place = try TestFolder.made() }

    private static let signer = Result { try SampleDevice.serverKey.logSigner(origin: "example.com/daybook") }

    /// A server whose log the witnesses at these addresses cosign.
    private func server(_ witnesses: [WitnessAddress], quorum: Int? = nil) async throws -> TestServer {
        var configuration = ServerConfiguration(limits: .forPolling)
        configuration.logOrigin = "example.com/daybook"
        configuration.witnesses = try WitnessSettings(witnesses, quorum: quorum)
        let server = try await TestServer(configuration: configuration)
            .publishing(LogFolder(at: place.file("log"), in: POSIXFileSystem()))
        try await server.store.acceptSealed(1...3)
        return server
    }

    /// Runs a witness that knows the log, for as long as a test needs it.
    private func withWitness(
        _ name: String,
        _ body: @Sendable (WitnessAddress) async throws -> Void
    ) async throws {
        _ = try WitnessFile.create(at: place.file("\(name).json"), name: ExactText("witness.example/\(name)"))
        let file = try WitnessFile(at: place.file("\(name).json"))
        var contents = try file.contents()
        try contents.witness.add(Self.signer.get().verifierKey)
        try file.write(contents)
        let witness = WitnessServer(
            try WitnessKeeper(file, clock: ManualClock()),
            host: "127.0.0.1",
            port: 0,
            prefix: "/\(name)"
        )
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await witness.serve { found.yield($0) }
            }
            for await port in ports {
                let url = "http://127.0.0.1:\(port)/\(name)"
                try await body(WitnessAddress(url: url, key: contents.signer.verifierKey))
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// A witness that nobody runs: its port was free a moment ago.
    private func missingWitness() async throws -> WitnessAddress {
        let key = try EdwardsNoteSigner(name: "witness.example/away", algorithm: .cosignature).verifierKey
        return try WitnessAddress(url: "http://127.0.0.1:1/away", key: key)
    }

    private func partition(_ number: UInt32) -> PartitionID { SampleDevice(number).partition }

    @Test("readers are shown what a quorum cosigned, and a proof needs no server and no trust in it")
    func quorum() async throws {
        try await withWitness("w1") { first in
            try await withWitness("w2") { second in
                let server = try await server([first, second])
                let auditor = try await server.headers(.auditor)
                let policy = try WitnessPolicy(
                    logKeys: [Self.signer.get().verifierKey],
                    witnesses: [first.key, second.key],
                    quorum: 2
                )
                try await server.run(.live) { client async throws in
                    let uri = "/api/v1/log/proof?partition=\(partition(2).value)"
                    var response = try await client.get(uri, as: auditor)
                    while response.headers[.cosignatures] != "2 of 2" {
                        response = try await client.get(uri, as: auditor)
                    }
                    #expect(response.status == .ok)
                    let proof = try LogProof(Array(response.body.readableBytesView))
                    let entry = try #require(try await server.store.logEntry(of: partition(2)))
                    #expect(proof.extra == entry.canonicalBytes)
                    let accepted = try proof.verify(entry.canonicalBytes, by: policy)
                    #expect(accepted.cosignatures.count == 2 && accepted.checkpoint.size == 3)

                    let shown = try await client.get("/log/checkpoint")
                    #expect(try policy.verify(SignedCheckpoint(Array(shown.body.readableBytesView))) == accepted)
                    #expect(try await client.get("/ready").body == ByteBuffer(string: #"{"status":"ready"}"#))
                }
            }
        }
    }

    @Test("witnesses that are away are a warning, and nothing waits for them")
    func away() async throws {
        let server = try await server([try await missingWitness()])
        let owner = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run(.live) { client async throws in
            struct Ready: Decodable {
                let status: String
                let warnings: [String]?
            }
            var ready = try await client.get("/ready").decoded(Ready.self)
            while ready.warnings?.count != 2 { ready = try await client.get("/ready").decoded(Ready.self) }
            #expect(ready.status == "ready")
            #expect(ready.warnings?.first?.hasPrefix("The witness witness.example/away does not answer: ") == true)
            #expect(ready.warnings?.last?.contains("has not been cosigned by 1 witnesses yet") == true)

            var device = SampleDevice(9)
            device.record(["a"])
            #expect(try await client.upload(device.stretch(1...1), as: owner).status == .ok)
            let proof = try await client.get("/api/v1/log/proof?partition=\(partition(1).value)", as: owner)
            #expect(proof.status == .ok && proof.headers[.cosignatures] == "0 of 1")
            #expect(try await client.get("/log/checkpoint").status == .ok)
        }
    }

    @Test("whoever may not know of a partition gets the answer of one that is not sealed")
    func access() async throws {
        let server = try await server([])
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        let other = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "somebody-else")))

        try await server.run(.live) { client async throws in
            let uri = "/api/v1/log/proof?partition="
            var own = try await client.get(uri + partition(1).value, as: owner)
            while own.status != .ok { own = try await client.get(uri + partition(1).value, as: owner) }
            #expect(own.headers[.cosignatures] == "0 of 0")
            let foreign = try await client.get(uri + partition(1).value, as: other)
            let unknown = try await client.get(uri + partition(99).value, as: other)
            #expect(foreign.status == .badRequest && foreign.status == unknown.status && foreign.body == unknown.body)
            for bad in ["/api/v1/log/proof", uri, uri + "%00"] {
                #expect(try await client.get(bad, as: owner).status == .badRequest)
            }
            #expect(try await client.get(uri + partition(1).value).status == .unauthorized)
        }
    }

    @Test("a witness that says nothing, too much, or that somebody else is to be asked, is not waited for or followed")
    func client() async throws {
        let server = try await server([])
        try await server.run(.live) { client async throws in
            let port = try #require(client.port)
            let transport = OutsideClient(patience: .seconds(200))
            let whole = try await transport.post(
                [],
                as: "text/plain",
                to: "http://127.0.0.1:\(port)/health",
                limit: 10_000
            )
            #expect(whole.status == 404 && !whole.body.isEmpty)
            await #expect {
                try await transport.post([], as: "text/plain", to: "http://127.0.0.1:\(port)/health", limit: 3)
            } throws: {
                "\($0)" == "its answer has more than 3 bytes"
            }
        }
        await #expect {
            try await OutsideClient(patience: .seconds(200))
                .post([], as: "text/plain", to: "http://127.0.0.1:1/", limit: 10)
        } throws: {
            "\($0)" == "Connection refused"
        }
        // It takes connections, and never answers.
        let silent = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let url = "http://127.0.0.1:\(try #require(silent.localAddress?.port))/"
        await #expect {
            try await OutsideClient(patience: .milliseconds(20)).post([], as: "text/plain", to: url, limit: 10)
        } throws: {
            "\($0)".hasPrefix("it took longer than")
        }
        try await silent.close()
    }
}
