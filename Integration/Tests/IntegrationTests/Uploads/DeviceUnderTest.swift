import Daybook
import EventModelTesting
import Synchronization
import Testing

/// A device of a test: its folder, its connection, and what its realms report.
@MainActor
final class DeviceUnderTest {
    let folder: URL
    /// The way to the server.
    let connection = Connection()
    /// What error handlers were given.
    let errors = ErrorLog()
    private let url: String

    /// Puts a new device beside the server.
    init(_ server: ServerUnderTest) {
        url = server.url
        folder = server.folder.appending(path: "device-\(UUID().uuidString)")
    }

    /// An app of the server; each has its own sign-ins.
    func app(_ id: String = "ward") -> App {
        App(id: id, configuration: AppConfiguration(baseURL: url, rootDirectory: folder.path, client: connection))
    }

    /// What a realm of the test records with.
    func recording(_ change: (inout EventConfiguration) -> Void = { _ in }) -> EventConfiguration {
        var configuration = EventConfiguration(
            logger: { _, _ in },
            errorHandler: errors.add,
            partitionBytes: 64 << 10
        )
        change(&configuration)
        return configuration
    }

    /// Opens a user's realm that records.
    func open(
        _ user: User,
        _ name: String = "chart",
        isFlexible: Bool = false,
        _ change: (inout EventConfiguration) -> Void = { _ in }
    ) throws -> UploadingRealm {
        var configuration =
            isFlexible ? user.flexibleSyncConfiguration() : user.configuration(partitionValue: name)
        configuration.objectTypes = [Reading.self]
        configuration.eventConfiguration = recording(change)
        return try UploadingRealm(open(configuration))
    }

    /// Opens a realm; synchronous, so that it is not the form that waits.
    func open(_ configuration: Realm.Configuration) throws -> Realm { try Realm(configuration: configuration) }

    /// The event files that are on the device.
    func eventFiles() throws -> [String] { try PartitionFiles.find(below: folder.path) }
}

/// A realm whose events are uploaded.
@MainActor
final class UploadingRealm {
    let realm: Realm
    let events: Events
    let destination: EventDestination
    let uploader: Uploader

    init(_ realm: Realm) throws {
        self.realm = realm
        events = try #require(realm.events)
        destination = try #require(realm.eventDestination)
        uploader = try #require(destination.uploader)
    }

    /// Records an event of the program's own and waits until it is on the disk.
    func record(_ activity: String) async throws {
        try await events.persistEvent(activity: activity)
    }

    /// Records 50 scopes of one query with many results, so that files roll over.
    func recordFiftyScopes() async throws {
        var dice = SeededGenerator(seed: 7)
        try realm.write { realm in
            for number in 1...400 {
                // Text that cannot be packed, so that the files have a known size.
                let text = (0..<8).map { _ in String(dice.next(), radix: 16) }.joined()
                realm.add(Reading(value: ["_id": number, "text": text]))
            }
        }
        for number in 1...50 {
            let scope = events.beginScope(activity: DeviceUnderTest.activity(number))
            #expect(realm.objects(Reading.self).where { $0._id > 0 }.first != nil)
            try await scope.commit()
        }
    }

    /// Sends what waits now, although the connection was away a moment ago, and waits until it is proven.
    func upload() async throws {
        uploader.retryNow()
        try await uploader.waitForUploads()
    }
}

extension DeviceUnderTest {
    /// The name of one of fifty scopes.
    nonisolated static func activity(_ number: Int) -> String { "scope \(number)" }

    /// The names of all of them.
    nonisolated static let activities = (1...50).map(activity)
}

/// What the realms of these tests hold.
final class Reading: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var text: String
}

/// A connection that a test can cut.
final class Connection: HTTPClient {
    /// Thrown while the connection is cut.
    struct Cut: Error {}

    private let client = URLSessionHTTPClient()
    private let state = Mutex(false)

    var isCut: Bool {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        if isCut { throw Cut() }
        return try await client.send(request)
    }
}

/// Lives as long as those who hold it, such as all that a realm's recording consists of.
final class Lifetime: Sendable {
    /// The end of a lifetime, which somebody waits for.
    struct Ending {
        fileprivate let signal = AsyncStream<Never>.makeStream()

        /// Returns when the lifetime is over.
        func wait() async { for await _ in signal.stream {} }
    }

    private let ending: Ending

    init(_ ending: Ending) { self.ending = ending }

    deinit { ending.signal.continuation.finish() }
}

/// What an error handler was given.
final class ErrorLog: Sendable {
    private let errors = Mutex<[any Error]>([])
    private let arrivals = AsyncStream<Void>.makeStream()

    @Sendable
    func add(_ error: any Error) {
        errors.withLock { $0.append(error) }
        arrivals.continuation.yield()
    }

    /// Waits until there is one: handlers are called in the background, and may be behind an upload that is over.
    func waitForFirst() async {
        for await _ in arrivals.stream where count > 0 { return }
    }

    /// The errors of uploads, in order.
    var ofUploads: [SyncTransportError] { errors.withLock { $0.compactMap { $0 as? SyncTransportError } } }

    /// What each error says, in order.
    var sentences: [String] { errors.withLock { $0.map { "\($0)" } } }

    /// How many errors there were.
    var count: Int { errors.withLock(\.count) }
}
