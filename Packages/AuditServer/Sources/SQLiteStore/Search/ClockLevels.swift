import AuditModel
import EventModel
import GRDB

/// Notes how far a device's wall clock and its monotonic clock were apart, event by event.
///
/// Within one run of a system the difference of both clocks stays the same, but for the slow drift of the wall clock. A level is
/// a stretch of events with one difference: a second level says that somebody set the clock, or that the device slept.
///
/// ```
/// difference        ┌──────────  second level: the clock was set forward
/// ──────────────────┘            first level
/// ```
struct ClockLevels {
    /// How far the difference may be from the last one of its level, in microseconds: clocks that are kept by a network drift.
    static let tolerance: UInt64 = 2_000_000
    /// How far a device's clock may be ahead of the server's before it is told, in microseconds.
    static let allowance: Int64 = 60_000_000
    /// How many levels are kept of one run; a device whose clock jumps more often has been told often enough.
    static let maximumCount = 64

    private struct Run: Hashable {
        let owner: EventOwner
        let boot: String
    }

    private struct Level {
        var id: Int64?
        var difference: Int64
        var first: (ticks: Int64, shelf: Int64, sequence: Int64)
        var last: (ticks: Int64, shelf: Int64, sequence: Int64)
        var ahead: Int64 = 0
        var isChanged = true
    }

    private let database: Database
    private var runs: [Run: [Level]] = [:]

    /// Prepares for events of any partitions.
    init(in database: Database) {
        self.database = database
    }

    /// Notes the clocks of an event of a partition.
    mutating func note(_ stored: StoredEvent, on shelf: Int64) throws {
        // Of a system that does not tell its runs apart, monotonic times cannot be compared.
        guard let clock = stored.event?.clock, let owner = stored.owner, clock.boot != .unknown else { return }
        let run = Run(owner: owner, boot: clock.boot.hex)
        var levels = try runs[run] ?? self.levels(of: run)
        let ticks = Int64(clamping: clock.monotonicNanoseconds / 1000)
        let difference = clock.wall.microseconds &- ticks
        let place = (ticks: ticks, shelf: shelf, sequence: Int64(clamping: stored.sequence))
        let ahead = stored.received.map { max(0, clock.wall.microseconds &- $0.microseconds) } ?? 0
        if let index = levels.firstIndex(where: { Self.isNear($0.difference, difference) }) {
            Self.extend(&levels[index], to: place, difference)
            Self.note(ahead, in: &levels[index])
        } else if levels.count < Self.maximumCount {
            var level = Level(difference: difference, first: place, last: place)
            Self.note(ahead, in: &level)
            levels.append(level)
        }
        runs[run] = levels
    }

    private static func isNear(_ first: Int64, _ second: Int64) -> Bool {
        // The magnitude of a difference that needs 64 bits and a sign is that of the wrapped one, or far beyond the tolerance.
        let (distance, isOverflow) = first.subtractingReportingOverflow(second)
        return !isOverflow && distance.magnitude <= tolerance
    }

    private static func extend(
        _ level: inout Level,
        to place: (ticks: Int64, shelf: Int64, sequence: Int64),
        _ difference: Int64
    ) {
        if place.ticks < level.first.ticks {
            level.first = place
            level.isChanged = true
        } else if place.ticks > level.last.ticks {
            level.last = place
            // The newest difference is kept, so that drift never adds up to a step.
            level.difference = difference
            level.isChanged = true
        }
    }

    private static func note(_ ahead: Int64, in level: inout Level) {
        guard ahead > allowance, ahead > level.ahead else { return }
        level.ahead = ahead
        level.isChanged = true
    }

    // MARK: - Storage

    private func levels(of run: Run) throws -> [Level] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM ClockLevel WHERE app = ? AND account = ? AND boot = ? ORDER BY id",
            arguments: [run.owner.app, run.owner.user, run.boot]
        )
        return rows.map { row in
            Level(
                id: row["id"],
                difference: row["difference"],
                first: (row["firstTicks"], row["firstShelf"], row["firstSequence"]),
                last: (row["lastTicks"], row["lastShelf"], row["lastSequence"]),
                ahead: row["ahead"],
                isChanged: false
            )
        }
    }

    /// Removes what is known of the clocks from the events in the table `Doomed`: which run they are of, and their times.
    ///
    /// A level that began or ended with one of them is as long as its other end; that there was one stays known.
    static func forgetDoomed(in database: Database) throws {
        let doomed = "(SELECT shelf, sequence FROM Entry WHERE number IN (SELECT number FROM temp.Doomed))"
        try database.execute(
            sql: """
                DELETE FROM ClockLevel \
                WHERE (firstShelf, firstSequence) IN \(doomed) AND (lastShelf, lastSequence) IN \(doomed);
                UPDATE ClockLevel SET firstTicks = lastTicks, firstShelf = lastShelf, firstSequence = lastSequence \
                WHERE (firstShelf, firstSequence) IN \(doomed);
                UPDATE ClockLevel SET lastTicks = firstTicks, lastShelf = firstShelf, lastSequence = firstSequence \
                WHERE (lastShelf, lastSequence) IN \(doomed);
                """
        )
    }

    /// Writes down what changed.
    func finish() throws {
        for (run, levels) in runs {
            for level in levels where level.isChanged {
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO ClockLevel (id, app, account, boot, difference, firstTicks, firstShelf, \
                        firstSequence, lastTicks, lastShelf, lastSequence, ahead) \
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        level.id, run.owner.app, run.owner.user, run.boot, level.difference, level.first.ticks,
                        level.first.shelf, level.first.sequence, level.last.ticks, level.last.shelf,
                        level.last.sequence,
                        level.ahead,
                    ]
                )
            }
        }
    }
}
