public import AuditModel
import GRDB

extension SearchIndex {
    /// Lists the values that most events have; those of metadata as key, a zero byte and value.
    ///
    /// - Throws: `unavailable` when the index fails.
    public func values(_ kind: SearchValue.Kind, limit: Int) async throws -> [SearchValue] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                let statement = try PreparedStatement(
                    "SELECT text, count FROM Term WHERE kind = ? ORDER BY count DESC LIMIT ?",
                    in: database
                )
                defer { statement.reset() }
                try statement.bind(SearchTerm(kind.term).column, at: 1)
                try statement.bind(Int64(limit), at: 2)
                var values: [SearchValue] = []
                while try statement.step() {
                    let text = String(decoding: statement.bytes(0) ?? [], as: UTF8.self)
                    values.append(SearchValue(value: text, events: statement.integer(1) ?? 0))
                }
                return values
            }
        }
    }
}

extension SearchValue.Kind {
    fileprivate var term: SearchTerm.Kind {
        switch self {
        case .app: .app
        case .person: .person
        case .activity: .activity
        case .event: .event
        case .objectClass: .objectClass
        case .metadata: .metadata
        case .boot: .boot
        case .device: .device
        }
    }
}
