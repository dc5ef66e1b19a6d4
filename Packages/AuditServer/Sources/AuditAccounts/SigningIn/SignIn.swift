package import AuditAdmission
package import AuditModel
package import EventModel

/// Finds out who somebody is by what they prove themselves with, and registers new users.
package struct SignIn: Sendable {
    /// What a request brings, by the names of the protocol.
    package struct Credentials: Decodable {
        package let provider: String
        package let key: String?
        package let username: String?
        package let password: String?
        package let token: String?
        /// The refresh token of a session of the same user that ends with this sign-in.
        package let replaces: String?
    }

    /// Somebody who has proven to be a user.
    package struct Proven: Sendable {
        package let user: EventOwner
        /// How, by the protocol's name of it.
        package let provider: String
        /// What was kept of the password then; nil when there was none.
        package var password: PasswordHash?
    }

    /// The provider of users who are everybody with a key.
    package static let apiKeyProvider = "api-key"
    /// How short a password of a new user may be, in characters.
    package static let minimumPassword = 8
    /// How long a password may be, in bytes.
    package static let maximumPassword = 1024

    package let apps: ServedApps
    package let accounts: any AccountStore
    package let limits: RequestLimits
    package let quotas: QuotaBook
    package let clock: any EventClock
    package let ids: any ObjectIdSource
    private let passwords: PasswordHashing
    /// The users whom the keys of the configuration stand for.
    private let keyUsers: Set<EventOwner>

    package init(
        apps: ServedApps,
        passwordCost: PasswordHash.Cost,
        accounts: any AccountStore,
        limits: RequestLimits,
        quotas: QuotaBook,
        clock: any EventClock,
        ids: any ObjectIdSource
    ) {
        self.apps = apps
        self.accounts = accounts
        self.limits = limits
        self.quotas = quotas
        self.clock = clock
        self.ids = ids
        passwords = PasswordHashing(cost: passwordCost)
        keyUsers = Set(apps.apiKeys.map { EventOwner(app: $0.app, user: $0.user) })
    }

    /// Finds out whom credentials name.
    ///
    /// - Throws: `AuditServerError` with `forbidden` for an app or a provider that is turned off and for a removed user,
    ///   `wrongCredentials` or `unauthorized` for wrong ones, `rejected` for missing ones, `tooManyRequests` after too many.
    package func user(of credentials: Credentials, app: String, from address: String) async throws -> Proven {
        let settings = try settings(of: app)
        var password: PasswordHash?
        let user: String
        switch credentials.provider {
        case "anon-user": user = try anonymous(settings, app)
        case Self.apiKeyProvider: user = try apiKey(credentials, app, settings)
        case "local-userpass":
            let account = try await account(credentials, app, settings, address)
            (user, password) = (account.user.user, account.hash)
        case "custom-token": user = try await customToken(credentials, app, settings)
        default:
            throw AuditServerError.rejected(
                reason: "the provider is none of 'anon-user', 'api-key', 'local-userpass' and 'custom-token'"
            )
        }
        let owner = EventOwner(app: app, user: user)
        guard try await !accounts.isRemoved(owner) else {
            throw AuditServerError.forbidden(reason: "the user was removed")
        }
        return Proven(user: owner, provider: credentials.provider, password: password)
    }

    /// Checks that the key that a session was begun with is still one of the configuration.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when it was withdrawn.
    package func checkKey(of session: UserSession) throws(AuditServerError) {
        guard session.provider != Self.apiKeyProvider || keyUsers.contains(session.owner) else {
            throw .unauthorized(reason: "the API key of its session was withdrawn")
        }
    }

    /// Registers a user with a password.
    ///
    /// - Throws: `AuditServerError` with `forbidden` when nobody may register, `rejected` for an address or a password
    ///   that cannot be used, `nameInUse` when the address has an account.
    package func register(_ typed: String, password: String, app: String, from address: String) async throws
        -> EventOwner
    {
        guard try settings(of: app).emailPassword == .registration else {
            throw AuditServerError.forbidden(reason: "nobody may register in this app; an administrator adds users")
        }
        try quotas.countNewUser(of: app)
        return try await add(typed, password: password, app: app, from: address)
    }

    /// Adds a user with a password, as an administrator may whenever passwords are turned on.
    package func add(_ typed: String, password: String, app: String, from address: String) async throws -> EventOwner {
        let email = try EmailAddress(typed)
        try Self.check(password)
        let user = EventOwner(app: app, user: ids.next().stringValue)
        let account = PasswordAccount(user: user, email: email, hash: try await passwords.hash(password, from: address))
        guard try await accounts.add(account) else { throw AuditServerError.nameInUse }
        return user
    }

    /// Replaces the password of a user.
    ///
    /// - Returns: The user.
    /// - Throws: `AuditServerError.rejected(reason:)` when there is no such user or the password cannot be used.
    package func setPassword(
        _ password: String,
        of typed: String,
        app: String,
        from address: String
    ) async throws -> EventOwner {
        let email = try EmailAddress(typed)
        try Self.check(password)
        let hash = try await passwords.hash(password, from: address)
        guard let user = try await accounts.setPassword(hash, of: email, app: app) else {
            throw AuditServerError.rejected(reason: "the app has no user of this address")
        }
        return user
    }

    /// Returns how users of an app sign in.
    ///
    /// - Throws: `AuditServerError` with `rejected` when it is no app id, and `forbidden` when the server does not serve it.
    package func settings(of app: String) throws(AuditServerError) -> AppSettings {
        try apps.servedSettings(of: app)
    }

    private static func check(_ password: String) throws(AuditServerError) {
        guard password.count >= minimumPassword, password.utf8.count <= maximumPassword else {
            throw .rejected(
                reason: "a password has at least \(minimumPassword) characters, and \(maximumPassword) bytes at most"
            )
        }
    }
}

// MARK: - Providers

extension SignIn {
    private func anonymous(_ settings: AppSettings, _ app: String) throws(AuditServerError) -> String {
        guard settings.allowsAnonymousUsers else {
            throw .forbidden(reason: "anonymous users are turned off in this app")
        }
        try quotas.countNewUser(of: app)
        return ids.next().stringValue
    }

    private func apiKey(_ credentials: Credentials, _ app: String, _ settings: AppSettings) throws(AuditServerError)
        -> String
    {
        guard let secret = credentials.key else { throw .rejected(reason: "'api-key' needs a 'key'") }
        guard let key = settings.apiKeys.first(where: { $0.app == app && $0.isMade(from: secret) }) else {
            throw .wrongCredentials("The API key is not one of this app.")
        }
        return key.user
    }

    private func account(
        _ credentials: Credentials,
        _ app: String,
        _ settings: AppSettings,
        _ address: String
    ) async throws -> PasswordAccount {
        guard settings.emailPassword != .off else {
            throw AuditServerError.forbidden(reason: "passwords are turned off in this app")
        }
        guard let typed = credentials.username, let password = credentials.password,
            password.utf8.count <= Self.maximumPassword
        else { throw AuditServerError.rejected(reason: "'local-userpass' needs a 'username' and a 'password'") }
        let email = try EmailAddress(typed)
        try limits.reservePassword(of: email.text, app: app, from: address)
        let account: PasswordAccount?
        do {
            let found = try await accounts.account(of: email, app: app)
            account = try await passwords.matches(password, found?.hash, from: address) ? found : nil
        } catch {
            // Nobody learned whether it is the right one.
            limits.returnPassword(of: email.text, app: app, from: address)
            throw error
        }
        guard let account else {
            throw AuditServerError.wrongCredentials("The e-mail address or the password is wrong.")
        }
        limits.returnPassword(of: email.text, app: app, from: address)
        return account
    }

    private func customToken(_ credentials: Credentials, _ app: String, _ settings: AppSettings) async throws -> String
    {
        guard let tokens = settings.customTokens else {
            throw AuditServerError.forbidden(reason: "custom tokens are turned off in this app")
        }
        guard let token = credentials.token else {
            throw AuditServerError.rejected(reason: "'custom-token' needs a 'token'")
        }
        let subject = try await tokens.subject(of: token, now: clock.now().wall)
        return UserName.id(provider: "custom-token", app: app, name: subject)
    }
}
