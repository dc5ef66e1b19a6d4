import Daybook
import Synchronization
import Testing

/// Gives the tests of a suite one server, and three devices with a user of each.
///
/// The stories of a suite are told one after the other: each has many open files, and Foundation's sockets and processes do not bear
/// descriptors above 1,024. One that waits for ever is named after ten minutes.
struct ScenarioServer: SuiteTrait, TestScoping {
    /// What the tests have while they run.
    struct Devices: Sendable {
        let users: [User]
        /// The database of the server's realms.
        let realmsPath: String
        let clocks: [ScenarioClock]
        let errors = ScenarioErrors()
    }

    @TaskLocal static var devices: Devices?

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let clocks = [ScenarioClock(), ScenarioClock(), ScenarioClock()]
        var users: [User] = []
        for (name, clock) in zip(["a", "b", "c"], clocks) {
            users.append(try await SyncDevice(name, on: ward, clock: clock).user)
        }
        let devices = Devices(
            users: users,
            realmsPath: ward.folder.appending(path: "server/realms.sqlite").path,
            clocks: clocks
        )
        for user in users { user.syncManager.errorHandler = { devices.errors.take($0, of: $1) } }
        try await Self.$devices.withValue(devices) { try await function() }
    }
}

extension Trait where Self == ScenarioServer {
    /// One server for the whole suite.
    static var withServer: ScenarioServer { ScenarioServer() }
}

/// What the sessions of a suite told of, each realm of each user apart.
final class ScenarioErrors: Sendable {
    private struct Channel {
        let errors: AsyncStream<SyncError>
        let told: AsyncStream<SyncError>.Continuation
    }

    private let channels = Mutex<[String: Channel]>([:])

    private func channel(of session: SyncSession?) -> Channel? {
        guard let configuration = session?.configuration() else { return nil }
        return channels.withLock { channels in
            let name = "\(configuration.user.id) \(configuration.partitionValue.typedText)"
            if let known = channels[name] { return known }
            let (errors, told) = AsyncStream.makeStream(of: SyncError.self)
            channels[name] = Channel(errors: errors, told: told)
            return channels[name]
        }
    }

    func take(_ error: any Error, of session: SyncSession?) {
        guard let error = error as? SyncError else { return }
        channel(of: session)?.told.yield(error)
    }

    /// The next error of a session, waited for.
    func next(of session: SyncSession?) async -> SyncError? {
        guard let channel = channel(of: session) else { return nil }
        return await channel.errors.first { _ in true }
    }
}
