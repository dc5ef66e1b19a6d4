#if canImport(SwiftUI)
public import ObjectStore
public import SwiftUI

private struct RealmConfigurationKey: EnvironmentKey {
    static var defaultValue: Realm.Configuration { .defaultConfiguration }
}

extension EnvironmentValues {
    /// The configuration of the realm that views use; the default one unless a view around them says another one.
    public var realmConfiguration: Realm.Configuration {
        get { self[RealmConfigurationKey.self] }
        set { self[RealmConfigurationKey.self] = newValue }
    }

    /// The realm that views use: that of ``realmConfiguration``, opened on the main actor.
    ///
    /// - Precondition: It can be opened.
    public var realm: Realm {
        get {
            do {
                return try Realm(configuration: realmConfiguration)
            } catch {
                preconditionFailure("The realm of a view cannot be opened; open it before the view is shown: \(error)")
            }
        }
        set { realmConfiguration = newValue.configuration }
    }
}
#endif
