import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransport
import SyncTransportTesting

/// A device with an app whose server publishes its log.
struct LogFixture {
    let folder: TestFolder
    let server: ServerWithLog
    let uploads = UploaderFixture()

    init(_ server: ServerWithLog? = nil, in folder: TestFolder = TestFolder()) throws {
        self.folder = folder
        self.server = try server ?? ServerWithLog()
    }

    /// Opens the app as a new process does.
    func app(policy: WitnessPolicy? = nil, serverKey: ServerKey? = nil) -> App {
        App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: "https://audit.example.org",
                rootDirectory: folder.path,
                client: server.client,
                serverKey: serverKey,
                logPolicy: policy,
                logger: uploads.reports.reporting().logger
            )
        )
    }

    func user(_ app: App) async throws -> User { try await app.login(credentials: .userAPIKey("K")) }

    /// An uploader of a new process.
    func uploader(
        policy: WitnessPolicy? = nil,
        serverKey: ServerKey? = nil,
        deviceKey: DeviceKey? = nil
    ) async throws -> Uploader {
        Uploader(
            source: uploads.source,
            user: try await user(app(policy: policy, serverKey: serverKey)),
            deviceKey: deviceKey,
            reporting: uploads.reports.reporting(),
            environment: uploads.environment()
        )
    }

    /// Records and seals a partition.
    func seal(_ number: UInt32) { uploads.fill(Sample.partition(number), count: 2, sealed: true) }

    /// Uploads a partition and looks at the log.
    func upload(_ number: UInt32) async throws {
        seal(number)
        try await uploader().uploadEverything()
    }

    func isDeleted(_ number: UInt32) -> Bool { uploads.source.summary(Sample.partition(number)) == nil }

    func path(_ name: String) -> String { folder.file("mongodb-realm/ward/\(name)") }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    var contradiction: String { path("server-log.contradiction") }

    /// The errors that were reported of the log, as sentences.
    var told: [String] { uploads.reports.errors.map(\.description) }
}
