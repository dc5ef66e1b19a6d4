import AuditAccounts
import AuditHTTP
import AuditModel
import Daybook
import SQLiteStore
import Testing

@MainActor
@Suite("Scenarios: events on the server", .serialized)
struct ServerScenarioTests {
    /// A server whose app has these settings; every other app is in Development Mode.
    private static func configuration(_ app: String, _ settings: AppSettings) -> ServerConfiguration {
        ServerConfiguration(apps: [app: settings], passwordCost: 10)
    }

    // MARK: - Arriving

    @Test("Scenario 62: a read arrives with its payload, activity, kind and time", .tags(.scenario62))
    func arrives() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            let realm = try device.open(user)
            try realm.realm.write { $0.add(Reading(value: ["_id": 1, "text": "120/80"])) }
            let before = SystemClock().now().wall

            let scope = realm.events.beginScope(activity: "round")
            #expect(realm.realm.object(ofType: Reading.self, forPrimaryKey: 1)?.text == "120/80")
            try await scope.commit()
            try await realm.uploader.waitForUploads()

            let stored = try await server.storedEvents()
            let event = try #require(stored.first?.event)
            #expect(stored.count == 1)
            #expect(event.activity == "round")
            #expect(event.event == "read")
            #expect(event.dataText == #"{"type":"Reading","value":[{"_id":1,"text":"120/80"}]}"#)
            #expect((before...SystemClock().now().wall).contains(event.timestamp))
            #expect(stored.first?.owner == EventOwner(app: "ward", user: user.id))
            let file = try #require(try device.eventFiles().first)
            var reader = try PartitionFileReader(file)
            #expect(try reader.next()?.event == event)
        }
    }

    @Test(
        "Scenario 63: events of a separate user arrive although the realm's own user has logged out",
        .tags(.scenario63)
    )
    func separateUser() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let app = device.app()
            let auth = app.emailPasswordAuth
            for name in ["nurse", "auditor"] {
                try await auth.registerUser(email: "\(name)@ward.example", password: "a long password")
            }
            let nurse = try await app.login(
                credentials: .emailPassword(email: "nurse@ward.example", password: "a long password")
            )
            let auditor = try await app.login(
                credentials: .emailPassword(email: "auditor@ward.example", password: "a long password")
            )

            let realm = try device.open(nurse) { $0.syncUser = auditor }
            try await nurse.logOut()
            try await realm.record("round")
            try await realm.uploader.waitForUploads()

            #expect(try await server.storedEvents().map(\.owner) == [EventOwner(app: "ward", user: auditor.id)])
        }
    }

    @Test(
        "Scenario 64: events of a user of another app arrive in that app, which alone has the collection",
        .tags(.scenario64)
    )
    func otherApp() async throws {
        let configuration = Self.configuration("ward", AppSettings(isDevelopmentMode: false))
        try await ServerUnderTest.run(configuration) { server in
            let device = DeviceUnderTest(server)
            let nurse = try await device.app("ward").login(credentials: .anonymous)
            let auditor = try await device.app("audit").login(credentials: .anonymous)

            let realm = try device.open(nurse) { $0.syncUser = auditor }
            try await realm.record("round")
            try await realm.uploader.waitForUploads()

            #expect(try await server.storedEvents().map(\.owner) == [EventOwner(app: "audit", user: auditor.id)])
            #expect(try await server.store.metadataColumns(of: "ward") == nil)
        }
    }

    @Test("Scenario 65: events have the metadata of their time and no other", .tags(.scenario65))
    func metadata() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let realm = try device.open(try await device.app().login(credentials: .anonymous))
            let metadata: [[String: String]] = [[:], ["nurse": "Anna"], ["ward": "7"], ["nurse": "Ben", "ward": "8"]]

            for (number, values) in metadata.enumerated() {
                realm.events.updateMetadata(values)
                try await realm.record("\(number)")
            }
            try await realm.uploader.waitForUploads()

            #expect(try await server.storedEvents().map { $0.event?.metadata.dictionary } == metadata)
            #expect(try await server.store.metadataColumns(of: "ward")?.sorted() == ["nurse", "ward"])
        }
    }

    // MARK: - Refusals

    /// Records one event for an app whose collection does not take it, and mends the collection.
    private func refused(_ settings: AppSettings, mending columns: [String], message: String) async throws {
        try await ServerUnderTest.run(Self.configuration("ward", settings)) { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            let realm = try device.open(user) { $0.metadata = ["shift": "night"] }

            // The event's own completion succeeds: it is on the disk.
            try await realm.record("round")
            await #expect(throws: SyncTransportError.self) { try await realm.uploader.waitForUploads() }

            let error = try #require(device.errors.ofUploads.first)
            guard case .partitionStopped(_, let cause) = error else {
                Issue.record("The error is \(error).")
                return
            }
            #expect(cause.code == .invalidSchemaChange)
            #expect(error.isFatal)
            #expect(error.description.contains(message))
            #expect(device.errors.count == 1)
            #expect(try await server.storedEvents().isEmpty)

            try await server.store.extendCollection(of: "ward", by: columns)
            try await realm.upload()
            #expect(try await server.activities() == ["round"])
        }
    }

    @Test(
        "Scenarios 66 and 95: a metadata key that the server lacks is a fatal error to the handler, and nothing is lost",
        .tags(.scenario66, .scenario95)
    )
    func unknownColumn() async throws {
        try await refused(
            AppSettings(isDevelopmentMode: false, metadataColumns: ["nurse"]),
            mending: ["shift"],
            message: "Invalid schema change: the collection has no column 'shift'"
        )
    }

    @Test(
        "Scenario 68: a server without AuditEvent is a fatal error to the handler, and nothing is lost",
        .tags(.scenario68)
    )
    func missingCollection() async throws {
        try await refused(
            AppSettings(isDevelopmentMode: false),
            mending: ["shift"],
            message: "Invalid schema change: the app has no collection 'AuditEvent'"
        )
    }

    @Test("Scenario 67: recording for a user who was removed fails and says so", .tags(.scenario67))
    func removedUser() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let app = device.app()
            let nurse = try await app.login(credentials: .anonymous)
            try await app.emailPasswordAuth.registerUser(email: "a@b.example", password: "a long password")
            let auditor = try await app.login(
                credentials: .emailPassword(email: "a@b.example", password: "a long password")
            )
            let realm = try device.open(nurse) { $0.syncUser = auditor }
            try await realm.record("before")
            try await realm.uploader.waitForUploads()

            try await auditor.remove()
            let error = await #expect(throws: (any Error).self) { try await realm.record("after") }

            #expect(error.map { "\($0)" }?.contains("was removed") == true)
            #expect(try await server.activities() == ["before"])
            #expect(realm.events.statistics.eventsFailed == 1)
        }
    }

    // MARK: - The server's own copy

    @Test(
        "Scenarios 69 and 70: what happens to events on the server never reaches the device, and recording goes on",
        .tags(.scenario69, .scenario70),
        arguments: ["DELETE FROM AuditEvent", "UPDATE AuditEvent SET data = 'changed' WHERE data IS NOT 'changed'"]
    )
    func tampering(sql: String) async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let realm = try device.open(try await device.app().login(credentials: .anonymous))

            for number in 1...10 {
                try await realm.record("\(number)")
                try await realm.uploader.waitForUploads()
                #expect(try await server.activities().last == "\(number)")
                try await server.tamper(sql)
            }

            #expect(device.errors.count == 0)
            #expect(realm.uploader.statistics.eventsUploaded == 10)
            var reader = try PartitionFileReader(try #require(try device.eventFiles().first))
            var own: [String] = []
            while let stored = try reader.next() { own.append(stored.event.activity) }
            #expect(own == (1...10).map { "\($0)" })
        }
    }

    // MARK: - Flexible sync

    @Test("Scenario 71: a realm of flexible sync without an event user is refused, and says why", .tags(.scenario71))
    func flexibleWithoutUser() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app("flexible").login(credentials: .anonymous)

            for eventUser in [nil, user] {
                let error = #expect(throws: (any Error).self) {
                    _ = try device.open(user, isFlexible: true) { $0.syncUser = eventUser }
                }
                #expect(error.map { "\($0)" }?.contains("partition-based") == true)
            }
            var configuration = user.flexibleSyncConfiguration()
            configuration.objectTypes = [Reading.self]
            #expect(try device.open(configuration).events == nil)
        }
    }

    // An app of flexible sync has no partitions; ours says so by a rule that lets nobody write any.
    @Test(
        "Scenario 72: an event user of an app without partitions is a fatal error to the handler, and the events are kept",
        .tags(.scenario72)
    )
    func flexibleEventUser() async throws {
        let configuration = Self.configuration("flexible", AppSettings(partitionRules: PartitionRules(userWrite: [])))
        try await ServerUnderTest.run(configuration) { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app("ward").login(credentials: .anonymous)
            let auditor = try await device.app("flexible").login(credentials: .anonymous)

            let realm = try device.open(user) { $0.syncUser = auditor }
            try await realm.record("round")
            await #expect(throws: SyncTransportError.uploadsBlocked(realm.destination.partitionsWritten)) {
                try await realm.uploader.waitForUploads()
            }

            let error = try #require(device.errors.ofUploads.first)
            #expect(error.isFatal)
            guard case .partitionStopped(_, let cause) = error else {
                Issue.record("The error is \(error).")
                return
            }
            #expect(cause.code == .forbidden)
            #expect(try await server.storedEvents().isEmpty)
            #expect(try realm.destination.files.partitions().map(\.count) == [1])
        }
    }

    @Test(
        "Scenario 73: events of a realm of flexible sync arrive in the partition-based app of their user",
        .tags(.scenario73)
    )
    func flexibleWithUser() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app("flexible").login(credentials: .anonymous)
            let auditor = try await device.app("audit").login(credentials: .anonymous)

            let realm = try device.open(user, isFlexible: true) { $0.syncUser = auditor }
            try await realm.record("round")
            try await realm.uploader.waitForUploads()

            #expect(try await server.storedEvents().map(\.owner) == [EventOwner(app: "audit", user: auditor.id)])
        }
    }

    // MARK: - Out and in again

    @Test(
        "Scenario 74: what was recorded while the user was logged out arrives after the next log-in",
        .tags(.scenario74)
    )
    func logsInAgain() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let app = device.app()
            let nurse = Credentials.emailPassword(email: "nurse@ward.example", password: "a long password")
            try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: "a long password")
            let user = try await app.login(credentials: nurse)
            let realm = try device.open(user)
            try await user.logOut()

            try await realm.record("logged out")
            await #expect(throws: SyncTransportError.signInRequired(realm.destination.partitionsWritten)) {
                try await realm.uploader.waitForUploads()
            }
            #expect(try await server.storedEvents().isEmpty)
            #expect(try await app.login(credentials: nurse) == user)
            try await realm.uploader.waitForUploads()

            #expect(try await server.activities() == ["logged out"])
        }
    }

    // MARK: - Many

    @Test("Scenario 76: many events arrive, each once and in order; 300,000 when asked for", .tags(.scenario76))
    func many() async throws {
        // The whole number takes a debug build minutes; DAYBOOK_SCENARIO_EVENTS=300000 asks for it.
        let asked = ProcessInfo.processInfo.environment["DAYBOOK_SCENARIO_EVENTS"].flatMap { Int($0) }
        let count = asked ?? 20_000
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            let realm = try device.open(user) { $0.partitionBytes = 256 << 20 }
            try realm.realm.write { realm in
                for number in 1...2 { realm.add(Reading(value: ["_id": number, "text": "\(number)"])) }
            }

            let scope = realm.events.beginScope(activity: "many")
            for index in 0..<count { _ = realm.realm.object(ofType: Reading.self, forPrimaryKey: 1 + index % 2) }
            try await scope.commit()
            try await realm.uploader.waitForUploads()

            let payloads = [1, 2].map { #"{"type":"Reading","value":[{"_id":\#($0),"text":"\#($0)"}]}"# }
            let stored = try await server.storedEvents()
            #expect(stored.count == count)
            #expect(stored.indices.allSatisfy { stored[$0].event?.dataText == payloads[$0 % 2] })
            #expect(stored.indices.allSatisfy { stored[$0].sequence == UInt64($0 + 1) })
        }
    }
}
