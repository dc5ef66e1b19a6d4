import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import LogPublishing
import NIOCore
import Testing
import TimeStamping

@testable import AuditHTTP

@Suite("A server whose log is time-stamped", .enabled(if: SampleAuthority.isInstalled), .timeLimit(.minutes(5)))
struct TimeStampingTests {
    private let place: TestFolder
    private let authority: SampleAuthority

    init() throws {
        place = try TestFolder.made()
        try POSIXFileSystem().makeDirectory(place.file("authority"))
        authority = try SampleAuthority(in: place.file("authority"))
    }

    private func server(_ url: String?) async throws -> TestServer {
        var configuration = ServerConfiguration(limits: .forPolling)
        configuration.logOrigin = "example.com/daybook"
        configuration.timeStamps = try url.map { try TimeStampSettings(url: $0, trust: authority.trust) }
        let server = try await TestServer(configuration: configuration)
            .publishing(LogFolder(at: place.file("log"), in: POSIXFileSystem()))
        try await server.store.acceptSealed(1...3)
        return server
    }

    private func bytes(_ response: TestResponse) -> [UInt8] { Array(response.body.readableBytesView) }

    @Test("anybody gets the time-stamps, and a proof leads to a checkpoint that has one")
    func stamped() async throws {
        try await authority.serving { url in
            let server = try await server(url)
            let owner = try await server.headers(.uploader(SampleDevice.owner))
            try await server.run(.live) { client async throws in
                var list = try await client.get("/log/time-stamps")
                while list.body.readableBytes == 0 { list = try await client.get("/log/time-stamps") }
                #expect(String(buffer: list.body) == "3\n")
                let reply = try await client.get("/log/time-stamps/3.tsr")
                let checkpoint = try await client.get("/log/time-stamps/3.checkpoint")
                #expect(reply.headers[.contentType] == "application/timestamp-reply")
                #expect(reply.headers[.cacheControl] == "public, max-age=31536000, immutable")
                #expect(try authority.verifies(bytes(reply), over: bytes(checkpoint)))

                let uri = "/api/v1/log/proof?partition=\(SampleDevice(2).partition.value)"
                let answer = try await client.get("\(uri)&checkpoint=time-stamped", as: owner)
                #expect(answer.headers[.timeStamp] == "/log/time-stamps/3.tsr")
                let proof = try LogProof(bytes(answer))
                #expect(proof.signed.note.bytes == bytes(checkpoint))
                let policy = try WitnessPolicy(
                    logKeys: [SampleDevice.serverKey.logSigner(origin: "example.com/daybook").verifierKey]
                )
                let entry = try #require(try await server.store.logEntry(of: SampleDevice(2).partition))
                #expect(try proof.verify(entry.canonicalBytes, by: policy).checkpoint.size == 3)
                #expect(try await client.get("\(uri)&checkpoint=newest", as: owner).status == .badRequest)

                for name in [
                    "4.tsr", "03.tsr", "3.tsr.new", "3", "3.key", "..%2Fcosigned", "%00.tsr", "3.checkpoint.x",
                ] {
                    #expect(try await client.get("/log/time-stamps/\(name)").status == .notFound, "\(name)")
                }
            }
        }
    }

    @Test(
        "an authority that is away is a warning, nothing waits for it, and a proof says that there is no time-stamp yet"
    )
    func away() async throws {
        let server = try await server("http://127.0.0.1:1/tsr")
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        try await server.run(.live) { client async throws in
            struct Ready: Decodable { let warnings: [String]? }
            var ready = try await client.get("/ready").decoded(Ready.self)
            while ready.warnings == nil { ready = try await client.get("/ready").decoded(Ready.self) }
            let words = try #require(ready.warnings?.first)
            #expect(words == "The authority of time-stamps does not answer: Connection refused. It is asked again.")

            var device = SampleDevice(9)
            device.record(["a"])
            #expect(try await client.upload(device.stretch(1...1), as: owner).status == .ok)
            let uri = "/api/v1/log/proof?partition=\(SampleDevice(2).partition.value)"
            #expect(try await client.get("\(uri)&checkpoint=time-stamped", as: owner).status == .serviceUnavailable)
            #expect(try await client.get("/log/time-stamps").body.readableBytes == 0)
        }
    }

    @Test("a server that asks nobody serves what it was given before, and one without a log has none")
    func withoutAuthority() async throws {
        let server = try await server(nil)
        try POSIXFileSystem().makeDirectory(place.file("log/time-stamps"))
        for name in ["2.checkpoint", "2.tsr"] {
            try POSIXFileSystem().replaceFile(at: place.file("log/time-stamps/\(name)"), with: Array(name.utf8))
        }
        try await server.run(.live) { client async throws in
            #expect(String(buffer: try await client.get("/log/time-stamps").body) == "2\n")
            #expect(bytes(try await client.get("/log/time-stamps/2.tsr")) == Array("2.tsr".utf8))
        }
        try await TestServer()
            .run(.live) { client async throws in
                #expect(try await client.get("/log/time-stamps").status == .notFound)
                #expect(try await client.get("/log/time-stamps/2.tsr").status == .notFound)
            }
    }
}
