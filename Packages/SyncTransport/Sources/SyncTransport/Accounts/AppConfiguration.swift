public import EventModel
public import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an app's server and files are.
public struct AppConfiguration: Sendable {
    /// The address of the server, http or https, with or without a path.
    ///
    /// - Warning: Tokens travel in every request; use http on loopback only.
    public var baseURL: String
    /// The absolute path of the folder that `mongodb-realm` is created in.
    public var rootDirectory: String
    /// Sends the requests.
    public var client: any HTTPClient
    /// Where tokens are kept between runs; ``CredentialStorage/file`` by default.
    public var credentialStorage: CredentialStorage
    /// Compared with dates of the server, and says when the changes were made that the app's realms send.
    public var clock: any EventClock
    /// The key that the server signs receipts with, or did before it stated another one; nil, the default, trusts the first one.
    ///
    /// No other key is believed unless a statement of the one before leads to it.
    public var serverKey: ServerKey?
    /// Whom the app believes what the server's log says: its keys, and a quorum of witnesses.
    ///
    /// nil, the default, trusts the key that the server names first, and those that it states after it, without witnesses. With a
    /// ``serverKey`` as well, keys of the log that the server states to follow those of the policy take their place; without one, none does.
    /// The type is one of `EventProofs`, which whoever states a policy imports.
    public var logPolicy: WitnessPolicy?
    /// Whether realms of the app's users sync with the server; false by default, and then they stay on the device.
    ///
    /// It is for apps whose operator shares realms, see `apps.<id>.realms` of the server. A file is made as one that syncs or as one
    /// that does not, and stays so: where an app turns this on later, opening an older file throws `.incompatibleHistories`, and
    /// `Realm.writeCopy(configuration:)` makes one that syncs of it.
    public var syncsRealms: Bool
    /// Is notified of what happens, from any thread; by default nobody is.
    public var logger: @Sendable (SyncLogLevel, String) -> Void

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - baseURL: The address of the server.
    ///   - rootDirectory: The folder of all apps' files; ``defaultRootDirectory`` when left out.
    ///   - client: Sends the requests; a URL session of its own when left out.
    ///   - credentialStorage: Where tokens are kept between runs; in a file when left out.
    ///   - clock: The machine's clock when left out.
    ///   - serverKey: The key that the server signs receipts with, as `daybook serve` prints it.
    ///   - logPolicy: Whom the app believes what the server's log says.
    ///   - syncsRealms: Whether realms sync; they do not when left out.
    ///   - logger: Is notified of what happens.
    public init(
        baseURL: String,
        rootDirectory: String = AppConfiguration.defaultRootDirectory,
        client: any HTTPClient = URLSessionHTTPClient(),
        credentialStorage: CredentialStorage = .file,
        clock: any EventClock = SystemClock(),
        serverKey: ServerKey? = nil,
        logPolicy: WitnessPolicy? = nil,
        syncsRealms: Bool = false,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void = { _, _ in }
    ) {
        self.baseURL = baseURL
        self.rootDirectory = rootDirectory
        self.client = client
        self.credentialStorage = credentialStorage
        self.clock = clock
        self.serverKey = serverKey
        self.logPolicy = logPolicy
        self.syncsRealms = syncsRealms
        self.logger = logger
    }

    /// The folder of documents on Apple's systems; elsewhere `XDG_DATA_HOME`, or `~/.local/share`.
    public static var defaultRootDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        #if canImport(Darwin)
        return "\(environment["HOME"] ?? "")/Documents"
        #else
        return environment["XDG_DATA_HOME"] ?? "\(environment["HOME"] ?? "")/.local/share"
        #endif
    }
}
