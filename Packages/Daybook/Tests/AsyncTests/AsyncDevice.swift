import Daybook
import ObjectStoreTesting
import SyncTransportTesting
import Synchronization

/// The model of these tests.
final class Reading: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var value: Int
}

/// A device whose files, accounts and server fail as a test asks for.
struct AsyncDevice: Sendable {
    struct Refusal: Error {}

    let place: TemporaryRealm
    let app: App
    private let server: FailingServer
    private let task = SharedTask()
    private let asked = DispatchSemaphore(value: 0)

    init() throws {
        place = try TemporaryRealm([Reading.self])
        let server = FailingServer()
        self.server = server
        app = App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: "https://audit.example",
                rootDirectory: place.folder.path,
                client: ScriptedHTTPClient { try await server.answer($0) }
            )
        )
    }

    /// The configuration of a local realm that records.
    var recording: Realm.Configuration {
        var configuration = place.configuration
        configuration.eventConfiguration = EventConfiguration(logger: { _, _ in })
        return configuration
    }

    /// The configuration of a realm whose file is none.
    func damaged() throws -> Realm.Configuration {
        var configuration = place.configuration
        let file = place.folder.appendingPathComponent("no.realm")
        try Data(repeating: 0x55, count: 8192).write(to: file)
        configuration.fileURL = file
        return configuration
    }

    /// Logs a user in and lets every request fail from then on.
    func userWithoutServer() async throws -> User {
        server.isAway.withLock { $0 = false }
        let user = try await app.login(credentials: .userAPIKey("key"))
        server.isAway.withLock { $0 = true }
        return user
    }

    /// Opens the user's realm on the running actor, with one event that no server takes.
    func realmWithUnsentEvent(_ actor: isolated (any Actor)? = #isolation) async throws -> Realm {
        let user = try await userWithoutServer()
        var configuration = user.configuration(partitionValue: "7")
        configuration.objectTypes = [Reading.self]
        configuration.eventConfiguration = EventConfiguration(logger: { _, _ in }, errorHandler: { _ in })
        let realm = try await Realm.open(configuration: configuration)
        realm.events?.recordEvent(activity: "press")
        await realm.events?.flush()
        return realm
    }

    /// Names the task of the test, which a call may cancel.
    func run(_ body: @escaping @Sendable () async throws -> Bool?) async throws -> Bool? {
        // The body begins when the task can be cancelled.
        let (named, name) = AsyncStream<Void>.makeStream()
        let running = Task {
            for await _ in named {}
            return try await body()
        }
        task.task.withLock { $0 = running }
        name.finish()
        return try await running.value
    }

    /// Cancels the task of the test.
    func cancelTask() { task.task.withLock(\.self)?.cancel() }

    /// Lets ``waitUntilAsked()`` return.
    func ask() { asked.signal() }

    /// Blocks the thread until somebody asks.
    func waitUntilAsked() { asked.wait() }

    /// Makes the next request call something, such as the cancelling of the task that waits for it.
    func atNextRequest(_ body: @escaping @Sendable () -> Void) { server.next.withLock { $0 = body } }

    /// Puts a folder where the accounts' file is written.
    func blockAccounts() throws {
        // LIVE: the folder is a real one.
        let files = FileManager.default
        let folder = URL(fileURLWithPath: place.folder.path).appendingPathComponent("mongodb-realm")
        try files.removeItem(at: folder)
        try Data().write(to: folder)
    }
}

private final class FailingServer: Sendable {
    let isAway = Mutex(true)
    let next = Mutex<(@Sendable () -> Void)?>(nil)

    @concurrent
    func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        next.withLock { $0.take() }?()
        if isAway.withLock(\.self) { throw AsyncDevice.Refusal() }
        return .json(200, #"{"userID":"anna","accessToken":"a","refreshToken":"r"}"#)
    }
}

private final class SharedTask: Sendable {
    let task = Mutex<Task<Bool?, any Error>?>(nil)
}
