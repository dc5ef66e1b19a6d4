import PostgreSQLStore

extension PostgreSQLConfiguration {
    /// A database on a machine that others use: nobody is sent away because it is slow.
    ///
    /// - Parameters:
    ///   - address: A connection string of libpq.
    ///   - storingConnections: How many connections store.
    ///   - readingConnections: How many connections read.
    ///   - readingPatience: How long who reads waits for standbys, in milliseconds; short where none will come.
    /// - Returns: The configuration.
    static func patient(
        _ address: String,
        storingConnections: Int = 4,
        readingConnections: Int = 2,
        readingPatience: Int = 600_000
    ) -> PostgreSQLConfiguration {
        PostgreSQLConfiguration(
            address: address,
            storingConnections: storingConnections,
            readingConnections: readingConnections,
            waitNanoseconds: 600_000_000_000,
            readingPatience: readingPatience
        )
    }
}
