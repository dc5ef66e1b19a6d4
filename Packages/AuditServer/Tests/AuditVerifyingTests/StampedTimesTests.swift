import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import AuditVerifying
@testable import TimeStamping

@Suite("Times of receipt and time-stamps")
struct StampedTimesTests {
    private static let minute: Int64 = 60_000_000
    private static let start = SampleDevice.received.microseconds

    /// A log whose entries were received at these minutes.
    private func entries(_ minutes: [Int64]) throws -> [PartitionLogEntry] {
        try minutes.enumerated()
            .map { index, minute in
                var device = SampleDevice(UInt32(index + 1))
                device.record(["a"])
                return PartitionLogEntry(
                    index: UInt64(index),
                    app: SampleDevice.owner.app,
                    user: SampleDevice.owner.user,
                    received: EventInstant(microseconds: Self.start + minute * Self.minute),
                    seal: try device.seal()
                )
            }
    }

    /// Holds a log against time-stamps of its first entries, at these minutes.
    private func times(
        _ entries: [PartitionLogEntry],
        _ stamps: [(size: UInt64, minute: Int64)],
        of other: [PartitionLogEntry]? = nil
    ) throws -> StampedTimes {
        let tree = MerkleTree(leaves: (other ?? entries).map(\.leaf))
        var times = StampedTimes(
            try stamps.map { size, minute in
                StampedCheckpoint(
                    try Checkpoint(origin: "log.example", size: size, root: tree.root(at: size)),
                    TimeStamp(
                        time: EventInstant(microseconds: Self.start + minute * Self.minute),
                        accuracy: nil,
                        authority: "CN=Time",
                        serial: "01"
                    )
                )
            }
        )
        var frontier = MerkleFrontier()
        for entry in entries {
            times.add(entry)
            frontier.append(entry.leaf)
            times.compare(frontier)
        }
        times.finish(count: frontier.count)
        return times
    }

    @Test("a log whose entries lie between its time-stamps is as it says")
    func fitting() throws {
        // The ninth waited for its disk while the log was time-stamped.
        let entries = try entries([0, 10, 59, 60, 61, 100, 119, 121, 115, 130])
        let times = try times(entries, [(3, 60), (7, 120)])
        #expect(times.proven.map(\.checkpoint.size) == [3, 7] && times.problems.isEmpty && times.remarks.isEmpty)
    }

    @Test("an entry that says it is older than what was time-stamped without it is told, with how many are like it")
    func backdated() throws {
        let times = try times(entries([0, 10, 61, 5, 6, 130]), [(3, 62), (6, 140)])
        #expect(times.problems.isEmpty && times.remarks.count == 1)
        let words = try #require(times.remarks.first)
        #expect(words.hasPrefix("Entry 3 of the log, and 1 more like it, was received at "))
        #expect(words.hasSuffix("it was entered later than it says."))
    }

    @Test("an entry that says it is younger than what was time-stamped with it is told")
    func postdated() throws {
        let times = try times(entries([0, 10, 90]), [(3, 62)])
        #expect(times.remarks.count == 1 && times.remarks.first?.hasSuffix("the server's clock was ahead.") == true)
    }

    @Test("a time-stamp of another log, or of more entries than there are, is a problem")
    func foreign() throws {
        let entries = try entries([0, 10, 20])
        let other = [entries[0]] + (try self.entries([0, 11, 20, 30, 40]).dropFirst())
        #expect(try times(entries, [(2, 60), (3, 60)], of: other).problems.count == 2)
        #expect(try times(entries, [(1, 60), (5, 60)], of: other).problems.count == 1)
        #expect(try times(entries, [(1, 60), (5, 60)], of: other).proven.count == 1)
    }
}
