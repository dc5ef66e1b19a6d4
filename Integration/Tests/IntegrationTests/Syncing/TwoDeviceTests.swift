import Daybook
import Foundation
import Testing

@Suite("Two devices", .serialized)
struct TwoDeviceTests {
    @Test("what one writes is in the other one's realm, both ways, and a third one has all of it from the start")
    @MainActor
    func bothWays() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (a, b) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        let here = try await Realm(configuration: a.configuration)
        let there = try await Realm(configuration: b.configuration)
        let (mine, theirs) = (try #require(here.syncSession), try #require(there.syncSession))
        try here.write { here.add(Visit(1, "7")) }
        try await mine.wait(for: .upload)
        try await theirs.wait(for: .download)
        there.refresh()
        let visit = try #require(there.object(ofType: Visit.self, forPrimaryKey: 1))

        try there.write {
            visit.ward = "8"
            visit.notes.append("moved")
        }
        try await theirs.wait(for: .upload)
        try await mine.wait(for: .download)
        here.refresh()
        let third = try await SyncDevice("c", on: ward)
        let new = try await Realm(configuration: third.configuration, downloadBeforeOpen: .once)

        for realm in [here, there, new] {
            #expect(realm.objects(Visit.self).map(\.ward) == ["8"])
            #expect(realm.objects(Visit.self).first.map { Array($0.notes) } == ["moved"])
        }
        #expect(mine.state == .active)
        #expect(mine.connectionState == .connected)
        #expect(mine.parentUser() == a.user)
    }

    @Test("a change of another device is a notification of one, which says what changed")
    @MainActor
    func notification() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (a, b) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        let here = try await Realm(configuration: a.configuration)
        let there = try await Realm(configuration: b.configuration)
        let (changes, told) = AsyncStream.makeStream(of: [Int].self)
        let token = there.objects(Visit.self)
            .observe { change in
                switch change {
                case .initial: told.yield([])
                case .update(_, _, let insertions, _): told.yield(insertions)
                case .error: told.finish()
                }
            }
        var news = changes.makeAsyncIterator()
        // What is there when somebody begins to observe is no change.
        #expect(await news.next(isolation: #isolation) == [])

        try here.write {
            here.add(Visit(1, "7"))
            here.add(Visit(2, "8"))
        }

        #expect(await news.next(isolation: #isolation) == [0, 1])
        token.invalidate()
    }

    @Test("a realm that is closed is sent to its end, and one that was written without a server when there is one")
    @MainActor
    func closedRealm() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (a, b) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        ward.killServer()
        try await {
            let here = try await Realm(configuration: a.configuration)
            try here.write { here.add(Visit(1, "7")) }
        }()
        try ward.restartServer()
        let again = try await Realm(configuration: a.configuration)
        again.syncSession?.reconnect()
        try await again.syncSession?.wait(for: .upload)

        let there = try await Realm(configuration: b.configuration, downloadBeforeOpen: .always)
        #expect(there.objects(Visit.self).map(\._id) == [1])
    }

    @Test("an app that does not sync has realms that stay, and a file that syncs is not opened as one that does not")
    func withoutSync() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let device = try await SyncDevice("a", on: ward)
        let plain = App(
            id: "kit",
            configuration: AppConfiguration(baseURL: ward.url, rootDirectory: ward.folder.appending(path: "a").path)
        )
        let user = try #require(plain.currentUser)
        #expect(user.configuration(partitionValue: "ward 7").syncConfiguration == nil)
        #expect(device.configuration.syncConfiguration?.user == device.user)
        #expect(device.configuration.fileURL == user.configuration(partitionValue: "ward 7").fileURL)
        let file = user.configuration(partitionValue: "ward 7")
        #expect(try Self.session(of: file) == nil)

        // Made as one that does not sync by the line before.
        #expect(throws: Realm.Error.self) { try Self.session(of: device.configuration) }
    }

    @Test("an opening that downloads ends at the first error of the connection where its configuration says so")
    @MainActor
    func impatient() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let a = try await SyncDevice("a", on: ward)
        var configuration = a.user.configuration(partitionValue: "ward 7", cancelAsyncOpenOnNonFatalErrors: true)
        configuration.objectTypes = [Visit.self]
        ward.killServer()

        let error = await #expect(throws: SyncError.self) {
            _ = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
        }
        #expect(error?.code == .connectionFailed)

        try ward.restartServer()
        let realm = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
        #expect(realm.syncSession?.configuration()?.cancelAsyncOpenOnNonFatalErrors == true)
    }

    @Test("a realm that is opened to be read only has no session")
    func readOnly() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        var configuration = try await SyncDevice("a", on: ward).configuration
        var file = Realm.Configuration(fileURL: configuration.fileURL)
        file.objectTypes = [Visit.self]
        file.keepsChanges = true
        #expect(try Self.session(of: file) == nil)
        configuration.readOnly = true

        #expect(try Self.session(of: configuration) == nil)
    }

    private static func session(of configuration: Realm.Configuration) throws -> SyncSession? {
        var configuration = configuration
        configuration.objectTypes = [Visit.self]
        return try Realm(configuration: configuration).syncSession
    }

    @Test("realms of different values and the writes of one device know nothing of each other")
    @MainActor
    func partitions() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let a = try await SyncDevice("a", on: ward)
        let b = try await SyncDevice("b", on: ward, partitionValue: "ward 8")
        let here = try await Realm(configuration: a.configuration)
        try here.write { here.add(Visit(1, "7")) }
        try await here.syncSession?.wait(for: .upload)

        let there = try await Realm(configuration: b.configuration, downloadBeforeOpen: .always)
        #expect(there.objects(Visit.self).isEmpty)
    }

    @Test(
        "what a device reads that came by sync is recorded as read, and what the sync wrote is no act of the user; events name entries and changes"
    )
    @MainActor
    func recording() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (a, b) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        let here = try await Realm(configuration: a.configuration)
        try here.write { here.add(Visit(1, "7")) }
        try await here.syncSession?.wait(for: .upload)
        var configuration = b.configuration
        configuration.eventConfiguration = EventConfiguration()
        let there = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
        let events = try #require(there.events)

        let scope = events.beginScope(activity: "look")
        let visit = try #require(there.objects(Visit.self).first)
        #expect(visit.ward == "7")
        try there.write { visit.ward = "8" }
        try await scope.commit()

        let stored = try #require(there.eventDestination).files
        let recorded = try stored.partitions()
            .flatMap { summary in
                try stored.read(summary.partition, from: 1, maximumBytes: .max).events.decoded()
            }
        #expect(recorded.map(\.event) == ["read", "write"])
        #expect(recorded.map(\.sync?.position) == [1, 1])
        // The server orders the change of the write under the file and number that the event names.
        let places = recorded.compactMap(\.sync)
        #expect(places.map(\.change) == [0, 1] && places.map(\.changes) == [1..<1, 1..<2])
        #expect(Set(places.map(\.file?.number)) == [2])
    }
}
