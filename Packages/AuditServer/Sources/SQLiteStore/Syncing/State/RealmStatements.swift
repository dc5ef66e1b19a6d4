import GRDB
import GRDBSQLite
import SyncServer

/// The statements of one transaction, prepared when they are used first.
///
/// Used on the queue of its database alone.
final class RealmStatements {
    private let database: Database
    private var prepared: [PreparedStatement?]

    init(_ database: Database) {
        self.database = database
        prepared = Array(repeating: nil, count: RealmStatement.allCases.count)
    }

    /// Runs a statement that answers at most one row, and reads it.
    func first<Value>(
        _ kind: RealmStatement,
        _ bind: (PreparedStatement) throws -> Void,
        _ read: (PreparedStatement) throws -> Value
    ) throws -> Value? {
        let statement = try statement(kind)
        // What was read stays until the statement is made ready again, and so would the place in the log.
        defer { statement.reset() }
        try bind(statement)
        return try statement.step() ? try read(statement) : nil
    }

    /// Runs a statement and reads every row; nothing else may run that statement meanwhile.
    func all(
        _ kind: RealmStatement,
        _ bind: (PreparedStatement) throws -> Void,
        _ read: (PreparedStatement) throws -> Void
    ) throws {
        let statement = try statement(kind)
        defer { statement.reset() }
        try bind(statement)
        while try statement.step() { try read(statement) }
    }

    /// Runs a statement that answers nothing.
    func run(_ kind: RealmStatement, _ bind: (PreparedStatement) throws -> Void) throws {
        let statement = try statement(kind)
        defer { statement.reset() }
        try bind(statement)
        _ = try statement.step()
    }

    /// How many steps SQLite's own machine took for all of them, in this and former transactions of the connection.
    var machineSteps: Int { prepared.reduce(0) { $0 + ($1?.machineSteps ?? 0) } }

    /// The number of the row that was inserted last.
    var lastNumber: Int64 { database.lastInsertedRowID }

    private func statement(_ kind: RealmStatement) throws -> PreparedStatement {
        if let statement = prepared[kind.rawValue] { return statement }
        let statement = try PreparedStatement(kind.sql, in: database)
        prepared[kind.rawValue] = statement
        return statement
    }
}

extension PreparedStatement {
    func bind(_ bytes: [UInt8], at index: Int32) throws {
        try bytes.withUnsafeBytes { try bind(blob: $0, at: index) }
    }

    func bind(_ number: Int, at index: Int32) throws { try bind(Int64(number), at: index) }

    /// Binds the key of a row of a collection.
    func bind(_ object: Int64, _ path: [UInt8]) throws {
        try bind(object, at: 1)
        try bind(path, at: 2)
    }

    /// Returns an integer that must be there.
    func number(_ index: Int32) throws(SyncServerError) -> Int64 {
        guard let number = integer(index) else { throw OrderedReader.damage }
        return number
    }

    /// Returns a blob that must be there.
    func blob(_ index: Int32) throws(SyncServerError) -> [UInt8] {
        guard let bytes = bytes(index) else { throw OrderedReader.damage }
        return bytes
    }
}
