import ChangeModel
import EventModel
import EventPartitions
import EventProofs
import EventRecording
import Foundation
package import ObjectStore
import RealmSync
import SyncTransport

extension RealmWiring: OpeningAttachment {
    /// The sessions of the process.
    static let sessions = OpenSessions()

    /// Joins an instance of a file that syncs to the session of the file; who only reads it does not sync it.
    package func companion(of configuration: Realm.Configuration) throws -> (any InstanceCompanion)? {
        guard let sync, !configuration.readOnly, let path = configuration.fileURL?.path else { return nil }
        return OpenSession(
            try Self.sessions.session(at: ExactText(path)) { try Self.session(of: configuration, sync) }
        )
    }

    private static func session(of configuration: Realm.Configuration, _ sync: SyncConfiguration) throws -> SyncSession
    {
        var file = configuration
        // The session's own instance is no user's: nothing that it does is recorded, and it has no session of its own.
        file.attachment = nil
        let store = try LiveSyncedStore(file, hash: ChangeChain.sha256)
        let key = try deviceKey(of: sync.user)
        return SyncSession(
            SyncSession.Parts(
                store: store,
                transport: HTTPChangeTransport(user: sync.user, partitionValue: sync.partitionValue),
                identity: SyncIdentity(
                    schema: store.schema,
                    publicKey: key.publicKey,
                    sign: { try key.signature(of: $0) }
                ),
                lock: { try store.lockForSync() },
                clock: sync.user.clock
            ),
            of: sync
        )
    }

    /// The key of the device, with which its events are sealed, too.
    private static func deviceKey(of user: User) throws -> DeviceKey {
        let folder = try EventFolder(
            root: user.appDirectory,
            appID: user.appID,
            userID: user.id,
            prefix: EventConfiguration().partitionPrefix
        )
        let path = folder.keyPath
        // LIVE: the app's folder is one of this machine.
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try DeviceKey.loadOrCreate(at: path, in: POSIXFileSystem())
    }
}
