/// How the server behaves; the defaults are those of `daybook serve` without options.
public struct ServerConfiguration: Sendable {
    /// The address to listen on; this machine alone by default.
    public var host: String
    /// The port to listen on; 0, the default, lets the system choose a free one.
    public var port: Int
    /// Whether every app id is accepted, and metadata columns are added as they arrive; true by default.
    public var isDevelopmentMode: Bool
    /// The app ids that are accepted when Development Mode is off.
    public var apps: Set<String>
    /// Whether anybody may sign in as a new anonymous user; true by default.
    public var allowsAnonymousUsers: Bool
    /// The keys with which programs sign in.
    public var apiKeys: [APIKey]

    /// Creates a configuration.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        isDevelopmentMode: Bool = true,
        apps: Set<String> = [],
        allowsAnonymousUsers: Bool = true,
        apiKeys: [APIKey] = []
    ) {
        self.host = host
        self.port = port
        self.isDevelopmentMode = isDevelopmentMode
        self.apps = apps
        self.allowsAnonymousUsers = allowsAnonymousUsers
        self.apiKeys = apiKeys
    }
}
