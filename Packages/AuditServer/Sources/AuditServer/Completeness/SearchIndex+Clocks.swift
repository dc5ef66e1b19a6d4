package import AuditModel
package import EventModel
import GRDB

/// What is odd about the clock of a device in one run of its system.
package struct ClockFinding: Sendable, Hashable, Encodable {
    /// A stretch of events whose wall clock differed from what the monotonic clock made of the run's first reading.
    package struct Step: Sendable, Hashable, Encodable {
        /// By how much, in microseconds: greater than zero when the clock was set forward, or stood still while the device slept.
        package let microseconds: Int64
        /// The first event of the stretch.
        package let first: Place
        /// Its last event.
        package let last: Place
    }

    /// Where an event lies, and what the device's clock said.
    package struct Place: Sendable, Hashable, Encodable {
        /// The partition.
        package let partition: String
        /// The place in the partition.
        package let sequence: Int64
        /// The device's clock.
        package let time: EventInstant
    }

    /// The app.
    package let app: String
    /// The account.
    package let account: String
    /// The run.
    package let boot: String
    /// The stretches in the order of the monotonic clock, without the first, which the others are compared with.
    package let steps: [Step]
    /// How far an event's time was ahead of the server's clock when it arrived, at most, in microseconds; 0 when it was not.
    package let ahead: Int64
}

extension SearchIndex {
    /// Lists the runs of devices whose clocks were set, stood still, or were ahead of the server's.
    ///
    /// - Parameters:
    ///   - access: Whose runs may be told.
    ///   - limit: The largest number of runs.
    /// - Returns: The findings by app, account and run.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the runs.
    package func clockFindings(_ access: EventAccess, limit: Int) async throws -> [ClockFinding] {
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
        app = first["app"]
        account = first["account"]
        boot = first["boot"]
        ahead = levels.map { $0["ahead"] }.max() ?? 0
        let usual: Int64 = first["difference"]
        steps = levels.dropFirst()
            .map { level in
                let difference: Int64 = level["difference"]
                func place(_ end: String) -> Place {
                    Place(
                        partition: level["\(end)Partition"],
                        sequence: level["\(end)Sequence"],
                        time: EventInstant(microseconds: difference &+ level["\(end)Ticks"])
                    )
                }
                return Step(microseconds: difference &- usual, first: place("first"), last: place("last"))
            }
    }
}
