import ObjectStore
import RealmSync

/// What an instance of a file that syncs keeps: its use of the file's session.
final class OpenSession: InstanceCompanion {
    private let use: SessionUse

    var session: SyncSession { use.session }

    init(_ use: SessionUse) { self.use = use }

    func download(reporting: @escaping @Sendable (_ transferred: Int, _ transferrable: Int) -> Void) async throws {
        let token = session.addProgressNotification(for: .download, mode: .reportIndefinitely) { progress in
            reporting(progress.transferredBytes, progress.transferrableBytes)
        }
        defer { token?.invalidate() }
        try await session.wait(for: .download)
    }
}
