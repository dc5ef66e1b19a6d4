import CPostgreSQL

/// Where PostgreSQL is, and how much of it a server uses.
public struct PostgreSQLConfiguration: Sendable {
    /// A connection string of libpq, such as `postgresql://daybook@db1,db2,db3/audit?sslmode=verify-full`.
    ///
    /// What it leaves out comes from libpq's environment and files, passwords above all: `PGPASSWORD`, `PGPASSFILE`.
    public var address: String
    /// How many connections store stretches; 8 by default.
    ///
    /// Each may wait for a standby as long as that takes.
    public var storingConnections: Int
    /// How many connections read; 4 by default.
    ///
    /// They are apart, so that auditors are answered while no standby is.
    public var readingConnections: Int
    /// How many requests may wait for a connection of each kind, and how many seals for a commit; 1,000 by default.
    public var maximumWaiting: Int
    /// How long a request may wait for a connection, or a seal for the commit before its own, in nanoseconds; 10 seconds by default.
    public var waitNanoseconds: UInt64
    /// How long somebody who reads or signs in waits for the standbys, in milliseconds; 3,000 by default.
    ///
    /// What an auditor reads is recorded first, and the record is on the standbys before anything is shown. A session is on them
    /// before anybody has its tokens.
    public var readingPatience: Int

    /// Describes a database.
    public init(
        address: String,
        storingConnections: Int = 8,
        readingConnections: Int = 4,
        maximumWaiting: Int = 1000,
        waitNanoseconds: UInt64 = 10_000_000_000,
        readingPatience: Int = 3000
    ) {
        self.address = address
        self.storingConnections = storingConnections
        self.readingConnections = readingConnections
        self.maximumWaiting = maximumWaiting
        self.waitNanoseconds = waitNanoseconds
        self.readingPatience = readingPatience
    }

    /// Whether the address itself holds a password; false also for an address that is malformed.
    public var hasPassword: Bool {
        guard let options = PQconninfoParse(address, nil) else { return false }
        defer { PQconninfoFree(options) }
        var option = options
        // The list ends with an option without a name.
        while let name = option.pointee.keyword {
            if String(cString: name) == "password" && option.pointee.val != nil { return true }
            option += 1
        }
        return false
    }
}
