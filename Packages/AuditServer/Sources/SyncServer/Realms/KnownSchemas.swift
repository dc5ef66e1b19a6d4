import ChangeModel
import EventModel
import Synchronization

/// The schemas of apps, and which schemas of devices fit them, as far as this process remembers.
///
/// Both are bounded, as apps and programs come and go: what is forgotten is read from the store, or told by a device, again.
final class KnownSchemas: Sendable {
    /// A schema of a device.
    fileprivate struct Name: Hashable {
        let app: ExactText
        let hash: Digest
    }

    fileprivate struct State {
        var apps: [ExactText: SyncSchema] = [:]
        var admitted: Set<Name> = []
    }

    /// How many apps are remembered.
    static let maximumApps = 64
    /// How many schemas of devices are remembered.
    static let maximumAdmitted = 4096

    private let store: any ChangeStore
    private let state = Mutex(State())

    init(_ store: any ChangeStore) { self.store = store }

    /// Returns the schema of an app; one without classes for an app of which no device told one.
    func schema(of app: ExactText) async throws -> SyncSchema {
        if let known = state.withLock({ $0.apps[app] }) { return known }
        let schema = try await store.schema(of: app) ?? SyncSchema()
        // A device may have extended it meanwhile, and what is remembered then is newer.
        return state.withLock { $0.remember(schema, of: app, replacing: false) }
    }

    /// Whether a schema of a device was found to fit that of its app.
    func isAdmitted(_ hash: Digest, of app: ExactText) -> Bool {
        state.withLock { $0.admitted.contains(Name(app: app, hash: hash)) }
    }

    /// Compares the schema of a device with that of its app, which is extended where it may be, and returns that of the app.
    @discardableResult
    func admit(_ schema: SyncSchema, _ hash: Digest, of app: ExactText, isExtending: Bool) async throws -> SyncSchema {
        let union = try await store.admit(schema, of: app, isExtending: isExtending)
        return state.withLock { state in
            // Two devices extend one after the other, and may be told in another order: the larger one has both.
            let isNewer = state.apps[app].map { SchemaDifference(from: $0, to: union).isEmpty } != true
            if state.admitted.count >= Self.maximumAdmitted { state.admitted = [] }
            state.admitted.insert(Name(app: app, hash: hash))
            return state.remember(union, of: app, replacing: isNewer)
        }
    }
}

extension KnownSchemas.State {
    /// Remembers a schema, unless one is remembered that is not to be replaced, and returns what is remembered.
    fileprivate mutating func remember(_ schema: SyncSchema, of app: ExactText, replacing: Bool) -> SyncSchema {
        if let known = apps[app], !replacing { return known }
        if apps[app] == nil, apps.count >= KnownSchemas.maximumApps { apps = [:] }
        apps[app] = schema
        return schema
    }
}
