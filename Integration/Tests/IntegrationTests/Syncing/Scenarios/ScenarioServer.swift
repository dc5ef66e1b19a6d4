import Daybook
import Foundation
import Testing

/// Gives the tests of a suite one server, and three devices with a user of each.
struct ScenarioServer: SuiteTrait, TestScoping {
    /// What the tests have while they run.
    struct Devices: Sendable {
        let users: [User]
        let url: String
        let folder: URL
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
        var users: [User] = []
        for name in ["a", "b", "c"] { users.append(try await SyncDevice(name, on: ward).user) }
        let devices = Devices(users: users, url: ward.url, folder: ward.folder)
        try await Self.$devices.withValue(devices) { try await function() }
    }
}

extension Trait where Self == ScenarioServer {
    /// One server for the whole suite.
    static var withServer: ScenarioServer { ScenarioServer() }
}
