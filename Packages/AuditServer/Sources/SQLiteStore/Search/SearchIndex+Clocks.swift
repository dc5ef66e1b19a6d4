public import AuditModel
import EventModel
import GRDB

extension SearchIndex {
    /// Lists the runs of devices whose clocks were set, stood still, or were ahead of the server's.
    ///
    /// - Parameters:
    ///   - access: Whose runs may be told.
    ///   - limit: The largest number of runs.
    /// - Returns: The findings by app, account and run.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the runs.
    public func clockFindings(_ access: EventAccess, limit: Int) async throws -> [ClockFinding] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                var shelves = try ReadableShelves(access, in: database)
                defer { shelves.reset() }
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT level.*, early.value AS firstPartition, late.value AS lastPartition FROM ClockLevel AS level \
                        JOIN Shelf AS early ON early.id = firstShelf JOIN Shelf AS late ON late.id = lastShelf \
                        WHERE (level.app, level.account, level.boot) IN (SELECT app, account, boot FROM ClockLevel \
                        GROUP BY app, account, boot HAVING count(*) > 1 OR max(ahead) > 0) \
                        ORDER BY level.app, level.account, level.boot, firstTicks
                        """
                )
                var findings: [ClockFinding] = []
                var run: [Row] = []
                while findings.count < limit {
                    let row = try rows.next()
                    if let first = run.first, row.map({ !Self.isSameRun($0, first) }) ?? true {
                        if try run.allSatisfy({ try shelves.include(shelf: $0["firstShelf"]) }) {
                            findings.append(ClockFinding(run))
                        }
                        run = []
                    }
                    guard let row else { break }
                    run.append(row.copy())
                }
                return findings
            }
        }
    }

    private static func isSameRun(_ row: Row, _ other: Row) -> Bool {
        ["app", "account", "boot"].allSatisfy { row[$0] as String == other[$0] as String }
    }
}

extension ClockFinding {
    /// Describes the levels of one run, of which there is one or more.
    fileprivate init(_ levels: [Row]) {
        let first = levels[0]
        let usual: Int64 = first["difference"]
        self.init(
            app: first["app"],
            account: first["account"],
            boot: first["boot"],
            steps: levels.dropFirst().map { Step($0, usual) },
            ahead: levels.map { $0["ahead"] }.max() ?? 0
        )
    }
}

extension ClockFinding.Step {
    /// Describes a level that is not the usual one.
    fileprivate init(_ level: Row, _ usual: Int64) {
        let difference: Int64 = level["difference"]
        func place(_ end: String) -> ClockFinding.Place {
            ClockFinding.Place(
                partition: level["\(end)Partition"],
                sequence: level["\(end)Sequence"],
                time: EventInstant(microseconds: difference &+ level["\(end)Ticks"])
            )
        }
        self.init(microseconds: difference &- usual, first: place("first"), last: place("last"))
    }
}
