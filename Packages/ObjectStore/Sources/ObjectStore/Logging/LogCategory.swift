public import EventModel

/// How much is logged: a level and all that are graver.
public typealias LogLevel = SyncLogLevel

/// What a line of the log is about; see ``Category``.
public protocol LogCategory: Sendable {
    /// The name, whose part before the last dot is the category around it.
    var rawValue: String { get }
}

/// The categories of the log, each with those inside of it.
///
/// ```swift
/// Logger.setLogLevel(.debug, for: Category.Storage.transaction)
/// ```
public enum Category: String, LogCategory, CaseIterable {
    /// Everything.
    case realm = "Realm"
    /// What the library does beside the rest.
    case sdk = "Realm.SDK"
    /// Accounts.
    case app = "Realm.App"

    /// What happens to files.
    public enum Storage: String, LogCategory, CaseIterable {
        /// All of it, and what opens, migrates and compacts a file.
        case all = "Realm.Storage"
        /// Transactions: which version they made.
        case transaction = "Realm.Storage.Transaction"
        /// Queries.
        case query = "Realm.Storage.Query"
        /// Objects.
        case object = "Realm.Storage.Object"
        /// Notifications: which version handlers are told of.
        case notification = "Realm.Storage.Notification"
    }

    /// What is exchanged with a server.
    public enum Sync: String, LogCategory, CaseIterable {
        /// All of it.
        case all = "Realm.Sync"
        /// What the server says of itself.
        case server = "Realm.Sync.Server"

        /// What the device does.
        public enum Client: String, LogCategory, CaseIterable {
            /// All of it.
            case all = "Realm.Sync.Client"
            /// Sessions.
            case session = "Realm.Sync.Client.Session"
            /// Changes.
            case changeset = "Realm.Sync.Client.Changeset"
            /// Connections.
            case network = "Realm.Sync.Client.Network"
            /// Files that begin anew.
            case reset = "Realm.Sync.Client.Reset"
        }
    }

    /// Every category, those around others first.
    static let everything: [any LogCategory] =
        allCases + Storage.allCases + Sync.allCases + Sync.Client.allCases
}

extension LogCategory {
    /// Whether another category is this one or inside of it.
    func contains(_ other: any LogCategory) -> Bool {
        other.rawValue == rawValue || other.rawValue.hasPrefix(rawValue + ".")
    }
}
