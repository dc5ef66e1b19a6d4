import CPostgreSQL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One connection to PostgreSQL; every call blocks, and calls come from one thread at a time.
///
/// The session is made independent of the server's defaults: commits wait for the standbys that the server names, and
/// nothing has a timeout, because a commit that is cancelled while it waits succeeds without them.
final class PostgreSQLConnection {
    /// The oldest server that is supported.
    static let minimumVersion: Int32 = 150_000

    let handle: OpaquePointer
    let notices = NoticeLog()
    /// Whether the next transaction may use it.
    private(set) var isUsable = true
    // TEXT: statements of ours.
    private var statementNames: [String: String] = [:]

    /// Connects.
    ///
    /// - Parameter address: A connection string of libpq. What it does not say comes from libpq's environment and
    ///   files; of several servers the primary is used, and a vanished host is noticed in half a minute.
    /// - Throws: Why there is no connection that the store can use.
    init(_ address: String) throws(PostgreSQLFailure) {
        guard let handle = Self.connect(address) else { throw .unreachable }
        self.handle = handle
        notices.listen(to: handle)
        guard PQstatus(handle) == CONNECTION_OK else { throw Self.refusal(handle) }
        let version = PQserverVersion(handle)
        guard version >= Self.minimumVersion else { throw .versionTooOld(version) }
        guard PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }) == "UTF8" else {
            throw .encodingUnsuitable
        }
        _ = try rows(
            """
            SELECT set_config(wanted.name, wanted.setting, false)
            FROM (VALUES
                ('synchronous_commit', 'on'), ('client_min_messages', 'warning'),
                ('statement_timeout', '0'), ('lock_timeout', '0'), ('transaction_timeout', '0'),
                ('idle_in_transaction_session_timeout', '0'), ('idle_session_timeout', '0'),
                ('default_transaction_isolation', 'read committed'), ('default_transaction_read_only', 'off'),
                ('jit', 'off')
            ) AS wanted (name, setting) JOIN pg_settings ON pg_settings.name = wanted.name
            """
        )
    }

    deinit {
        PQfinish(handle)
    }

    // MARK: - Connecting

    /// Throws for a text that is no connection string.
    static func check(_ address: String) throws(PostgreSQLFailure) {
        guard let options = PQconninfoParse(address, nil) else { throw .malformedAddress }
        PQconninfoFree(options)
    }

    private static func connect(_ address: String) -> OpaquePointer? {
        // What stands before the address is a default, and what stands behind it is not for the address to say.
        let settings = [
            ("fallback_application_name", "daybook"), ("connect_timeout", "10"),
            ("target_session_attrs", "primary"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
            ("dbname", address),
            ("client_encoding", "UTF8"),
        ]
        let keys = settings.map { strdup($0.0) }
        let values = settings.map { strdup($0.1) }
        defer { for text in keys + values { free(text) } }
        return PQconnectdbParams(
            keys.map { UnsafePointer($0) } + [nil],
            values.map { UnsafePointer($0) } + [nil],
            1
        )
    }

    /// Finds out why a connection was refused.
    ///
    /// libpq keeps the code of such a refusal to itself, except in messages that consist of nothing else. The second
    /// attempt is for that message; should it succeed, the next request will, too.
    private static func refusal(_ handle: OpaquePointer) -> PostgreSQLFailure {
        if PQconnectionNeedsPassword(handle) != 0 { return .passwordMissing }
        _ = PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
        PQreset(handle)
        guard let message = PQerrorMessage(handle) else { return .unreachable }
        return state(in: String(cString: message)).map { .connectionRefused(state: $0) } ?? .unreachable
    }

    /// Finds the code at the end of a line; a port in the middle of one may look the same.
    static func state(in message: String) -> String? {
        let words = message.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        let state = words.last { word in
            word.utf8.count == 5 && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
                && word.utf8.contains { (0x30...0x39).contains($0) }
        }
        return state.map { String($0) }
    }

    /// Has the connection closed instead of used again.
    func giveUp() { isUsable = false }
}

// MARK: - Statements

extension PostgreSQLConnection {
    /// Runs a statement of ours, which is prepared the first time.
    @discardableResult
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(PostgreSQLFailure) -> SQLRows {
        let name = try prepare(sql)
        // One buffer for all values; its first byte is there so that it has an address.
        var buffer: [UInt8] = [0]
        var offsets: [Int?] = []
        for value in values {
            offsets.append(value.bytes == nil ? nil : buffer.count)
            buffer += value.bytes ?? []
        }
        let lengths = values.map { Int32($0.bytes?.count ?? 0) }
        let formats = values.map { _ in Int32(1) }
        // An empty value at the end needs an address within the buffer.
        buffer.append(0)
        let result = buffer.withUnsafeBytes { bytes in
            let addresses = offsets.map { offset in
                offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return PQexecPrepared(handle, name, Int32(values.count), addresses, lengths, formats, 1)
        }
        return try checked(result)
    }

    /// Runs statements without values.
    func run(_ sql: String) throws(PostgreSQLFailure) {
        _ = try checked(PQexec(handle, sql))
    }

    private func prepare(_ sql: String) throws(PostgreSQLFailure) -> String {
        if let name = statementNames[sql] { return name }
        // The statements are those in the sources, so that their number is bounded.
        let name = "daybook_\(statementNames.count)"
        _ = try checked(PQprepare(handle, name, sql, 0, nil))
        statementNames[sql] = name
        return name
    }

    private func checked(_ result: OpaquePointer?) throws(PostgreSQLFailure) -> SQLRows {
        guard let result else { throw failure(nil) }
        let rows = SQLRows(result)
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN: return rows
        default: throw failure(result)
        }
    }

    /// Says what a result means and decides whether the connection can be used again.
    func failure(_ result: OpaquePointer?) -> PostgreSQLFailure {
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        guard PQstatus(handle) == CONNECTION_OK, let state else {
            giveUp()
            return .connectionLost
        }
        switch state {
        // The server ends the session, and libpq notices with the next call only.
        case "57P01", "57P02", "57P03":
            giveUp()
            return .connectionLost
        case "25006":
            giveUp()
            return .statementRefused(state: state)
        default:
            return .statementRefused(state: state)
        }
    }
}
