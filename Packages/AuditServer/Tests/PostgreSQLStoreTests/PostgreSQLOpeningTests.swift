import AuditModel
import Testing

@testable import PostgreSQLStore

@Suite("Opening PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct PostgreSQLOpeningTests {
    /// Opens a store that must be refused, and returns the sentence.
    private func refusal(_ address: String) async throws -> String {
        let error = try await #require(throws: AuditServerError.self) {
            try await PostgreSQLEventStore(PostgreSQLConfiguration.patient(address))
        }
        return error.description
    }

    @Test("an address that is none is refused with its form")
    func malformed() async throws {
        #expect(
            try await refusal("nonsense s3cret") == """
                The server cannot use the database: the address is not a connection string of PostgreSQL; \
                write it as postgresql://USER@HOST:PORT/DATABASE.
                """
        )
    }

    @Test("a server that does not answer is named so")
    func unreachable() async throws {
        #expect(
            try await refusal("host=/nonexistent password=s3cret") == """
                The server cannot use the database: PostgreSQL cannot be reached; check that it runs, and the host and the port.
                """
        )
    }

    @Test("a database that is missing is named so, with the command that makes it")
    func missingDatabase() async throws {
        let server = try await PostgreSQLServer.shared()

        #expect(
            try await refusal(server.address(database: "nobodys")) == """
                The server cannot use the database: the database does not exist; \
                create it with: createdb --encoding=UTF8 --template=template0 NAME.
                """
        )
    }

    @Test("a missing and a wrong password are told apart, and neither is repeated")
    func passwords() async throws {
        let server = try await PostgreSQLServer.shared()
        let guarded = server.address(database: "guarded")

        #expect(
            try await refusal(guarded) == """
                The server cannot use the database: PostgreSQL asks for a password; \
                set PGPASSWORD, or name a password file in PGPASSFILE.
                """
        )
        #expect(
            try await refusal("\(guarded) password=s3cret") == """
                The server cannot use the database: PostgreSQL refuses the role or its password; \
                check the user, PGPASSWORD or the password file, and pg_hba.conf.
                """
        )
    }

    @Test("a database in another encoding is refused with the command that makes a right one")
    func encoding() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase(options: "ENCODING 'LATIN1' TEMPLATE template0")

        #expect(
            try await refusal(address) == """
                The server cannot use the database: the encoding of the database is not UTF8; \
                create it with: createdb --encoding=UTF8 --template=template0 NAME.
                """
        )
    }

    @Test("tables of a newer version are left alone")
    func newerTables() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        _ = try await PostgreSQLEventStore(PostgreSQLConfiguration.patient(address))
        try await server.sql("INSERT INTO DaybookMigration (version, name) VALUES (99, 'later')", at: address)

        #expect(
            try await refusal(address) == """
                The server cannot use the database: the tables have version 99, made by a newer Daybook; \
                start that version of daybook.
                """
        )
    }

    @Test("whoever only looks learns how far the tables are, and makes none")
    func looking() async throws {
        let server = try await PostgreSQLServer.shared()
        let configuration = PostgreSQLConfiguration.patient(try await server.makeDatabase())

        let before = try await PostgreSQLOutlook.of(configuration)
        let again = try await PostgreSQLOutlook.of(configuration)
        _ = try await PostgreSQLEventStore(configuration)
        let after = try await PostgreSQLOutlook.of(configuration)
        try await server.sql(
            "INSERT INTO DaybookMigration (version, name) VALUES (99, 'later')",
            at: configuration.address
        )

        #expect(before.missingMigrations == PostgreSQLMigration.all.count)
        #expect(again == before)
        #expect(after.missingMigrations == 0)
        let parts = after.version.split(separator: ".")
        #expect(try #require(parts.first.flatMap { Int($0) }) >= 15)
        let error = await #expect(throws: AuditServerError.self) { try await PostgreSQLOutlook.of(configuration) }
        #expect(try #require(error).description.contains("the tables have version 99, made by a newer Daybook"))
    }

    @Test("a role that may make no tables is told to be made the owner")
    func forbiddenTables() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        try await server.sql("CREATE ROLE visitor LOGIN", at: address)

        #expect(
            try await refusal(address.replacing("user=daybook", with: "user=visitor")) == """
                The server cannot use the database: the role may not use the tables; make the role the owner of the database.
                """
        )
    }

    @Test("a server below version 15 is refused")
    func version() {
        #expect(PostgreSQLFailure.versionTooOld(140_010).reason == "PostgreSQL 14 is too old")
        #expect(PostgreSQLFailure.versionTooOld(140_010).remedy == "version 15 or later is needed")
    }
}
