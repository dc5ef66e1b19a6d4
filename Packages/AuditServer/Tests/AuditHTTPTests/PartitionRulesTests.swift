import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Partition rules")
struct PartitionRulesTests {
    private let nurse = SampleDevice.owner

    private func device(_ prefix: String, _ number: UInt32 = 1) -> SampleDevice {
        var device = SampleDevice(number, prefix: prefix)
        device.record(["a"])
        return device
    }

    private func server(_ rules: PartitionRules) async throws -> TestServer {
        let ward = AppSettings(metadataColumns: [], partitionRules: rules)
        return try await TestServer(
            configuration: ServerConfiguration(isDevelopmentMode: false, apps: ["ward-app": ward])
        )
    }

    @Test(
        "a pattern of prefixes stands for itself, for any text, and for the user's id",
        arguments: [
            ("ward", "ward", true), ("ward", "ward5", false), ("ward", "war", false), ("*", "", true),
            ("*", "anything", true), ("ward-*", "ward-", true), ("ward-*", "ward-5", true), ("ward-*", "lab-5", false),
            ("*-ward", "a-ward", true), ("*-ward", "ward", false), ("a*b*c", "abc", true), ("a*b*c", "axbxbxc", true),
            ("a*b*c", "acb", false), ("a*a", "a", false), ("a*a", "aa", true), ("**", "x", true),
            ("%%user.id", "u*1", true), ("%%user.id", "u21", false), ("w-%%user.id", "w-u*1", true),
            ("w-%%user.id-*", "w-u*1-x", true), ("%%user.id%%user.id", "u*1u*1", true), ("%%user.id", "", false),
        ]
    )
    func patterns(pattern: String, prefix: String, isFit: Bool) async throws {
        let rules = PartitionRules(userWrite: [try PrefixPattern(pattern)])
        let server = try await server(rules)
        let user = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "u*1")))
        guard !prefix.isEmpty else { return }
        let stretch = device(prefix).stretch(1...1)

        try await server.run { client in
            let encoded = "\(prefix.replacing("*", with: "%2A"))-\(stretch.partition.id)"
            var headers = user
            headers[.contentType] = PartitionStretch.mediaType
            let response = try await client.execute(
                uri: "/api/v1/partitions/\(encoded)/events",
                method: .post,
                headers: headers,
                body: .init(bytes: try stretch.wireBytes())
            )

            #expect(response.status == (isFit ? .ok : .forbidden))
            #expect(try await (server.store.partition(stretch.partition) != nil) == isFit)
        }
    }

    @Test(
        "a pattern that is empty, too long or has another placeholder is refused",
        arguments: [
            "", String(repeating: "a", count: 257), "%%user.name", "%%", "a-%%partition",
        ]
    )
    func malformed(text: String) {
        #expect(throws: AuditServerError.self) { try PrefixPattern(text) }
    }

    @Test("writing, asking and auditing have rules of their own, and no rule opens another user's partition")
    func separateRules() async throws {
        let server = try await server(
            PartitionRules(
                userWrite: [try PrefixPattern("open"), try PrefixPattern("silent"), try PrefixPattern("private")],
                userRead: [try PrefixPattern("open"), try PrefixPattern("private")],
                auditorRead: [try PrefixPattern("open"), try PrefixPattern("silent")]
            )
        )
        let devices = ["open", "silent", "private"].enumerated().map { device($1, UInt32($0 + 1)) }
        let user = try await server.headers(.uploader(nurse))
        let other = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "bb")))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            for device in devices { #expect(try await client.upload(device.stretch(1...1), as: user).status == .ok) }
            let paths = devices.map { "/api/v1/partitions/\($0.partition)" }
            var found: [HTTPResponse.Status] = []
            for path in paths { found.append(try await client.get(path, as: user).status) }
            #expect(found == [.ok, .forbidden, .ok])
            for device in devices {
                let response = try await client.upload(device.stretch(1...1), as: other)
                #expect(response.status == .forbidden)
            }
            var audited: [UInt64] = []
            for path in paths {
                audited.append(try await client.get(path, as: auditor).decoded(DurabilityProof.self).durableThrough)
            }
            #expect(audited == [1, 1, 0])
            let events = try await client.get("/api/v1/events", as: auditor).lines(EventLine.self)
            #expect(events.map(\.partition) == devices.prefix(2).map(\.partition.value))
            let partitions = try await client.get("/api/v1/partitions", as: auditor).decoded([PartitionRecord].self)
            // The listing of events before was recorded in a partition of the server's own.
            let uploaded = partitions.filter { $0.app == "ward-app" }
            #expect(uploaded.map(\.partition) == devices.prefix(2).map(\.partition))
            #expect(try await client.get("\(paths[2])/leaves", as: auditor).lines(StoredLeaf.self) == [])
        }
    }

    @Test("a refusal by a rule and one because of another owner have the same words")
    func sameWords() async throws {
        let server = try await server(PartitionRules(userWrite: [try PrefixPattern("open")]))
        let (foreign, ruled) = (device("open", 1), device("closed", 2))
        let user = try await server.headers(.uploader(nurse))
        let other = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "bb")))

        try await server.run { client in
            #expect(try await client.upload(foreign.stretch(1...1), as: user).status == .ok)
            let one = try await client.upload(foreign.stretch(1...1), as: other)
            let two = try await client.upload(ruled.stretch(1...1), as: other)

            #expect(one.status == .forbidden)
            #expect(two.status == one.status)
            #expect(two.body == one.body)
        }
    }

    @Test("pages of partitions that a bounded auditor gets are full, whatever lies between")
    func pages() async throws {
        let server = try await TestServer()
        for number in UInt32(1)...9 {
            let app = number.isMultiple(of: 3) ? "lab" : "ward-app"
            _ = try await server.store.accept(
                device("ward", number).upload(1...1, owner: EventOwner(app: app, user: "1"))
            )
        }
        let auditor = try await server.headers(.auditor(apps: ["ward-app"]))

        try await server.run { client in
            var found: [[UInt32]] = []
            var next = ""
            repeat {
                let response = try await client.get("/api/v1/partitions?limit=4\(next)", as: auditor)
                found.append(try response.decoded([PartitionRecord].self).map(\.partition.id.low))
                let name = try #require(HTTPField.Name(AuditService.nextCursorHeader))
                next = response.headers[name].map { "&after=\($0)" } ?? ""
            } while !next.isEmpty

            #expect(found.filter { !$0.isEmpty } == [[1, 2, 4, 5], [7, 8]])
        }
    }
}
