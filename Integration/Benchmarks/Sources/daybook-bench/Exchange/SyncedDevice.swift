import AuditServerTesting
import Daybook
import Foundation

/// A device with an app in a folder of its own, whose realm of people syncs with a server.
struct SyncedDevice {
    /// The realm.
    let configuration: Realm.Configuration

    /// Signs an anonymous user in.
    ///
    /// - Parameters:
    ///   - name: The name of the device's folder.
    ///   - server: The server.
    ///   - folder: Where the device's folder goes.
    ///   - classes: What the realm holds; people by default.
    /// - Throws: What signing in throws.
    init(
        _ name: String,
        on server: ServerProcess,
        in folder: URL,
        of classes: [ObjectBase.Type] = [Person.self]
    ) async throws {
        let app = App(
            id: "bench",
            configuration: AppConfiguration(
                baseURL: server.url,
                rootDirectory: folder.appending(path: name).path,
                syncsRealms: true
            )
        )
        let user = try await app.login(credentials: .anonymous)
        var configuration = user.configuration(partitionValue: "ward")
        configuration.objectTypes = classes
        self.configuration = configuration
    }

    /// Opens the realm on the main actor.
    @MainActor
    func open() async throws -> (Realm, SyncSession) {
        let realm = try await Realm(configuration: configuration)
        guard let session = realm.syncSession else { throw BenchError.notSynced }
        return (realm, session)
    }
}
