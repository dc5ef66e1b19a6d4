import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("The log of sealed partitions over HTTP")
struct LogRoutesTests {
    private struct Inclusion: Decodable {
        let entry: PartitionLogEntry
        let proof: InclusionProof
    }

    private struct Device: Decodable {
        let user: String
        let publicKey: String
        let partitions: Int
        let firstEntry: Int
        let replaced: String?
    }

    /// A server that has sealed some partitions, each after the other.
    private func server(_ count: UInt32) async throws -> (TestServer, [SampleDevice]) {
        let server = try await TestServer()
        var devices: [SampleDevice] = []
        for number in 1...count {
            var device = SampleDevice(number)
            device.record(["a", "b"])
            _ = try await server.store.accept(device.upload(1...2, seal: device.seal()))
            devices.append(device)
        }
        return (server, devices)
    }

    @Test("the head is signed, and every partition and every earlier head can be proven against it")
    func proofs() async throws {
        let (server, devices) = try await server(5)
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client async throws in
            let head = try await client.get("/api/v1/log/head", as: user).decoded(TreeHead.self)
            try head.verifySignature()
            #expect(head.size == 5)
            #expect(head.publicKey == server.key.publicKey)
            for (index, device) in devices.enumerated() {
                let found = try await client.get("/api/v1/log/inclusion?partition=\(device.partition)", as: user)
                    .decoded(Inclusion.self)
                #expect(found.entry.index == UInt64(index))
                #expect(found.proof.verify(leaf: found.entry.leaf, root: head.root))
            }
            var tree = MerkleTree()
            for entry in try await server.store.logEntries(from: 0, limit: 10) {
                tree.append(entry.leaf)
                let path = "/api/v1/log/consistency?from=\(tree.count)&to=5"
                let proof = try await client.get(path, as: user).decoded(ConsistencyProof.self)
                #expect(proof.verify(firstRoot: tree.root, secondRoot: head.root))
            }
            let early = try await client.get("/api/v1/log/inclusion?partition=\(devices[1].partition)&size=2", as: user)
                .decoded(Inclusion.self)
            #expect(early.proof.verify(leaf: early.entry.leaf, root: tree.root(at: 2)))
        }
    }

    @Test("auditors read the entries and the devices' keys in pages")
    func listing() async throws {
        let (server, devices) = try await server(3)
        let auditor = try await server.headers(.auditor)

        try await server.run { client async throws in
            let first = try await client.get("/api/v1/log/entries?limit=2", as: auditor)
            let entries: [PartitionLogEntry] = try first.lines()
            #expect(entries.map(\.partition) == devices.prefix(2).map(\.partition))
            #expect(first.nextCursor == "2")
            let rest = try await client.get("/api/v1/log/entries?after=2&limit=2", as: auditor)
            #expect(try rest.lines(PartitionLogEntry.self).map(\.index) == [2])
            #expect(rest.nextCursor == nil)
            let keys: [Device] = try await client.get("/api/v1/devices?limit=3", as: auditor).lines()
            #expect(keys.map(\.publicKey) == devices.map { Hexadecimal.text($0.key.publicKey) })
            #expect(keys.map(\.partitions) == [1, 1, 1])
            #expect(keys.map(\.replaced) == [nil, nil, nil])
            let page = try await client.get("/api/v1/devices?limit=2", as: auditor)
            let cursor = try #require(page.nextCursor)
            let last: [Device] = try await client.get("/api/v1/devices?after=\(cursor)", as: auditor).lines()
            #expect(last.map(\.firstEntry) == [2])
            #expect(try await client.get("/api/v1/devices?after=2", as: auditor).status == .badRequest)
        }
    }

    @Test("users see no entries, no keys and no partition of another user")
    func roles() async throws {
        let (server, devices) = try await server(1)
        let stranger = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "bb")))
        let administrator = try await server.headers(.administrator)
        let inclusion = "log/inclusion?partition=\(devices[0].partition)"

        try await server.run { client async throws in
            for headers in [stranger, administrator] {
                for path in ["log/entries", "devices"] {
                    #expect(try await client.get("/api/v1/\(path)", as: headers).status == .forbidden, "\(path)")
                }
                #expect(try await client.get("/api/v1/\(inclusion)", as: headers).status != .ok)
                #expect(try await client.get("/api/v1/log/head", as: headers).status == .ok)
            }
            for path in ["log/head", "log/entries", "log/consistency", "devices", inclusion] {
                #expect(try await client.get("/api/v1/\(path)").status == .unauthorized, "\(path)")
            }
        }
    }

    @Test(
        "whom apps or rules bound gets hashes in the place of other entries, with which the tree verifies, and no devices of them"
    )
    func withheld() async throws {
        let hidden = AppSettings(partitionRules: PartitionRules(auditorRead: [try PrefixPattern("open")]))
        let server = try await TestServer(configuration: ServerConfiguration(apps: ["lab": hidden]))
        let owners = ["ward-app", "lab", "lab"].map { EventOwner(app: $0, user: SampleDevice.owner.user) }
        for (number, (owner, prefix)) in zip(owners, ["ward", "open", "closed"]).enumerated() {
            var device = SampleDevice(UInt32(number + 1), prefix: prefix)
            device.record(["a"])
            _ = try await server.store.accept(device.upload(1...1, owner: owner, seal: device.seal(of: owner)))
        }
        let expectations: [(Identity, entries: [UInt64], devices: [Int])] = [
            (.auditor, [0, 1], [0]), (.auditor(apps: ["ward-app"]), [0], [0]), (.auditor(apps: ["lab"]), [1], []),
            (.auditor(apps: ["other"]), [], []),
        ]

        for (identity, entries, devices) in expectations {
            let auditor = try await server.headers(identity)
            try await server.run { client async throws in
                let head = try await client.get("/api/v1/log/head", as: auditor).decoded(TreeHead.self)
                let response = try await client.get("/api/v1/log/entries", as: auditor)
                let lines: [LogLine] = try response.lines()
                var audit = LogAudit(head: head)
                for line in lines { audit.add(line) }
                audit.finish(partitions: [])
                let shown: [UInt64] = lines.compactMap { if case .entry(let entry) = $0 { entry.index } else { nil } }
                #expect(shown == entries)
                #expect(audit.problems == [])
                #expect(audit.remarks.count == 1)
                #expect(!String(decoding: response.body.readableBytesView, as: UTF8.self).contains("closed"))
                let keys: [Device] = try await client.get("/api/v1/devices", as: auditor).lines()
                #expect(keys.map(\.firstEntry) == devices)
                let values = try await client.get("/api/v1/search/values?of=partition", as: auditor)
                #expect(values.status != .ok)
            }
        }
    }

    @Test("a size that the log never had, and a partition that is not in it, are refused with a sentence")
    func refusals() async throws {
        let (server, devices) = try await server(2)
        let auditor = try await server.headers(.auditor)
        let open = SampleDevice(9).partition

        try await server.run { client async throws in
            for path in [
                "consistency?from=2&to=1", "consistency?from=0&to=3", "consistency?from=-1", "consistency?to=x",
                "inclusion", "inclusion?partition=x", "inclusion?partition=\(open)",
                "inclusion?partition=\(devices[1].partition)&size=1",
                "inclusion?partition=\(devices[1].partition)&size=3",
                "entries?limit=0", "entries?after=x",
            ] {
                let response = try await client.get("/api/v1/log/\(path)", as: auditor)
                #expect(response.status == .badRequest, "\(path)")
                #expect(response.code == "rejected", "\(path)")
            }
        }
    }
}
