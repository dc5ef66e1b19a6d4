import Daybook
import EventModel
import EventModelTesting

/// A device with an app of its own folder, whose realms sync with a server.
struct SyncDevice {
    let user: User
    let configuration: Realm.Configuration

    /// Signs an anonymous user in.
    init(
        _ name: String,
        on ward: WardUnderTest,
        clock: any EventClock = SystemClock(),
        partitionValue: String = "ward 7"
    ) async throws {
        let app = App(
            id: "kit",
            configuration: AppConfiguration(
                baseURL: ward.url,
                rootDirectory: ward.folder.appending(path: name).path,
                clock: clock,
                syncsRealms: true
            )
        )
        user = try await app.login(credentials: .anonymous)
        var configuration = user.configuration(partitionValue: partitionValue)
        configuration.objectTypes = [Visit.self]
        self.configuration = configuration
    }
}
