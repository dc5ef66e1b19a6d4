public import EventModel

/// What begins when somebody signs in, and ends all tokens that came of it when it ends.
///
/// Each renewal makes the next generation of tokens. The server knows which generation is the newest, and whether the device
/// has it: it has, once a token of that generation was used.
///
/// ```
///  sign in ──▶ 1 ──renew──▶ 2 ──renew──▶ 3
///              the answer is lost: 1 comes again, nothing of 2 was ever used  ──▶ 2 once more
///              two programs of a device renew at once: 1 comes within a minute ──▶ 2 once more
///              somebody has a copy: 1 comes again after 2 was used             ──▶ the session ends
/// ```
/// A copy that is given 2 in that minute is found out by the next renewal: only one of the two has the successor by then.
public struct UserSession: Sendable, Hashable {
    /// What came of the use of a refresh token.
    public enum Renewal: Sendable, Hashable {
        /// The session has a next generation.
        case renewed
        /// The answer before was lost, so that its generation is given once more.
        case repeated
        /// The token was used before, and its successor, too: somebody has a copy.
        case reused
    }

    /// How long a session lasts after its last renewal, in seconds: 60 days.
    public static let lifetimeSeconds: Int64 = 5_184_000
    /// How long a refresh token is accepted after its successor was used, in seconds: a minute.
    public static let graceSeconds: Int64 = 60

    /// The id, 24 hexadecimal digits, which is in the tokens.
    public let id: String
    /// Whose session it is.
    public let owner: EventOwner
    /// How the user signed in, by the protocol's name of it.
    public let provider: String
    /// When the user signed in.
    public let began: EventInstant
    /// When it was renewed last.
    public private(set) var renewed: EventInstant
    /// When its time is over.
    public private(set) var expires: EventInstant
    /// The address that it was renewed from last.
    public private(set) var address: String
    /// The number of its newest tokens, which begins at 1.
    public private(set) var generation: Int64
    /// Whether a token of the newest generation was used, so that the device has it.
    public private(set) var isConfirmed: Bool

    /// Describes a session that begins.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - owner: Whose session it is.
    ///   - provider: How the user signed in.
    ///   - now: The server's clock.
    ///   - seconds: How long it lasts.
    ///   - address: The address that the user signed in from.
    public init(
        id: String,
        owner: EventOwner,
        provider: String,
        at now: EventInstant,
        lasting seconds: Int64 = Self.lifetimeSeconds,
        from address: String
    ) {
        self.init(
            id: id,
            owner: owner,
            provider: provider,
            began: now,
            renewed: now,
            expires: EventInstant(microseconds: now.microseconds + seconds * 1_000_000),
            address: address,
            generation: 1,
            isConfirmed: false
        )
    }

    /// Describes a session as it is kept.
    package init(
        id: String,
        owner: EventOwner,
        provider: String,
        began: EventInstant,
        renewed: EventInstant,
        expires: EventInstant,
        address: String,
        generation: Int64,
        isConfirmed: Bool
    ) {
        self.id = id
        self.owner = owner
        self.provider = provider
        self.began = began
        self.renewed = renewed
        self.expires = expires
        self.address = address
        self.generation = generation
        self.isConfirmed = isConfirmed
    }

    /// What its newest tokens say of it.
    public var stamp: SessionStamp { SessionStamp(session: id, generation: generation) }

    /// Takes a refresh token of a generation.
    ///
    /// A generation that is not known yet was issued all the same: the database was set back to a copy of it.
    ///
    /// - Parameters:
    ///   - presented: The generation of the token.
    ///   - now: The server's clock.
    ///   - address: Where the request comes from.
    /// - Returns: What came of it; a session whose token was used twice has to end.
    package mutating func renew(_ presented: Int64, at now: EventInstant, from address: String) -> Renewal {
        let isRecent = now.microseconds - renewed.microseconds <= Self.graceSeconds * 1_000_000
        let isPredecessor = presented == generation - 1 && (!isConfirmed || isRecent)
        guard presented >= generation || isPredecessor else { return .reused }
        expires = EventInstant(microseconds: now.microseconds + Self.lifetimeSeconds * 1_000_000)
        self.address = address
        // The minute is counted from the first answer, or it would never end.
        if isPredecessor && isConfirmed { return .repeated }
        renewed = now
        if isPredecessor { return .repeated }
        generation = presented + 1
        isConfirmed = false
        return .renewed
    }

    /// Learns that a token of a generation was used.
    ///
    /// - Returns: Whether that was news.
    package mutating func confirm(_ used: Int64) -> Bool {
        guard used == generation, !isConfirmed else { return false }
        isConfirmed = true
        return true
    }
}

/// What a token says of its session.
public struct SessionStamp: Sendable, Hashable {
    /// The id of the session.
    public let session: String
    /// The number of the token among those of the session.
    public let generation: Int64

    /// Names a session and a generation.
    public init(session: String, generation: Int64) {
        self.session = session
        self.generation = generation
    }
}
