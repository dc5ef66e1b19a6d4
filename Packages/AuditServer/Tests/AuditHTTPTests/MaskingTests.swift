import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditAdmission
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import AuditVerifying
@testable import SQLiteStore

@Suite("Masked values over HTTP")
struct MaskingTests {
    /// A text that stands wherever a value is masked, and nowhere else.
    private static let secret = "Zq7secret9"

    private static let configuration: ServerConfiguration = {
        var limits = ServerLimits()
        limits.requests = .init(perMinute: 1_000_000, burst: 1_000_000)
        let fields = [
            "Patient.ssn", "Patient.name", "Patient.address.street", "Note.text", "metadata:userId",
            "event:button/label",
            "activity:Sign in/*",
        ]
        let mask = EventMask(fields.compactMap { try? MaskedField($0) })
        // What an object is called has masked values in it, and values inside it that are.
        let patient = try? LabelTemplate("{name} {ssn} {address.town}")
        let note = try? LabelTemplate("{text}")
        let labels = ClassLabels(
            Dictionary(
                uniqueKeysWithValues: zip(
                    [ExactText("Patient"), ExactText("Note")],
                    [patient, note].compactMap(\.self)
                )
            )
        )
        return ServerConfiguration(
            apps: ["ward-app": AppSettings(mask: mask, labels: labels), "lab": AppSettings()],
            limits: limits
        )
    }()

    /// A device whose events hold the secret in every place that is masked.
    private static func device() throws -> SampleDevice {
        var device = SampleDevice()
        let metadata = try EventMetadata(["userId": secret, "ward": "7"])
        let patient = """
            {"_id":"p1","ssn":"\(secret)","name":"Anna \(secret)","address":{"street":"\(secret)","town":"Bonn"},\
            "friends":[{"_id":"\(secret)-key-of-a-masked-name","name":{"_id":"\(secret)"}}]}
            """
            .replacing("\(secret)-key-of-a-masked-name", with: "p9")
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[\#(patient)]}"#, metadata: metadata))
        let change = """
            {"Patient":{"deletions":[\(patient)],"insertions":[\(patient)],"modifications":\
            [{"newValue":{"ssn":"\(secret)"},"oldValue":\(patient)}]},"Note":{"insertions":[{"_id":"n1","text":"\(secret)"}]}}
            """
        device.record(device.event("Rounds", event: "write", data: change, metadata: metadata))
        device.record(
            device.event("Rounds", event: "button", data: #"{"label":"\#(secret)","place":3}"#, metadata: metadata)
        )
        device.record(device.event("Sign in", event: nil, data: "with \(secret)", metadata: metadata))
        device.record(device.event("Rounds", data: "damaged {\(secret)", metadata: metadata))
        device.record(device.event("Rounds", data: #"{"type":"Visit","value":[{"patient":\#(patient)}]}"#))
        device.record(device.event("Plain", data: #"{"type":"Patient","value":[{"_id":"p2","age":40}]}"#))
        return device
    }

    private static func server(
        _ configuration: ServerConfiguration = configuration
    ) async throws -> (TestServer, SampleDevice) {
        let server = try await TestServer(configuration: configuration, index: SearchIndex())
        let device = try device()
        _ = try await server.store.accept(device.upload(1...7, seal: device.seal()))
        return (server, device)
    }

    private static func holdsSecret(_ response: TestResponse) -> Bool {
        let text = String(buffer: response.body)
        let escaped = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        let (plain, hex) = (secret, Hexadecimal.text(Array(secret.utf8)))
        let base64 = Data(secret.utf8).base64EncodedString().prefix(12)
        return [text, escaped.map { "\($0)" } ?? ""]
            .contains { $0.contains(plain) || $0.contains(hex) || $0.contains(base64) }
    }

    @Test("no route that reads tells anybody a masked value, in any form")
    func everyRoute() async throws {
        let (server, device) = try await Self.server()
        let askers = [try await server.headers(.reviewer), try await server.headers(.auditor(apps: ["ward-app"]))]
        let routes = try EveryRoute(server, device)

        try await server.run { client in
            let leaking = try await routes.ask(client, as: askers, where: Self.holdsSecret)
            #expect(leaking == [])
        }
    }

    private struct Answer: Decodable {
        struct Line: Decodable {
            let sequence: UInt64
            let changed: Bool
            let masked: Bool
            let objects: [EventObject]
        }
        let events: [Line]
    }

    private struct News: Decodable {
        let events: [Answer.Line]
    }

    @Test("no search, listing, count or suggestion finds an event by a masked value, and by all else they do")
    func oracles() async throws {
        let (server, _) = try await Self.server()
        let reviewer = try await server.headers(.reviewer)
        let found = [
            "text=Zq7": 0, "text=\(Self.secret)": 0, "person=\(Self.secret)": 0, "key=\(Self.secret)": 0,
            "class=Patient&key=\(Self.secret)": 0, "text=bonn": 3, "key=p1": 3, "class=Patient": 3, "key=p9": 3,
            "metadata.ward=7": 5, "person=0000000000000000000000aa": 7, "activity=Rounds": 5, "key=n1": 1,
        ]

        try await server.run { client in
            let start = try await server.cursorAtStart(of: "search/new")
            for (query, count) in found {
                let search = try await client.get("/api/v1/search?\(query)", as: reviewer).decoded(Answer.self)
                #expect(search.events.count == count, "\(query)")
                let listed = try await client.get("/api/v1/events?\(query)", as: reviewer).lines(EventLine.self)
                #expect(listed.filter { $0.details.app == "ward-app" }.count == count, "\(query)")
                let news = try await client.get("/api/v1/search/new?last=\(start)&\(query)", as: reviewer)
                    .decoded(News.self)
                #expect(news.events.count == count, "\(query)")
                if query.hasPrefix("text") { continue }
                let volume = try await client.get("/api/v1/search/volume?\(query)", as: reviewer)
                    .decoded(SearchVolume.self)
                #expect(volume.counts.reduce(0, +) == count, "\(query)")
            }
            for path in ["search", "events", "search/volume", "search/new"] {
                for filter in ["metadata.userId=x", "app=ward-app&metadata.userId=x"] {
                    let refused = try await client.get("/api/v1/\(path)?\(filter)", as: reviewer)
                    #expect(refused.status == .badRequest, "\(path)")
                    #expect(try refused.decoded(Refusal.self).message.contains("'userId' is masked in 'ward-app'"))
                }
                let other = try await client.get("/api/v1/\(path)?app=lab&metadata.userId=x", as: reviewer)
                #expect(other.status == .ok, "\(path)")
            }
        }
    }

    @Test("events with masked values say so, are not taken for changed ones, and others are shown whole")
    func marks() async throws {
        let (server, device) = try await Self.server()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let found = try await client.get("/api/v1/search?order=oldest", as: auditor).decoded(Answer.self)
            #expect(found.events.map(\.masked) == [true, true, true, true, true, true, false])
            #expect(found.events.allSatisfy { !$0.changed })
            #expect(found.events.first?.objects.map(\.key) == ["p1", "p9"])
            let listed = try await client.get("/api/v1/events?app=ward-app", as: auditor).lines(EventLine.self)
            #expect(listed.map(\.details.masked) == found.events.map(\.masked))
            #expect(listed.first?.metadata == ["userId": "$masked", "ward": "7"])
            #expect(listed.last?.data == device.events[6].dataText)
        }
    }

    private struct Detail: Decodable {
        struct Position: Decodable {
            let sequence: UInt64
            let leafHash: Digest
            let inclusion: InclusionProof
            let root: Digest
            let seal: PartitionSeal?
        }
        let event: EventLine
        let proof: EventProof?
        let position: Position?
        let leafHash: Digest?
    }

    @Test("the place of a masked event is proven, and a verifier checks the tree over all of them")
    func proof() async throws {
        let (server, device) = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let path = "/api/v1/partitions/\(device.partition.value)"

        try await server.run { client in
            let detail = try await client.get("\(path)/events/2", as: auditor).decoded(Detail.self)
            let position = try #require(detail.position)
            #expect(detail.proof == nil)
            #expect(position.leafHash == detail.leafHash)
            #expect(position.leafHash == MerkleHash.leaf(device.events[1].encoded))
            #expect(position.inclusion.verify(leaf: position.leafHash, root: position.root))
            #expect(position.seal?.root == position.root)
            let whole = try await client.get("\(path)/events/7", as: auditor).decoded(Detail.self)
            #expect(whole.position == nil)
            try #require(whole.proof).verify(publicKey: device.key.publicKey)

            var audit = PartitionAudit(partition: device.partition)
            for leaf in try await client.get("\(path)/leaves", as: auditor).lines(StoredLeaf.self) { audit.add(leaf) }
            audit.finish(count: 7, root: device.frontier(through: 7).root, seal: position.seal)
            #expect(audit.problems == [])
            #expect(audit.maskedCount == 6)
        }
    }

    @Test("an index that was made with other masks is made anew")
    func index() async throws {
        let folder = try TestFolder.made()
        let (server, _) = try await Self.server()
        let filter = EventFilter(person: Self.secret)
        let range = SearchRange()
        var plain = Self.configuration
        plain.apps["ward-app"] = AppSettings()

        for (configuration, count) in [(plain, 5), (Self.configuration, 0), (Self.configuration, 0), (plain, 5)] {
            let index = try SearchIndex(path: folder.file("search"))
            try index.show(by: configuration.masks, configuration.labels)
            let store = MaskedEvents(server.store, configuration.masks)
            try await index.refresh(from: store)
            let page = try await index.search(filter, range, in: store, clock: server.clock)
            let volume = try await index.volume(of: filter, bars: 2, clock: server.clock)
            let values = try await index.values(.metadata, limit: 100).map(\.value)
            #expect(page.hits.count == count)
            #expect(volume.counts.reduce(0, +) == Int64(count))
            #expect(values.contains { $0.contains(Self.secret) } == (count > 0))
        }
    }
}
