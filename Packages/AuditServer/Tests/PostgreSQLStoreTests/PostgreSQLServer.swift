import Foundation
import Synchronization
import Testing

@testable import PostgreSQLStore

/// A server of PostgreSQL in a folder of its own, for as long as somebody refers to it.
///
/// A shell starts it and waits at a pipe from this process. When the pipe closes, with the last reference or because the
/// process is gone, the shell stops the server and removes the folder: nothing is left behind by a test that crashes.
final class PostgreSQLServer: Sendable {
    /// Where the server's sockets are.
    let folder: String
    private let shell: Shell
    private let databaseCount = Mutex(0)

    private static let sharedServer = Task { try await PostgreSQLServer(hasStandby: false) }

    /// The one server that all tests share which need nothing special of it; each has databases of its own.
    static func shared() async throws -> PostgreSQLServer { try await sharedServer.value }

    /// Makes and starts a server.
    ///
    /// - Parameter hasStandby: Whether commits wait for a second one, which has everything of the first.
    /// - Throws: When a program of PostgreSQL fails; what it said is on stderr or lost.
    init(hasStandby: Bool) async throws {
        shell = try Shell(Self.script, [hasStandby ? "yes" : "no"])
        folder = try await shell.line()
    }

    /// Makes a database; what stands behind `CREATE DATABASE name` are its options.
    func makeDatabase(options: String = "") async throws -> String {
        let number = databaseCount.withLock { count in
            count += 1
            return count
        }
        try await sql("CREATE DATABASE ward_\(number) \(options)")
        return address(database: "ward_\(number)")
    }

    /// Returns the address of a database on the first server, or the second.
    func address(database: String = "postgres", port: Int = 5432) -> String {
        "host=\(folder) port=\(port) user=daybook dbname=\(database)"
    }

    /// Runs a statement that returns nothing.
    func sql(_ statement: String, at address: String? = nil) async throws {
        try await ConnectionLane(address: address ?? self.address(), name: "test").run { try $0.run(statement) }
    }

    /// Runs a query and returns the texts of its first column.
    func texts(_ query: String, at address: String) async throws -> [String?] {
        try await ConnectionLane(address: address, name: "test")
            .run { connection in
                let rows = try connection.rows(query)
                return (0..<rows.count).map { rows.text($0, 0) }
            }
    }

    /// Dumps a database and restores it into an empty one, as a backup does.
    func copyDatabase(_ address: String, to restored: String) async throws {
        let file = "\(folder)/copy.dump"
        let shell = try Shell(
            """
            PATH="$1:$PATH"
            { pg_dump -Fc -f '\(file)' -d '\(address)' && pg_restore --exit-on-error -d '\(restored)' '\(file)'; } </dev/null
            echo $?
            """
        )
        let status = try await shell.line()
        try #require(status == "0", "the dump or its restore failed")
    }

    // MARK: - Nodes

    /// Kills the second server as a power cut would, as far as the first can tell.
    func stopStandby() async throws { try await control("-m immediate -w stop", node: "standby") }

    /// Starts the second server again, unless it runs, and returns when it answers.
    func startStandby() async throws {
        try await control(
            """
            status >/dev/null || \(Self.detached) pg_ctl -D '\(folder)/standby' -w -l '\(folder)/standby.log' start
            """,
            node: "standby"
        )
    }

    /// Kills the first server.
    func stopPrimary() async throws { try await control("-m immediate -w stop", node: "primary") }

    /// Makes the second server the first, and returns when it takes writes.
    func promoteStandby() async throws { try await control("-w promote", node: "standby") }

    private func control(_ action: String, node: String) async throws {
        let shell = try Shell(
            "PATH=\"$1:$PATH\"; pg_ctl -D '\(folder)/\(node)' \(action) >/dev/null </dev/null; echo $?"
        )
        let status = try await shell.line()
        try #require(status == "0", "pg_ctl \(action) of the \(node) failed")
    }

    /// Returns when sessions of a database wait for the standby.
    ///
    /// PostgreSQL tells nobody when one begins to wait; the server itself looks, again and again for ten minutes.
    func waitUntilWaitingForStandby(_ address: String) async throws {
        let database = try #require(address.split(separator: "=").last)
        try await sql(
            """
            DO $$ BEGIN
                FOR attempt IN 1..60000 LOOP
                    PERFORM pg_stat_clear_snapshot();
                    IF EXISTS (
                        SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = '\(database)'
                    ) THEN RETURN; END IF;
                    PERFORM pg_sleep(0.01);
                END LOOP;
                RAISE EXCEPTION 'no session waits for the standby';
            END $$
            """
        )
    }

    /// Calls a function such as `pg_cancel_backend` for the sessions of a database that wait for the standby.
    func signalWaiting(_ address: String, with function: String) async throws {
        let database = try #require(address.split(separator: "=").last)
        try await sql(
            """
            DO $$ BEGIN
                PERFORM \(function)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = '\(database)';
            END $$
            """
        )
    }

    // MARK: - Starting

    /// Where the programs of the server are; nil when it is not installed.
    static let programs: String? = [
        "/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin",
        "/opt/homebrew/opt/postgresql@15/bin", "/usr/local/opt/postgresql@15/bin",
    ]
    .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }

    /// Whether the tests can run.
    static var isInstalled: Bool { programs != nil }

    /// What is said of the tests where they cannot run.
    static let skipped: Comment = "The server of PostgreSQL is not installed (Debian: apt-get install postgresql)."

    /// Runs a program that leaves a server behind, without the files of the shell that starts it.
    ///
    /// Foundation notices the end of a process by the end of a socket that all its descendants hold. Where one stays, the process is
    /// never waited for, and Swift Testing's thread that waits for exit tests finds it dead again and again: it takes a processor.
    private static let detached = "perl -MPOSIX -e 'POSIX::close($_) for 3..255; exec @ARGV or die $!'"

    /// Prints the folder once the servers answer, and cleans up when its input ends.
    private static let script = """
        set -e
        PATH="$1:$PATH"
        umask 077
        folder=$(mktemp -d /tmp/daybook-pg.XXXXXX)
        clean_up() {
            for node in "$folder"/*/postmaster.pid; do
                if [ -e "$node" ]; then pg_ctl -D "${node%/*}" -m immediate -w stop >/dev/null 2>&1 || true; fi
            done
            rm -rf "$folder"
        }
        trap clean_up EXIT
        trap 'exit 1' HUP INT TERM
        cd "$folder"
        initdb -D primary -A trust -U daybook -E UTF8 --locale=C --no-sync --no-instructions >initdb.log 2>&1
        cat >>primary/postgresql.conf <<CONF
        listen_addresses = ''
        unix_socket_directories = '$folder'
        fsync = off
        shared_buffers = 16MB
        max_connections = 300
        max_wal_size = 256MB
        CONF
        echo 'local guarded all scram-sha-256' | cat - primary/pg_hba.conf >hba
        mv hba primary/pg_hba.conf
        if [ "$2" = yes ]; then
            echo "synchronous_standby_names = 'ANY 1 (standby)'" >>primary/postgresql.conf
        fi
        pg_ctl -D primary -w -l primary.log start >/dev/null </dev/null
        if [ "$2" = yes ]; then
            pg_basebackup -R -D standby -c fast --no-sync \\
                -d "host=$folder port=5432 user=daybook application_name=standby" >backup.log 2>&1
            echo 'port = 5433' >>standby/postgresql.conf
            echo "synchronous_standby_names = ''" >>standby/postgresql.conf
            pg_ctl -D standby -w -l standby.log start >/dev/null </dev/null
        fi
        echo "$folder"
        cat >/dev/null
        """
}
