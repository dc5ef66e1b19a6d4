import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditExport
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditVerifying
@testable import LogPublishing

@Suite("Exports of a server that publishes its log", .timeLimit(.minutes(5)))
struct ExportCheckpointRoutesTests {
    private struct LogKey: Decodable { let logKey: String }

    private func server(_ folder: TestFolder) async throws -> TestServer {
        let server = try await TestServer(
            configuration: ServerConfiguration(limits: .forPolling),
            exports: ExportFolder(folder.file("exports"))
        )
        let (device, seal) = try SampleExport.device()
        _ = try await server.store.accept(device.upload(1...device.events.count, seal: seal))
        return server
    }

    private func fetchExport(_ client: any TestClientProtocol, _ headers: HTTPFields, into copy: String) async throws {
        let begun: ExportStatus = try await client.post("/api/v1/exports", #"{"formats":["jsonl"]}"#, as: headers)
            .decoded()
        let done = try await client.finishedExport(begun.id, as: headers)
        try #require(done.state == "done", "\(done.problem ?? "")")
        try PrivateFile.makeFolder(copy)
        for file in done.files {
            let answer = try await client.get("/api/v1/exports/\(begun.id)/files/\(file.name)", as: headers)
            try Data(answer.body.readableBytesView).write(to: URL(filePath: "\(copy)/\(file.name)"))
        }
    }

    @Test("an export of a server that publishes its log has the checkpoint as it was published")
    func checkpoint() async throws {
        let folder = try TestFolder.made()
        let server = try await server(folder)
            .publishing(LogFolder(at: folder.file("log"), in: POSIXFileSystem()))
        let headers = try await server.headers(.auditor)
        try await server.run(.live) { client in
            // The first run is under way when the server answers for the first time.
            var published = try await client.get("/log/checkpoint")
            while published.status == .notFound { published = try await client.get("/log/checkpoint") }
            let key = try await client.get("/api/v1/key").decoded(LogKey.self).logKey
            let copy = folder.file("copy")
            try await fetchExport(client, headers, into: copy)

            var verification = ExportVerification(
                folder: copy,
                key: server.key.exportKey.publicKey,
                policy: try WitnessPolicy(logKeys: [NoteVerifierKey(parsing: key)])
            )
            try verification.run()
            #expect(verification.problems == [] && verification.remarks == [])
            #expect(verification.loggedPartitions == 1 && verification.checkpoint?.cosigned.checkpoint.size == 1)
            let file = try Data(contentsOf: URL(filePath: "\(copy)/checkpoint"))
            #expect(Array(file) == Array(published.body.readableBytesView))
        }
    }

    @Test("an export has the newest checkpoint that a quorum cosigned, and without one the newest of all")
    func choice() throws {
        let (log, witness) = (
            try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519), try SampleExport.witness(1)
        )
        let reading = ManualClock().now()
        func signed(_ size: UInt64) throws -> SignedCheckpoint {
            try SignedCheckpoint(
                Checkpoint(origin: log.verifierKey.name, size: size, root: MerkleHash.empty),
                signedBy: [log]
            )
        }
        let address = try WitnessAddress(url: "http://127.0.0.1:1/w1", key: witness.verifierKey)
        for quorum in 0...1 {
            let cosigned = try CosignedLog(WitnessSettings([address], quorum: quorum), of: log.verifierKey)
            func exported() -> SignedCheckpoint? { cosigned.exported(by: log.verifierKey).checkpoint }
            #expect(exported() == nil)
            let (first, second) = (try signed(3), try signed(5))
            cosigned.advance(to: first, at: reading)
            #expect(exported() == first)
            let line = try first.checkpoint.cosigned(by: witness, at: reading.wall)
            try cosigned.add(line, to: first, at: reading)
            #expect(try exported() == first.adding([line]))
            cosigned.advance(to: second, at: reading)
            #expect(try exported() == (quorum == 0 ? second : first.adding([line])))
        }
    }

    @Test(
        "an export of a server whose log is time-stamped carries the time-stamp as the server has it",
        .enabled(if: SampleAuthority.isInstalled)
    )
    func stamped() async throws {
        let folder = try TestFolder.made()
        try PrivateFile.makeFolder(folder.file("authority"))
        let authority = try SampleAuthority(in: folder.file("authority"))
        try await authority.serving { url in
            var configuration = ServerConfiguration(limits: .forPolling)
            configuration.timeStamps = try TimeStampSettings(url: url, trust: authority.trust)
            let server = try await TestServer(
                configuration: configuration,
                exports: ExportFolder(folder.file("exports"))
            )
            .publishing(LogFolder(at: folder.file("log"), in: POSIXFileSystem()))
            let (device, seal) = try SampleExport.device()
            _ = try await server.store.accept(device.upload(1...device.events.count, seal: seal))
            let headers = try await server.headers(.auditor)
            try await server.run(.live) { client in
                while try await client.get("/log/time-stamps").body.readableBytes == 0 {}
                let copy = folder.file("copy")
                try await fetchExport(client, headers, into: copy)
                var verification = ExportVerification(folder: copy, key: server.key.exportKey.publicKey)
                try await verification.run(trusting: authority.trust)
                #expect(verification.problems == [] && verification.provenTime?.partitions == 1)
                for name in ["checkpoint", "tsr"] {
                    let file = try Data(contentsOf: URL(filePath: "\(copy)/time-stamp.\(name)"))
                    let kept = try await client.get("/log/time-stamps/1.\(name)").body
                    #expect(Array(file) == Array(kept.readableBytesView))
                }
            }
        }
    }

    @Test("an export says which of its keys an administrator revoked, and none that is believed again")
    func revokedKeys() async throws {
        let folder = try TestFolder.made()
        let server = try await TestServer(
            configuration: ServerConfiguration(limits: .forPolling),
            exports: ExportFolder(folder.file("exports"))
        )
        .publishing(LogFolder(at: folder.file("log"), in: POSIXFileSystem()))
        let (device, seal) = try SampleExport.device()
        _ = try await server.store.accept(device.upload(1...device.events.count, seal: seal))
        let (admin, headers) = (try await server.headers(.administrator), try await server.headers(.auditor))
        let (since, received) = (server.clock.now().wall, SampleDevice.received)
        let key = Hexadecimal.text(device.key.publicKey)
        @Sendable func statement(_ isRevoked: Bool) -> String {
            #"{"app":"\#(SampleDevice.owner.app)","user":"\#(SampleDevice.owner.user)","publicKey":"\#(key)","#
                + #""isRevoked":\#(isRevoked),"reason":"stolen"\#(isRevoked ? #","since":"\#(since)""# : "")}"#
        }
        try await server.run(.live) { client in
            while try await client.get("/log/checkpoint").status == .notFound {}
            for isRevoked in [true, false] {
                let path = "/api/v1/devices/statements"
                #expect(try await client.post(path, statement(isRevoked), as: admin).status == .ok)
                let copy = folder.file("copy \(isRevoked)")
                try await fetchExport(client, headers, into: copy)
                var verification = ExportVerification(folder: copy, key: server.key.exportKey.publicKey)
                try verification.run()
                let problem =
                    "Partition \(device.partition) was received at \(received), sealed with a key that was revoked as of \(since)."
                #expect(verification.problems == (isRevoked ? [problem] : []))
                #expect(verification.manifest?.revokedKeys.map(\.reason) == (isRevoked ? ["stolen"] : []))
            }
        }
    }

    @Test("no export is made of a database that is not what was published")
    func putBack() async throws {
        let folder = try TestFolder.made()
        let server = try await server(folder)
            .publishing(LogFolder(at: folder.file("log"), in: POSIXFileSystem()))
        try await server.run(.live) { client in
            while try await client.get("/log/checkpoint").status == .notFound {}
        }
        let older = server.over(InMemoryEventStore())
        let headers = try await older.headers(.auditor)
        try await older.run(.live) { client in
            while try await client.get("/log/checkpoint").status == .notFound {}
            let begun: ExportStatus = try await client.post("/api/v1/exports", #"{"formats":["csv"]}"#, as: headers)
                .decoded()
            let failed = try await client.finishedExport(begun.id, as: headers)
            #expect(failed.state == "failed")
            #expect(failed.problem?.contains("the database is not what was published") == true)
        }
    }
}
