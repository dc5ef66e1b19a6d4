/// What one client may ask of the server, so that none can take it from the others.
public struct ServerLimits: Sendable, Hashable {
    /// How often something may be done.
    public struct Rate: Sendable, Hashable {
        /// How often in a minute, on the long run.
        public var perMinute: Int
        /// How often at once, after a time of rest.
        public var burst: Int

        /// Creates a rate.
        public init(perMinute: Int, burst: Int) {
            self.perMinute = perMinute
            self.burst = burst
        }
    }

    /// The requests of one user, or of one address that has not signed in: 1,200 a minute, 200 at once.
    public var requests: Rate
    /// The sign-ins and registrations from one address, and the renewals of one session: 120 a minute, 60 at once, for the
    /// devices of one house.
    public var signIns: Rate
    /// The wrong passwords of one account from one address: 10 a minute, 10 at once.
    public var wrongPasswords: Rate
    /// How often one reviewer may have masked values shown: 30 a minute, 10 at once.
    public var unmaskings: Rate
    /// How many sessions one user may have; 10,000, for the devices that share an API key.
    ///
    /// One more ends one of the address that has the most.
    public var sessionsPerUser: Int
    /// How many connections may be open; 2,048.
    public var connections: Int
    /// How long a connection may say nothing, in seconds; 75.
    public var idleSeconds: Int
    /// How long the body of one request may take, in seconds; 120.
    public var bodySeconds: Int

    /// Creates limits.
    public init(
        requests: Rate = Rate(perMinute: 1200, burst: 200),
        signIns: Rate = Rate(perMinute: 120, burst: 60),
        wrongPasswords: Rate = Rate(perMinute: 10, burst: 10),
        unmaskings: Rate = Rate(perMinute: 30, burst: 10),
        sessionsPerUser: Int = 10_000,
        connections: Int = 2048,
        idleSeconds: Int = 75,
        bodySeconds: Int = 120
    ) {
        self.requests = requests
        self.signIns = signIns
        self.wrongPasswords = wrongPasswords
        self.unmaskings = unmaskings
        self.sessionsPerUser = sessionsPerUser
        self.connections = connections
        self.idleSeconds = idleSeconds
        self.bodySeconds = bodySeconds
    }
}
