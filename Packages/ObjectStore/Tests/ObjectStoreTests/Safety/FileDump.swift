import Foundation

@testable import ObjectStore

/// Everything that a realm file holds, as text: each row of each table, whoever wrote it.
final class FileDump {
    private let connection: Connection

    /// Opens a connection of its own, which sees what is committed.
    init(_ realm: Realm) throws {
        connection = try Connection(
            fileURL: URL(fileURLWithPath: realm.core.file.path),
            key: realm.core.store.connection.key,
            isReadOnly: true,
            isDurable: true
        )
    }

    /// The rows as they are now, in order.
    func lines() throws -> [String] {
        let tables = try column("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return try tables.flatMap { table in
            let columns = try column("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
            return try column("SELECT \(values) FROM \"\(table)\" ORDER BY 1").map { "\(table): \($0)" }
        }
    }

    private func column(_ sql: String) throws -> [String] {
        let statement = try connection.prepare(sql)
        var values: [String] = []
        while try statement.step() { values.append(statement.text(0)) }
        return values
    }
}
