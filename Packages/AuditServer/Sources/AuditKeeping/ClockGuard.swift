public import AuditModel
public import EventModel
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// Says whether the server's clock can be believed before anything is destroyed by it.
///
/// What it remembers is in a small file, where there is one, so that a restart makes nobody forget.
public final class ClockGuard: Sendable {
    /// How the clock stands.
    package struct State: Sendable, Hashable, Codable {
        /// The server's clock, ISO 8601.
        package let now: String
        /// Whether it is believed.
        package let isBelieved: Bool
        /// How far it is ahead of where it should be, in seconds; 0 when it is believed.
        package let aheadSeconds: Int64
    }

    private let path: String?
    private let clock: any EventClock
    private let uptime: (@Sendable () -> UInt64)?
    private let mark: Mutex<ClockMark?>

    /// Remembers in memory alone, from now on.
    ///
    /// - Parameter clock: The server's clock.
    public init(clock: any EventClock) {
        path = nil
        self.clock = clock
        uptime = nil
        mark = Mutex(nil)
    }

    /// Reads what is remembered.
    ///
    /// - Parameters:
    ///   - path: The file, which is made if it is missing.
    ///   - clock: The server's clock.
    ///   - uptime: Nanoseconds since the machine was started, its sleep included.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be read, or holds something else.
    public init(
        path: String,
        clock: any EventClock,
        uptime: @escaping @Sendable () -> UInt64
    ) throws(AuditServerError) {
        self.path = path
        self.clock = clock
        self.uptime = uptime
        guard let bytes = try PrivateFile.read(path) else {
            mark = Mutex(nil)
            return
        }
        do {
            mark = Mutex(try JSONDecoder().decode(ClockMark.self, from: Data(bytes)))
        } catch {
            throw .inaccessible(path: path, reason: "it does not say what the clock was; remove it to begin anew")
        }
    }

    /// Looks at the clock.
    ///
    /// - Parameter newestReceipt: Finds out when the newest event was received; asked when nothing is remembered.
    /// - Returns: How it stands.
    /// - Throws: What the closure throws, and `AuditServerError.inaccessible(path:reason:)` when the file cannot be written.
    package func look(newestReceipt: () async throws -> EventInstant?) async throws -> State {
        var reading = reading
        if mark.withLock({ $0 == nil }) {
            let receipt = try await newestReceipt()
            reading = self.reading
            mark.withLock { mark in if mark == nil { mark = ClockMark(reading, newestReceipt: receipt) } }
        }
        let verdict = mark.withLock { $0?.look(reading) ?? .plausible }
        try save()
        switch verdict {
        case .plausible: return State(now: "\(reading.wall)", isBelieved: true, aheadSeconds: 0)
        case .ahead(let microseconds):
            return State(now: "\(reading.wall)", isBelieved: false, aheadSeconds: microseconds / 1_000_000)
        }
    }

    /// Looks at the clock; where nothing is remembered, what the store received says what time it may be.
    ///
    /// - Throws: `unavailable` when the store fails, and what ``look(newestReceipt:)`` throws.
    /// - Complexity: O(1); O(*n*) in the partitions where nothing is remembered.
    package func look(in store: any EventReading) async throws -> State {
        try await look {
            var newest: EventInstant?
            var last: PartitionID?
            repeat {
                let page = try await store.partitions(after: last, limit: 1000)
                newest = (page.map(\.received) + [newest].compactMap(\.self)).max()
                last = page.count == 1000 ? page.last?.partition : nil
            } while last != nil
            return newest
        }
    }

    /// Believes the clock as it is, because an administrator says that it is right.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be written.
    package func believe() throws(AuditServerError) {
        let reading = reading
        mark.withLock { $0 = ClockMark(reading) }
        try save()
    }

    private var reading: ClockReading {
        let now = clock.now()
        guard let uptime else { return now }
        return ClockReading(wall: now.wall, monotonicNanoseconds: uptime(), boot: now.boot)
    }

    private func save() throws(AuditServerError) {
        guard let path else { return }
        let bytes: [UInt8]
        do {
            bytes = Array(try JSONEncoder().encode(mark.withLock(\.self)))
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be written as JSON")
        }
        try PrivateFile.write(bytes, to: path)
    }
}
