public import AuditAccounts
public import AuditAdmission
public import AuditExport
public import AuditModel
public import AuditReview
public import LogPublishing

/// How the server behaves; the defaults are those of `daybook serve` without options.
public struct ServerConfiguration: Sendable {
    /// The files of a certificate, for connections with TLS.
    public struct Certificate: Sendable, Hashable {
        /// The certificate and those that it is signed by, as PEM.
        public var chainFile: String
        /// The private key, as PEM.
        public var keyFile: String

        /// Names the files.
        public init(chainFile: String, keyFile: String) {
            self.chainFile = chainFile
            self.keyFile = keyFile
        }
    }

    /// The address to listen on; this machine alone by default.
    public var host: String
    /// The port to listen on; 0, the default, lets the system choose a free one.
    public var port: Int
    /// The certificate; nil, the default, serves plain HTTP, for a proxy in front or for this machine alone.
    public var certificate: Certificate?
    /// Whether every app id is accepted, and collections and their columns are made as events arrive.
    ///
    /// By default it is so where the server listens on this machine alone: anybody who reaches such a server may use it as they
    /// like. An app may have another rule for its own collection, see `AppSettings/isDevelopmentMode`.
    public var isDevelopmentMode: Bool {
        get { developmentMode ?? Self.isLoopback(host) }
        set { developmentMode = newValue }
    }
    /// Whether it was said; nil goes by the address.
    private var developmentMode: Bool?
    /// The apps that are set up, by their ids.
    public var apps: [String: AppSettings]  // TEXT: apps, which are ASCII, see isAppID.
    /// How users of any other app sign in while Development Mode is on.
    public var otherApps: AppSettings
    /// What one client may ask.
    public var limits: ServerLimits
    /// How much users and apps may bring.
    public var quotas: ServerQuotas
    /// How much exports may take.
    public var exports: ExportLimits
    /// The logarithm of the rounds of scrypt that hash a password; 15, the default, takes 32 MiB, and each more twice that.
    public var passwordCost: Int
    /// The header in which a proxy of yours puts the address of the client; nil, the default, takes the connection's own.
    ///
    /// - Warning: Only for servers that nobody reaches but through that proxy, because anybody can send a header.
    public var clientAddressHeader: String?
    /// What reviewers are alerted of.
    public var alerts: AlertSettings
    /// What a reviewer may say masked values are shown for; each has 1 to 64 characters.
    public var unmaskingPurposes: [String]
    /// The part of an app's events that may expire in a day by itself; 0.05 by default.
    ///
    /// An administrator may say that more go. A rule of few days lets twice as many go as it takes, and 1,000 may go always.
    public var retentionShare: Double
    /// The public keys that signed receipts before the one of now, 32 bytes each; none by default.
    public var earlierKeys: [[UInt8]]
    /// The name of the published log, by recommendation a URL without its scheme; nil, the default, takes `daybook/` and the start of the key.
    ///
    /// Witnesses and mirrors know the log by it, so it stays what it is. It has no spaces and no plus signs.
    public var logOrigin: String?
    /// Who cosigns the published log; nobody by default.
    public var witnesses: WitnessSettings
    /// Who says when the published log was what it is; nobody by default.
    public var timeStamps: TimeStampSettings?
    /// Where the published log is copied; nowhere by default.
    public var logBucket: LogBucketSettings?

    /// The purposes of a server without others.
    public static let standardPurposes = [
        "Complaint", "Investigation", "Legal request", "Security incident", "Request of the person",
    ]

    /// Creates a configuration.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        certificate: Certificate? = nil,
        isDevelopmentMode: Bool? = nil,
        // TEXT: as above.
        apps: [String: AppSettings] = [:],
        otherApps: AppSettings = AppSettings(emailPassword: .registration),
        limits: ServerLimits = ServerLimits(),
        quotas: ServerQuotas = ServerQuotas(),
        exports: ExportLimits = ExportLimits(),
        passwordCost: Int = 15,
        clientAddressHeader: String? = nil,
        alerts: AlertSettings = AlertSettings(),
        unmaskingPurposes: [String] = Self.standardPurposes,
        retentionShare: Double = 0.05,
        earlierKeys: [[UInt8]] = [],
        logOrigin: String? = nil,
        witnesses: WitnessSettings = .none,
        timeStamps: TimeStampSettings? = nil,
        logBucket: LogBucketSettings? = nil
    ) {
        self.host = host
        self.port = port
        self.certificate = certificate
        developmentMode = isDevelopmentMode
        self.apps = apps
        self.otherApps = otherApps
        self.limits = limits
        self.quotas = quotas
        self.exports = exports
        self.passwordCost = passwordCost
        self.clientAddressHeader = clientAddressHeader
        self.alerts = alerts
        self.unmaskingPurposes = unmaskingPurposes
        self.retentionShare = retentionShare
        self.earlierKeys = earlierKeys
        self.logOrigin = logOrigin
        self.witnesses = witnesses
        self.timeStamps = timeStamps
        self.logBucket = logBucket
    }

    /// Returns whether nobody but programs of this machine reaches an address.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Returns whether uploads create an app's collection and add columns to it.
    public func extendsSchema(of app: String) -> Bool {
        settings(of: app)?.isDevelopmentMode ?? isDevelopmentMode
    }

    /// Returns how users of an app sign in; nil when the server does not serve it.
    public func settings(of app: String) -> AppSettings? { served.settings(of: app) }

    /// What auditors do not see of the events of each app.
    public var masks: EventMasks { served.masks }

    /// What the objects of each app are called.
    public var labels: ObjectLabels { served.labels }

    /// The apps that the server serves.
    var served: ServedApps { ServedApps(apps, others: isDevelopmentMode ? otherApps : nil) }
}
