import BenchmarkHarness
import Foundation

/// One node of PostgreSQL or three, started for a turn on sockets in a temporary folder; syncs reach the disk.
///
/// A shell starts them and waits at a pipe from this process: when the pipe closes it stops them and removes the folder.
final class PostgreSQLNodes {
    /// The address of the first node's database.
    let address: String
    private let programs: String
    private let input: FileHandle
    private let process: Process

    /// Starts the nodes and returns when they answer.
    ///
    /// - Parameter count: How many there are; with more than one a commit waits until one of the others has it.
    /// - Throws: `SkippedBenchmark` where PostgreSQL is not installed.
    init(count: Int) throws {
        let found =
            ["15", "16", "17"].map { "/usr/lib/postgresql/\($0)/bin" }
            + ["/opt/homebrew/opt/postgresql@15/bin", "/usr/local/opt/postgresql@15/bin"]
        // LIVE: the outermost layer.
        guard let programs = found.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }) else {
            throw SkippedBenchmark("PostgreSQL is not installed (Debian: apt-get install postgresql).")
        }
        self.programs = programs
        process = Process()
        let (input, output) = (Pipe(), Pipe())
        (process.executableURL, process.arguments) = Self.command(Self.script, [programs, "\(count)"])
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        var line = Data()
        while line.last != 0x0A {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw BenchError.serverDidNotStart }
            line += bytes
        }
        address = "host=\(String(decoding: line.dropLast(), as: UTF8.self)) user=daybook dbname=postgres"
    }

    deinit {
        // Already closed or not, the shell ends with its input; nothing is left to do about a failure.
        try? input.close()
        process.waitUntilExit()
    }

    /// Runs SQL through `psql`, each text in a session of its own and all at once.
    func run(_ texts: [String]) throws {
        let sessions = try texts.map { text in
            let session = Process()
            let pipe = Pipe()
            (session.executableURL, session.arguments) = Self.command(
                "exec \"$1/psql\" -q -X -v ON_ERROR_STOP=1 \"$2\"",
                [programs, address]
            )
            session.currentDirectoryURL = URL(filePath: "/")
            session.standardInput = pipe
            try session.run()
            Thread.detachNewThread {
                // A session that has failed closes its end; its exit status says so.
                try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
                try? pipe.fileHandleForWriting.close()
            }
            return session
        }
        for session in sessions {
            session.waitUntilExit()
            guard session.terminationStatus == 0 else { throw BenchError.sqlFailed }
        }
    }

    /// PostgreSQL refuses to run as root.
    private static func command(_ script: String, _ arguments: [String]) -> (URL, [String]) {
        let shell = ["-c", script, "sh"] + arguments
        guard getuid() == 0 else { return (URL(filePath: "/bin/sh"), shell) }
        return (URL(filePath: "/usr/bin/env"), ["runuser", "-u", "nobody", "--", "/bin/sh"] + shell)
    }

    /// Prints the folder once the nodes answer, and cleans up when its input ends.
    private static let script = """
        set -e
        PATH="$1:$PATH"
        umask 077
        folder=$(mktemp -d /tmp/daybook-bench-pg.XXXXXX)
        clean_up() {
            for node in "$folder"/*/postmaster.pid; do
                if [ -e "$node" ]; then pg_ctl -D "${node%/*}" -m immediate -w stop >/dev/null 2>&1 || true; fi
            done
            rm -rf "$folder"
        }
        trap clean_up EXIT
        trap 'exit 1' HUP INT TERM
        cd "$folder"
        initdb -D node1 -A trust -U daybook -E UTF8 --locale=C --no-sync --no-instructions >initdb.log 2>&1
        cat >>node1/postgresql.conf <<CONF
        listen_addresses = ''
        unix_socket_directories = '$folder'
        shared_buffers = 128MB
        max_wal_size = 2GB
        CONF
        pg_ctl -D node1 -w -l node1.log start >/dev/null </dev/null
        number=2
        while [ "$number" -le "$2" ]; do
            pg_basebackup -R -D "node$number" -c fast --no-sync \\
                -d "host=$folder port=5432 user=daybook application_name=node$number" >backup.log 2>&1
            echo "port = $((5431 + number))" >>"node$number/postgresql.conf"
            pg_ctl -D "node$number" -w -l "node$number.log" start >/dev/null </dev/null
            number=$((number + 1))
        done
        if [ "$2" -gt 1 ]; then
            psql -q -X -h "$folder" -U daybook postgres >settings.log 2>&1 <<SQL
        ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (node2, node3)';
        SELECT pg_reload_conf();
        SQL
        fi
        echo "$folder"
        cat >/dev/null
        """
}
