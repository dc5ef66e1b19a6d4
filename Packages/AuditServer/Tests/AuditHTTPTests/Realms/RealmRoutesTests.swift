import AuditAccounts
import AuditAdmission
import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import SyncServer

@Suite("Routes of the realms that devices share")
struct RealmRoutesTests {
    private static let person = ObjectAddress.sample()
    private static let nurse = Identity.uploader(EventOwner(app: "ward-app", user: "nurse"))
    private static let doctor = Identity.uploader(EventOwner(app: "ward-app", user: "doctor"))

    @Test("a file gets a number and a salt, is known again, and the schema is asked for once")
    func binding() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            let first = try await device.bind(nil)
            let second = try await device.bind()
            let third = try await device.bind(nil)

            #expect(first.binding.file == 1)
            #expect(first.binding.salt.count == BoundFile.saltBytes)
            #expect(second.binding == first.binding)
            #expect([first.needsSchema, second.needsSchema, third.needsSchema] == [true, false, false])
            #expect(first.mayWrite)
            #expect(first.serverMilliseconds == server.clock.now().wall.microseconds / 1000)
        }
    }

    @Test("what one device sends another one reads, and who waits is woken")
    func twoDevices() async throws {
        let server = try await TestServer()
        let headers = [try await server.headers(Self.nurse), try await server.headers(Self.doctor)]
        try await server.run { client in
            var (nurse, doctor) = (
                try SharingDevice(client, as: headers[0]), try SharingDevice(client, as: headers[1])
            )
            try await nurse.bind()
            try await doctor.bind()
            let waiting = doctor
            async let woken = waiting.entries(after: 0, wait: 50)

            let answer = try await nurse.send(Self.person.create(["name": .string("Ada")]))

            #expect(answer == SendAnswer(acknowledged: 1, head: 1))
            let entry = try #require(try await woken.first)
            #expect(entry.literals.map(\.object) == [Self.person])
            #expect(try await doctor.entries(after: 0) == [entry])
            #expect(try await doctor.entries(after: 1) == [])
        }
    }

    @Test("a change that is sent twice is taken once")
    func repeated() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            let batch = try device.batch([Self.person.create()])

            for _ in 1...2 {
                let response = try await device.post("changes", batch)
                #expect(
                    try SendAnswer(bytes: Array(response.body.readableBytesView))
                        == SendAnswer(acknowledged: 1, head: 1)
                )
            }
            #expect(try await device.entries(after: 0).count == 1)
        }
    }

    @Test("what the schema of the app does not have is refused, and the rest of the change stands")
    func schemaOfOperations() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            try await device.send(
                Self.person.create(),
                Self.person.set("shoeSize", .int(9)),
                Self.person.set("name", "A")
            )

            let entry = try #require(try await device.entries(after: 0).first)

            #expect(entry.refusals.map(\.reason) == [.schema])
            #expect(entry.literals.count == 2)
        }
    }

    @Test("objects come in pages with a cursor, and nothing else is one")
    func objects() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            let long = String(repeating: "a", count: 3000)
            for key in 1...5 as ClosedRange<Int64> {
                try await device.send(ObjectAddress.sample(key).create(["name": .string(ExactText(long))]))
            }

            var (found, query): ([ObjectAddress], String) = ([], "")
            repeat {
                let response = try await device.objectsResponse("&bytes=4096" + query)
                try #require(response.status == .ok)
                let page = try SnapshotPage(bytes: Array(response.body.readableBytesView))
                found += page.objects.map(\.object)
                query = page.next.map { "&after=\($0.text)" } ?? ""
            } while !query.isEmpty

            #expect(found == (1...5).map { ObjectAddress.sample($0) })
            #expect(try await device.objectsResponse("&after=%20").status == .badRequest)
            #expect(try await device.objectsResponse("&after=AAAA").status == .badRequest)
        }
    }

    @Test("what was taken and sent is counted")
    func metrics() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        let supervisor = try await server.headers(.administrator)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            try await device.send(Self.person.create())
            _ = try await device.entries(after: 0)
            _ = try await device.objectsResponse()

            let text = String(buffer: try await client.get("/api/v1/metrics", as: supervisor).body)

            #expect(text.contains("\ndaybook_realm_changes_total 1\n"))
            #expect(text.contains("\ndaybook_realm_entries_sent_total 1\n"))
            #expect(text.contains("\ndaybook_realm_objects_sent_total 1\n"))
        }
    }
}

// MARK: - Rights

extension RealmRoutesTests {
    @Test("who may write what is said for each app; outside of development nobody shares anything by default")
    func rules() async throws {
        var settings = AppSettings()
        let nobody = AuditHTTP.ServerConfiguration(isDevelopmentMode: false, apps: ["ward-app": settings])
        settings.isDevelopmentMode = true
        settings.realmRules = RealmRules(
            userWrite: [try PrefixPattern("own-%%user.id")],
            userRead: [try PrefixPattern("ward-*")]
        )
        let some = AuditHTTP.ServerConfiguration(isDevelopmentMode: false, apps: ["ward-app": settings])
        let server = try await TestServer(configuration: nobody)
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            let device = try SharingDevice(client, as: headers)
            let response = try await device.post("bind", device.request().encoded)

            #expect(response.status == .forbidden)
            #expect(response.code == "forbidden")
        }
        try await server.with(some)
            .run { client in
                var own = try SharingDevice(client, "s_own-nurse", as: headers)
                var ward = try SharingDevice(client, "s_ward-3", as: headers)
                let foreign = try SharingDevice(client, "s_own-doctor", as: headers)

                #expect(try await own.bind().mayWrite)
                #expect(try await own.send(Self.person.create()).acknowledged == 1)
                #expect(try await !ward.bind().mayWrite)
                #expect(try await ward.post("changes", ward.batch([Self.person.create()])).status == .forbidden)
                #expect(try await ward.entries(after: 0) == [])
                #expect(try await foreign.post("bind", foreign.request().encoded).status == .forbidden)
            }
    }

    @Test("the same value in another app is another realm")
    func apps() async throws {
        let server = try await TestServer()
        let headers = [
            try await server.headers(Self.nurse),
            try await server.headers(.uploader(EventOwner(app: "lab-app", user: "nurse"))),
        ]
        try await server.run { client in
            var ward = try SharingDevice(client, as: headers[0])
            var lab = try SharingDevice(client, as: headers[1])
            try await ward.bind()
            try await ward.send(Self.person.create())
            try await lab.bind()

            #expect(try await lab.entries(after: 0) == [])
            lab.headers = ward.headers
            #expect(try await lab.entriesResponse(after: 0).code == "historyChanged")
        }
    }

    @Test("nobody sends as the file of somebody else, nor takes its place among the readers")
    func foreignFiles() async throws {
        let server = try await TestServer()
        let headers = [try await server.headers(Self.nurse), try await server.headers(Self.doctor)]
        try await server.run { client in
            var (nurse, thief) = (
                try SharingDevice(client, as: headers[0]), try SharingDevice(client, as: headers[1])
            )
            try await nurse.bind()
            try await thief.bind()
            var stolen = nurse
            stolen.headers = thief.headers
            let response = try await stolen.post("changes", stolen.batch([Self.person.create()]))
            #expect(response.status == .forbidden)
            #expect(try await stolen.post("bind", stolen.request().encoded).code == "forbidden")

            let waiting = stolen
            try await withThrowingTaskGroup(of: [Entry].self) { group in
                for _ in 1...2 { group.addTask { try await waiting.entries(after: 0, wait: 50) } }
                #expect(try await nurse.entries(after: 0) == [])
                try await nurse.send(Self.person.create())
                for try await entries in group { #expect(entries.count == 1) }
            }
        }
    }
}

// MARK: - Refusals

extension RealmRoutesTests {
    @Test("each refusal has a code and what a client needs beside it")
    func refusals() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            let early = device
            let first = try device.batch([Self.person.create()])
            let second = try device.batch([Self.person.delete()])

            let gap = try await device.post("changes", second)
            #expect(gap.status == .conflict)
            #expect(String(buffer: gap.body).contains(#""code":"gap","expected":1"#))
            #expect(try await device.post("changes", first).status == .ok)
            var other = early
            let same = try other.batch([Self.person.create(["name": "B"])])
            #expect(try await device.post("changes", same).code == "conflict")
            // It made nothing, and the server has a change of it.
            #expect(try await early.post("bind", early.request().encoded).code == "fileInUse")
            #expect(try await device.entriesResponse(after: 7).code == "historyChanged")
            #expect(try await device.entriesResponse(after: 0, wait: 0, "&bytes=1").status == .badRequest)
            #expect(try await device.entriesResponse(after: 0, wait: 51).status == .badRequest)
        }
    }

    @Test("a schema that contradicts the app's is refused with a sentence for each difference")
    func schemas() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        let other = SyncSchema([
            SyncSchema.Class("Person", key: "_id", properties: ["_id": SyncSchema.Property(.string)])
        ])
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            let response = try await device.post("bind", device.request(other).encoded)

            #expect(response.status == .unprocessableContent)
            #expect(
                String(buffer: response.body)
                    .contains(
                        #""differences":["The property Person._id is of type int, and not of type string."]"#
                    )
            )
            var forged = device.request()
            forged.schema = other.encoded
            #expect(try await device.post("bind", forged.encoded).status == .badRequest)
        }
    }

    @Test("another version, another type, and bytes that are no message are refused")
    func badInput() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            for bytes in [[], [1, 2, 3], Array("DAYBIND1".utf8), Array("DAYCHNG1".utf8)] as [[UInt8]] {
                #expect(try await device.post("bind", bytes).status == .badRequest)
                #expect(try await device.post("changes", bytes).status == .badRequest)
            }
            let large = [UInt8](repeating: 0, count: ChangeLimits.bindBytes + 1)
            #expect(try await device.post("bind", large).status == .contentTooLarge)
            let request = device.request().encoded
            device.headers[.contentType] = "application/json"
            #expect(try await device.post("bind", request).status == .badRequest)
            device.headers[.contentType] = SyncWire.mediaType
            device.headers[try #require(HTTPField.Name(SyncWire.versionHeader))] = "2"
            let response = try await device.post("bind", request)
            #expect(response.status == .upgradeRequired)
            #expect(String(buffer: response.body).contains(#""code":"unsupportedVersion""#))
        }
    }

    @Test("files count as what a user begins in a day")
    func quotas() async throws {
        var configuration = AuditHTTP.ServerConfiguration()
        configuration.quotas.userPartitionsPerDay = 2
        let server = try await TestServer(configuration: configuration)
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            for _ in 1...2 {
                var device = try SharingDevice(client, as: headers)
                try await device.bind()
            }
            let device = try SharingDevice(client, as: headers)
            let response = try await device.post("bind", device.request().encoded)

            #expect(response.status == .tooManyRequests)
            #expect(response.headers[.retryAfter] != nil)
        }
    }

    @Test("a server without realms says so")
    func noRealms() async throws {
        var server = try await TestServer()
        server.hasRealms = false
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            let device = try SharingDevice(client, as: headers)

            #expect(try await device.post("bind", device.request().encoded).status == .forbidden)
        }
    }

    @Test(
        "a partition value has one form in a path",
        arguments: [
            ("s_", true), ("s_ward-3", true), ("i_7", true), ("i_-7", true), ("i_07", false), ("i_", false),
            ("o_0123456789abcdef01234567", true), ("o_0123456789ABCDEF01234567", false), ("o_1", false),
            ("u_1b4e28ba-2fa1-11d2-883f-0016d3cca427", true), ("u_1B4E28BA-2fa1-11d2-883f-0016d3cca427", false),
            ("u_1b4e28ba2fa1-11d2-883f-0016d3cca427", false), ("x_1", false), ("s", false), ("", false),
        ]
    )
    func values(text: String, isValue: Bool) {
        #expect((RealmValue(typedText: text)?.typedText == text) == isValue)
    }

    @Test("a value of more bytes than one may have is none")
    func longValue() {
        #expect(RealmValue(typedText: "s_" + String(repeating: "a", count: RealmValue.maximumBytes)) != nil)
        #expect(RealmValue(typedText: "s_" + String(repeating: "a", count: RealmValue.maximumBytes + 1)) == nil)
    }

    @Test(
        "errors of the store have one answer each",
        arguments: [
            (SyncServerError.unknownRealm, "historyChanged"), (.unknownFile, "fileInUse"), (.foreignFile, "forbidden"),
            (.fileInUse, "fileInUse"), (.historyChanged, "historyChanged"), (.tooOld(floor: 7), "tooOld"),
            (.impossiblePosition(head: 1), "historyChanged"), (.empty, "rejected"), (.gap(expected: 2), "gap"),
            (.impossibleBase(change: 1), "conflict"), (.conflict(change: 1), "conflict"), (.forged, "conflict"),
            (.invalidSchemaChange(["No."]), "invalidSchemaChange"), (.busy(retryAfterSeconds: 3), "unavailable"),
            (.unavailable(reason: "x"), "unavailable"), (.entryTooLarge(change: 1, limit: 2), "tooLarge"),
        ]
    )
    func codes(error: SyncServerError, code: String) throws {
        let refusal = try #require(RealmRefusal(error))

        #expect(refusal.code == code)
        #expect((400...599).contains(try refusal.response().status.code))
        #expect((try refusal.response().headers[.retryAfter] != nil) == (code == "unavailable"))
    }
}
