public import AuditModel

/// How one app's users sign in, and what its collection may hold.
public struct AppSettings: Sendable {
    /// What may be done with e-mail addresses and passwords.
    public enum EmailPassword: String, Sendable, Hashable, CaseIterable {
        /// Nobody signs in with a password.
        case off
        /// Users who are registered sign in; nobody registers.
        case signIn
        /// Anybody may register, too.
        case registration
    }

    /// Whether anybody may sign in as a new anonymous user; true by default.
    public var allowsAnonymousUsers: Bool
    /// The keys with which programs sign in; none by default.
    public var apiKeys: [APIKey]
    /// What may be done with e-mail addresses and passwords; nothing by default.
    public var emailPassword: EmailPassword
    /// How tokens of another identity provider are checked; nil, the default, refuses them.
    public var customTokens: CustomTokens?
    /// Whether uploads create the collection and add metadata columns; nil, the default, is as the server does.
    public var isDevelopmentMode: Bool?
    /// The metadata columns that the collection has from the start; nil, the default, leaves it as it is.
    ///
    /// An empty list makes a collection without any. Columns that are there and not in the list stay.
    public var metadataColumns: [String]?
    /// Who may use which partitions; everybody all that is theirs by default.
    public var partitionRules: PartitionRules
    /// Who shares which realms; nil, the default, is everybody all in Development Mode, and nobody any else.
    public var realmRules: RealmRules?
    /// After how many days the entries of realms' logs go, `RetentionRule.allowedDays`; nil, the default, keeps them for ever.
    public var realmHistoryDays: Int?
    /// How long events are kept; nil, the default, keeps them for ever.
    public var retention: RetentionRule?
    /// What auditors do not see of the app's events; nothing by default.
    public var mask: EventMask
    /// What the objects of the app's classes are called; nothing by default.
    public var labels: ClassLabels
    /// Who the app's users are; nobody is named by default.
    public var staff: StaffDirectory

    /// Creates settings.
    public init(
        allowsAnonymousUsers: Bool = true,
        apiKeys: [APIKey] = [],
        emailPassword: EmailPassword = .off,
        customTokens: CustomTokens? = nil,
        isDevelopmentMode: Bool? = nil,
        metadataColumns: [String]? = nil,
        partitionRules: PartitionRules = PartitionRules(),
        realmRules: RealmRules? = nil,
        realmHistoryDays: Int? = nil,
        retention: RetentionRule? = nil,
        mask: EventMask = .none,
        labels: ClassLabels = .none,
        staff: StaffDirectory = .none
    ) {
        self.allowsAnonymousUsers = allowsAnonymousUsers
        self.apiKeys = apiKeys
        self.emailPassword = emailPassword
        self.customTokens = customTokens
        self.isDevelopmentMode = isDevelopmentMode
        self.metadataColumns = metadataColumns
        self.partitionRules = partitionRules
        self.realmRules = realmRules
        self.realmHistoryDays = realmHistoryDays
        self.retention = retention
        self.mask = mask
        self.labels = labels
        self.staff = staff
    }
}
