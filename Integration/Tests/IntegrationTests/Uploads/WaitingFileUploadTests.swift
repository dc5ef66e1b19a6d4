import AuditHTTP
import AuditModel
import Daybook
import Testing

/// The scenarios of files that waited: 50 scopes of a large query, recorded while the server cannot be reached.
@MainActor
@Suite("Scenarios: files that wait for the server", .serialized)
struct WaitingFileUploadTests {
    /// Records the scopes without a connection, and returns when nothing of the realm is open any more.
    private func recordOffline(_ device: DeviceUnderTest, _ user: User) async throws {
        device.connection.isCut = true
        // The recorder ends on a thread of its own: a realm that opens before that goes on with its files and its key.
        let end = Lifetime.Ending()
        try await record(device, user, within: Lifetime(end))
        await end.wait()
    }

    private func record(_ device: DeviceUnderTest, _ user: User, within lifetime: Lifetime) async throws {
        let realm = try device.open(user) { $0.logger = { _, _ in withExtendedLifetime(lifetime) {} } }
        try await realm.recordFiftyScopes()
        try realm.destination.files.seal()
    }

    @Test("Scenario 57: without a server files roll over, wait within their size, and are all kept", .tags(.scenario57))
    func rollOver() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            device.connection.isCut = true

            let realm = try device.open(user)
            try await realm.recordFiftyScopes()

            let partitions = try realm.destination.files.partitions()
            #expect(partitions.count > 2)
            #expect(partitions.allSatisfy { $0.byteCount < 1 << 20 && $0.acknowledgedThrough == 0 })
            #expect(partitions.reduce(0) { $0 + $1.count } == 50)
            #expect(partitions.filter { !$0.isSealed }.count <= 1)
            #expect(try await server.storedEvents().isEmpty)
            #expect(device.errors.count == 0)
        }
    }

    @Test(
        "Scenario 58: copies beside the files disturb no upload and are never uploaded themselves",
        .tags(.scenario58)
    )
    func copies() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            try await recordOffline(device, user)
            let files = try device.eventFiles()
            for path in files {
                try FileManager.default.copyItem(atPath: path, toPath: "\(path).backup")
                try FileManager.default.copyItem(atPath: path, toPath: "\(path.dropLast(7)).backup.v7.events")
            }

            device.connection.isCut = false
            let realm = try device.open(user)
            try await realm.upload()

            #expect(try await server.activities() == DeviceUnderTest.activities)
            #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
            #expect(files.allSatisfy { FileManager.default.fileExists(atPath: "\($0).backup") })
        }
    }

    @Test(
        "Scenario 59: the server comes back while the realm is open, gets every event in order, and one file remains",
        .tags(.scenario59)
    )
    func serverComesBack() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            device.connection.isCut = true
            let realm = try device.open(user)
            try await realm.recordFiftyScopes()

            device.connection.isCut = false
            try await realm.upload()

            #expect(try await server.activities() == DeviceUnderTest.activities)
            let partitions = try realm.destination.files.partitions()
            #expect(partitions.count == 1)
            #expect(partitions.allSatisfy { !$0.isSealed && $0.acknowledgedThrough == $0.count })
            #expect(device.errors.count == 0)
        }
    }

    @Test(
        "Scenario 60: files of a realm that was closed are uploaded when another one of the same user and prefix opens",
        .tags(.scenario60)
    )
    func anotherRealm() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            try await recordOffline(device, user)
            #expect(try device.eventFiles().count > 2)

            device.connection.isCut = false
            let realm = try device.open(user, "another chart")
            try await realm.upload()

            #expect(try await server.activities() == DeviceUnderTest.activities)
            #expect(try device.eventFiles() == [])
        }
    }

    @Test("Scenario 61: a realm of another prefix uploads nothing of the files of the first", .tags(.scenario61))
    func anotherPrefix() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            try await recordOffline(device, user)
            let files = try device.eventFiles()

            device.connection.isCut = false
            let realm = try device.open(user, "another chart") { $0.partitionPrefix = "other" }
            try await realm.record("other")
            try await realm.upload()

            #expect(try await server.activities() == ["other"])
            #expect(try device.eventFiles().filter { files.contains($0) } == files)
        }
    }

    @Test(
        "Scenario 75: files that wait arrive in order although the device has lost the key that it signed them with",
        .tags(.scenario75),
        .timeLimit(.minutes(10))
    )
    func lostIdentity() async throws {
        try await ServerUnderTest.run { server in
            let device = DeviceUnderTest(server)
            let user = try await device.app().login(credentials: .anonymous)
            try await recordOffline(device, user)
            let names = try FileManager.default.subpathsOfDirectory(atPath: device.folder.path)
            let keys = names.filter { $0.hasSuffix("device.key") }
            #expect(keys.count == 1)
            for key in keys { try FileManager.default.removeItem(at: device.folder.appending(path: key)) }

            device.connection.isCut = false
            let realm = try device.open(user)
            try await realm.record("after")
            try await realm.upload()

            #expect(try await server.activities() == DeviceUnderTest.activities + ["after"])
            let partitions = try await server.store.partitions(after: nil, limit: 100)
            #expect(Set(partitions.compactMap { $0.seal?.publicKey }).count >= 1)
            // A chain that begins anew is told, and nothing else.
            await device.errors.waitForFirst()
            #expect(device.errors.count == 1)
            #expect(device.errors.sentences.first?.contains("signed by another key") == true)
        }
    }
}
