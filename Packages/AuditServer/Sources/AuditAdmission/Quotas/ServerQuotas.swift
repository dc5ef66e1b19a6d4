/// How much users and apps may bring, so that none of them fills the disk that all share.
///
/// A quota is full at first and fills up evenly: who used up the one of a day has a twenty-fourth of it an hour later. Apps that are
/// not set up share one, because anybody can think of another id while Development Mode is on.
public struct ServerQuotas: Sendable, Hashable {
    /// The bytes that one user may upload in a day: 16 GiB, because devices that share an API key are one user.
    public var userBytesPerDay: Int
    /// The bytes that the users of one app may upload in a day: 256 GiB.
    public var appBytesPerDay: Int
    /// The partitions that one user may begin in a day: 100,000, for thousands of devices that share an API key.
    public var userPartitionsPerDay: Int
    /// The partitions that the users of one app may begin in a day: 1,000,000.
    public var appPartitionsPerDay: Int
    /// How many anonymous users may sign in for the first time, and others register, in one app and hour: 10,000.
    public var newUsersPerHour: Int
    /// Up to how many metadata columns Development Mode adds some to an app: 100; administrators may add more.
    public var developmentColumns: Int

    /// Creates quotas.
    public init(
        userBytesPerDay: Int = 17_179_869_184,
        appBytesPerDay: Int = 274_877_906_944,
        userPartitionsPerDay: Int = 100_000,
        appPartitionsPerDay: Int = 1_000_000,
        newUsersPerHour: Int = 10_000,
        developmentColumns: Int = 100
    ) {
        self.userBytesPerDay = userBytesPerDay
        self.appBytesPerDay = appBytesPerDay
        self.userPartitionsPerDay = userPartitionsPerDay
        self.appPartitionsPerDay = appPartitionsPerDay
        self.newUsersPerHour = newUsersPerHour
        self.developmentColumns = developmentColumns
    }
}
