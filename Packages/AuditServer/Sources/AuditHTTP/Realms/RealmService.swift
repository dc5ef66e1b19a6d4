import ServiceLifecycle
import SyncServer

/// Lets readers of realms go when the server ends, which would wait for them otherwise.
struct RealmService: Service {
    let realms: SharedRealms

    func run() async throws {
        // Also when the server ends at once: nobody waits for a reader then.
        try? await gracefulShutdown()
        realms.end()
    }
}
