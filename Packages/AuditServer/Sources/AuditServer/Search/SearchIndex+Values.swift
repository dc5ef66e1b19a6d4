import GRDB

extension SearchIndex {
    /// A value that events can be found by.
    public struct Value: Sendable, Hashable, Codable {
        /// The value as text.
        public let value: String
        /// How many events have it.
        public let events: Int64
    }

    /// What values are listed of.
    public enum ValueKind: String, Sendable, CaseIterable {
        case app, person, activity, event
        case objectClass = "class"
        case metadata, boot, device

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

    /// Lists the values that most events have; those of metadata as key, a zero byte and value.
    ///
    /// - Throws: `unavailable` when the index fails.
    public func values(_ kind: ValueKind, limit: Int) async throws -> [Value] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                let statement = try PreparedStatement(
                    "SELECT text, count FROM Term WHERE kind = ? ORDER BY count DESC LIMIT ?",
                    in: database
                )
                defer { statement.reset() }
                try statement.bind(SearchTerm(kind.term).column, at: 1)
                try statement.bind(Int64(limit), at: 2)
                var values: [Value] = []
                while try statement.step() {
                    let text = String(decoding: statement.bytes(0) ?? [], as: UTF8.self)
                    values.append(Value(value: text, events: statement.integer(1) ?? 0))
                }
                return values
            }
        }
    }
}
