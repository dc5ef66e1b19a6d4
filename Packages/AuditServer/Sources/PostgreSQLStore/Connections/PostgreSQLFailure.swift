import AuditModel

/// What can go wrong between the store and PostgreSQL, without the words of either: those may quote values.
enum PostgreSQLFailure: Error, Equatable {
    /// Thrown when the address is no connection string of libpq.
    case malformedAddress
    /// Thrown when no server answers at the address.
    case unreachable
    /// Thrown when the server wants a password and none is known.
    case passwordMissing
    /// Thrown when the server answers a connection with a refusal, with the SQLSTATE.
    case connectionRefused(state: String)
    /// Thrown when the server is older than the oldest that is supported, with its version.
    case versionTooOld(Int32)
    /// Thrown when the database has another encoding than UTF-8.
    case encodingUnsuitable
    /// Thrown when the tables were made by a newer version of Daybook.
    case schemaTooNew(Int64)
    /// Thrown when a statement failed, with the SQLSTATE.
    case statementRefused(state: String)
    /// Thrown when the connection ended before a commit was asked for: nothing is stored.
    case connectionLost
    /// Thrown when the connection ended while a commit was under way: nobody knows whether it is stored.
    case outcomeUnknown
    /// Thrown when a commit is on the disk of one server and no standby has confirmed it.
    case notReplicated
    /// Thrown when all connections are in use and too many requests wait already, or one waited for too long.
    case overloaded
    /// Thrown when a row holds what the store never writes.
    case damaged(what: String)
}

extension PostgreSQLFailure {
    /// Whether the same work may be tried again at once: nothing is stored, and the cause is likely gone.
    var isPassing: Bool {
        switch self {
        case .connectionLost: true
        // A deadlock, a serialization failure, and a server that has just become a standby.
        case .statementRefused(let state): ["40P01", "40001", "25006"].contains(state)
        default: false
        }
    }

    /// Whether a row is to blame, what it holds or what is there already, so that others may go on without it.
    var isOfRows: Bool {
        guard case .statementRefused(let state) = self else { return false }
        return state.hasPrefix("22") || state.hasPrefix("23")
    }

    /// What is wrong, as half a sentence.
    var reason: String {
        switch self {
        case .malformedAddress: "the address is not a connection string of PostgreSQL"
        case .unreachable: "PostgreSQL cannot be reached"
        case .passwordMissing: "PostgreSQL asks for a password"
        case .connectionRefused(let state): refusal(state)
        case .versionTooOld(let version): "PostgreSQL \(version / 10_000) is too old"
        case .encodingUnsuitable: "the encoding of the database is not UTF8"
        case .schemaTooNew(let version): "the tables have version \(version), made by a newer Daybook"
        case .statementRefused(let state): statement(state)
        case .connectionLost: "the connection to PostgreSQL was lost, and nothing was stored"
        case .outcomeUnknown: "the connection to PostgreSQL was lost during a commit"
        case .notReplicated: "no standby has confirmed the commit"
        case .overloaded: "too many requests wait for PostgreSQL"
        case .damaged(let what): "\(what) is damaged"
        }
    }

    /// What whoever starts the server can do about it, as half a sentence.
    var remedy: String {
        switch self {
        case .malformedAddress: "write it as postgresql://USER@HOST:PORT/DATABASE"
        case .unreachable: "check that it runs, and the host and the port"
        case .passwordMissing: "set PGPASSWORD, or name a password file in PGPASSFILE"
        case .connectionRefused(let state): remedy(state)
        case .versionTooOld: "version 15 or later is needed"
        case .encodingUnsuitable: "create it with: createdb --encoding=UTF8 --template=template0 NAME"
        case .schemaTooNew: "start that version of daybook"
        case .statementRefused("42501"): "make the role the owner of the database"
        case .statementRefused, .connectionLost, .outcomeUnknown, .notReplicated, .damaged:
            "the log of PostgreSQL says more"
        case .overloaded: "try again later"
        }
    }

    private func refusal(_ state: String) -> String {
        switch state {
        case "28P01", "28000": "PostgreSQL refuses the role or its password"
        case "3D000": "the database does not exist"
        case "53300": "PostgreSQL has no connection left"
        case "57P03": "PostgreSQL is starting up or shutting down"
        default: "PostgreSQL refuses the connection with code \(state)"
        }
    }

    private func remedy(_ state: String) -> String {
        switch state {
        case "28P01", "28000": "check the user, PGPASSWORD or the password file, and pg_hba.conf"
        case "3D000": "create it with: createdb --encoding=UTF8 --template=template0 NAME"
        case "53300": "raise max_connections there"
        default: "the log of PostgreSQL says more"
        }
    }

    private func statement(_ state: String) -> String {
        switch state {
        case "53100": "the disk of PostgreSQL is full"
        case "25006": "PostgreSQL is a standby and takes no writes"
        case "42501": "the role may not use the tables"
        case "57014": "another request that waits for the standbys is in the way"
        case "42P01", "42703": "a table of the store is missing or was changed"
        default: "PostgreSQL answered with code \(state)"
        }
    }
}

extension PostgreSQLFailure {
    /// Says what failed in the server's words; PostgreSQL's own sentence may quote values.
    static func naming<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let failure as PostgreSQLFailure {
            throw AuditServerError(serving: failure)
        }
    }
}

extension AuditServerError {
    /// Says in the server's words why a store on PostgreSQL cannot be opened.
    init(opening failure: PostgreSQLFailure) {
        self = .inaccessible(path: "the database", reason: "\(failure.reason); \(failure.remedy)")
    }

    /// Says in the server's words why a request fails; the same one may work later.
    init(serving failure: PostgreSQLFailure) {
        self = .unavailable(reason: failure.reason)
    }
}
