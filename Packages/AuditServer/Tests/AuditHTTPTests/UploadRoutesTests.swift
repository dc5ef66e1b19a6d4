import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Uploads over HTTP")
struct UploadRoutesTests {
    private func device(_ count: Int = 3) -> SampleDevice {
        var device = SampleDevice()
        device.record((1...count).map { "activity \($0)" })
        return device
    }

    @Test("a stretch is stored and proven, and sending it again changes nothing")
    func storing() async throws {
        let server = try await TestServer()
        let device = device()
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            let first = try await client.upload(device.stretch(1...3, seal: device.seal()), as: user)
            let again = try await client.upload(device.stretch(1...3), as: user)

            let proof = try first.decoded(DurabilityProof.self)
            #expect(first.status == .ok)
            #expect(proof.durableThrough == 3)
            #expect(proof.root == device.frontier(through: 3).root)
            #expect(proof.isSealed)
            #expect(try again.decoded(DurabilityProof.self) == proof)
        }
    }

    @Test("what is durable is signed with the server's key, for the owner alone, and nothing else is")
    func receipts() async throws {
        let server = try await TestServer()
        let device = device()
        let user = try await server.headers(.uploader(SampleDevice.owner))
        let auditor = try await server.headers(.auditor)
        let path = "/api/v1/partitions/\(device.partition.value)"

        try await server.run { client async throws in
            let nothing = try await client.get(path, as: user).decoded(DurabilityProof.self)
            let gap = try await client.upload(device.stretch(2...3), as: user).decoded(DurabilityProof.self)
            let now = server.clock.now().wall
            let part = try await client.upload(device.stretch(1...2), as: user).decoded(DurabilityProof.self)
            let whole = try await client.upload(device.stretch(3...3, seal: device.seal()), as: user)
                .decoded(DurabilityProof.self)
            let asked = try await client.get(path, as: user).decoded(DurabilityProof.self)
            let audited = try await client.get(path, as: auditor).decoded(DurabilityProof.self)

            #expect(nothing.receipt == nil)
            #expect(gap.receipt == nil)
            for (proof, count) in [(part, 2), (whole, 3), (asked, 3)] {
                let receipt = try #require(proof.receipt)
                try receipt.verifySignature()
                #expect(receipt.app == SampleDevice.owner.app)
                #expect(receipt.user == SampleDevice.owner.user)
                #expect(receipt.partition == device.partition)
                #expect(receipt.durableThrough == UInt64(count))
                #expect(receipt.root == device.frontier(through: count).root)
                #expect(receipt.isSealed == (count == 3))
                #expect(receipt.issued >= now)
                #expect(receipt.publicKey == server.key.publicKey)
            }
            #expect(audited == asked)
            #expect(audited.receipt == nil)
        }
    }

    @Test("anybody learns the key of the server")
    func serverKey() async throws {
        struct Key: Decodable {
            let algorithm: String
            let publicKey: String
            let earlierKeys: [String]
            let exportKey: String
        }
        let earlier = [UInt8](repeating: 7, count: 32)
        let server = try await TestServer(configuration: ServerConfiguration(earlierKeys: [earlier]))

        try await server.run { client async throws in
            let answer = try await client.get("/api/v1/key").decoded(Key.self)

            #expect(answer.algorithm == "Ed25519")
            #expect(answer.publicKey == Hexadecimal.text(server.key.publicKey))
            #expect(answer.earlierKeys == [Hexadecimal.text(earlier)])
            #expect(try answer.exportKey == Hexadecimal.text(#require(server.key.publicKeys.exports)))
            #expect(answer.exportKey != answer.publicKey)
        }
    }

    @Test("a client learns where to resume")
    func resuming() async throws {
        let server = try await TestServer()
        let device = device(5)
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            let path = "/api/v1/partitions/\(device.partition.value)"
            let before = try await client.get(path, as: user).decoded(DurabilityProof.self)
            _ = try await client.upload(device.stretch(1...2), as: user)
            let gap = try await client.upload(device.stretch(4...5), as: user).decoded(DurabilityProof.self)
            let after = try await client.get(path, as: user).decoded(DurabilityProof.self)

            #expect(before.durableThrough == 0)
            #expect(before.root == MerkleHash.empty)
            #expect(gap.durableThrough == 2)
            #expect(after == gap)
        }
    }

    @Test("a stretch that contradicts what is stored answers 409 with the code conflict")
    func conflict() async throws {
        let server = try await TestServer()
        let device = device()
        var other = SampleDevice()
        other.record(["another history", "2", "3"])
        let contradiction = other.stretch(1...3)
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            _ = try await client.upload(device.stretch(1...3), as: user)
            let response = try await client.upload(contradiction, as: user)

            #expect(response.status == .conflict)
            #expect(response.code == "conflict")
        }
    }

    @Test("another user's partition answers 403 to uploads, and questions as if it had never come")
    func foreignPartition() async throws {
        let server = try await TestServer()
        let device = device()
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        let stranger = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "bb")))

        try await server.run { client in
            _ = try await client.upload(device.stretch(1...2), as: owner)
            let upload = try await client.upload(device.stretch(1...3), as: stranger)
            let question = try await client.get("/api/v1/partitions/\(device.partition.value)", as: stranger)

            #expect(upload.status == .forbidden)
            #expect(upload.code == "forbidden")
            #expect(try question.decoded(DurabilityProof.self).durableThrough == 0)
            #expect(try question.decoded(DurabilityProof.self).root == MerkleHash.empty)
        }
    }

    @Test("an auditor cannot upload, and a user cannot read")
    func roles() async throws {
        let server = try await TestServer()
        let device = device()
        let auditor = try await server.headers(.auditor)
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client async throws in
            #expect(try await client.upload(device.stretch(1...3), as: auditor).status == .forbidden)
            let paths = ["events", "partitions", "schema", "partitions/\(device.partition.value)/leaves"]
            for path in paths {
                #expect(try await client.get("/api/v1/\(path)", as: user).status == .forbidden, "\(path)")
            }
        }
    }

    @Test("a missing, damaged, wrong or expired token answers 401")
    func tokens() async throws {
        let server = try await TestServer()
        let device = device()
        let valid = try await server.headers(.uploader(SampleDevice.owner))
        let refresh = try await server.headers(.uploader(SampleDevice.owner), for: .refresh)
        let foreign = try await TestServer().headers(.uploader(SampleDevice.owner))
        let unsigned: HTTPFields = [.authorization: "Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoiYXVkaXRvciJ9."]

        try await server.run { client in
            for headers in [
                [:], [.authorization: "Basic abc"], [.authorization: "Bearer x"], refresh, foreign, unsigned,
            ] {
                let response = try await client.upload(device.stretch(1...3), as: headers)
                #expect(response.status == .unauthorized)
                #expect(response.code == "unauthorized")
            }
            #expect(try await client.upload(device.stretch(1...1), as: valid).status == .ok)
            server.clock.advance(microseconds: Int64(TokenIssuer.accessSeconds) * 1_000_000)
            #expect(try await client.upload(device.stretch(1...1), as: valid).status == .unauthorized)
        }
    }

    @Test("a body that is no stretch, of another partition or another type answers 400")
    func malformed() async throws {
        let server = try await TestServer()
        let device = device()
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            var typed = user
            typed[.contentType] = PartitionStretch.mediaType
            let path = "/api/v1/partitions/\(device.partition.value)/events"
            for body in ["", "DBS1", "DBS2abc", String(repeating: "x", count: 500)] {
                let response = try await client.post(path, body, as: typed)
                #expect(response.status == .badRequest)
                #expect(response.code == "rejected")
            }
            let untyped = try await client.post(path, "x", as: user)
            #expect(untyped.status == .badRequest)
            let elsewhere = try await client.upload(device.stretch(1...3), to: SampleDevice(9).partition, as: user)
            #expect(elsewhere.status == .badRequest)
            #expect(try await client.post("/api/v1/partitions/none/events", "x", as: typed).status == .badRequest)
        }
    }

    @Test("a seal with a wrong signature answers 400 and stores nothing")
    func forgedSeal() async throws {
        let server = try await TestServer()
        let device = device()
        let seal = try device.seal()
        let forged = PartitionSeal(
            partition: seal.partition,
            count: seal.count,
            root: seal.root,
            first: seal.first,
            last: seal.last,
            previousRoot: seal.previousRoot,
            losses: [LossEntry(reason: .quota, count: 1, noticed: EventInstant(microseconds: 1))],
            publicKey: seal.publicKey,
            signature: seal.signature
        )
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            let response = try await client.upload(device.stretch(1...3, seal: forged), as: user)

            #expect(response.status == .badRequest)
            #expect(try await server.store.partition(device.partition) == nil)
        }
    }

    @Test("a body above the limit answers 413 with the code tooLarge")
    func tooLarge() async throws {
        let server = try await TestServer()
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            var headers = user
            headers[.contentType] = PartitionStretch.mediaType
            let response = try await client.execute(
                uri: "/api/v1/partitions/\(SampleDevice().partition.value)/events",
                method: .post,
                headers: headers,
                body: ByteBuffer(repeating: 0, count: EventUpload.maximumBytes + 1)
            )

            #expect(response.status == .contentTooLarge)
            #expect(response.code == "tooLarge")
        }
    }

    @Test("an unknown metadata column answers 422 when Development Mode is off")
    func schema() async throws {
        let server = try await TestServer(
            configuration: ServerConfiguration(
                isDevelopmentMode: false,
                apps: ["ward-app": AppSettings(metadataColumns: [])]
            )
        )
        var device = SampleDevice()
        device.record(device.event("a", metadata: try EventMetadata(["shift": "early"])))
        let stretch = device.stretch(1...1)
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            let response = try await client.upload(stretch, as: user)

            #expect(response.status == .unprocessableContent)
            #expect(response.code == "invalidSchemaChange")
            #expect(try await server.store.partition(stretch.partition) == nil)
        }
    }

    @Test("a store that fails answers 503 and says when to come again")
    func unavailable() async throws {
        let server = try await TestServer(store: FailingEventStore(.unavailable(reason: "the disk is full")))
        let device = device()
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            let response = try await client.upload(device.stretch(1...3), as: user)

            #expect(response.status == .serviceUnavailable)
            #expect(response.code == "unavailable")
            #expect(response.headers[.retryAfter] == "5")
            #expect(try await client.get("/ready").status == .serviceUnavailable)
            #expect(try await client.get("/health").status == .ok)
        }
    }
}
