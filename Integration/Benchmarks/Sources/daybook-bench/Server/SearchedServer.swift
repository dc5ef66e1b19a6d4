import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Daybook
import EventProofs
import Foundation
import Synchronization

/// A server with many events of a month, all of them in its search index.
///
/// A thousandth of the events are of one partition each; fifty people recorded them, about 20,000 objects, and their times lie
/// between each other's as those of devices do.
final class SearchedServer: Sendable {
    private struct Answer: Decodable {
        let after: String?
        let isCurrent: Bool
    }

    static let personCount = 50
    static let objectCount = 20_000
    static let activityCount = 20
    private static let partitionCount = 1000
    private static let senderCount = 4

    /// The time of the first event.
    let start: EventInstant
    /// How long after the one before each event happened, in microseconds.
    let step: Int64
    private let eventCount: Int
    /// Opened by the first question: the server closes one that says nothing for as long as uploading takes.
    private let connection = Mutex<LoopbackConnection?>(nil)
    private let token: String
    private let server: ServerProcess

    /// Starts a server, uploads, and returns when everything can be found.
    ///
    /// - Parameters:
    ///   - events: How many events; a multiple of a thousand.
    ///   - folder: The server's data go here.
    ///   - apps: The settings of the server's apps, as in its configuration; nil for none.
    /// - Throws: What starting the server, asking it and uploading throws.
    init(events: Int, in folder: URL, apps: String? = nil) throws {
        eventCount = events
        step = 30 * 86_400_000_000 / Int64(events)
        start = EventInstant(microseconds: SystemClock().now().wall.microseconds - 30 * 86_400_000_000)
        server = try ServerProcess(in: folder, apps: apps)
        token = try server.auditorToken()
        try upload()
        while try !JSONDecoder().decode(Answer.self, from: Data(ask("/api/v1/search?limit=1"))).isCurrent {
            // What the server enters meanwhile it need not enter in a request.
            Thread.sleep(forTimeInterval: 0.1)
        }
    }

    /// Asks the server as an auditor.
    func ask(_ path: String) throws -> [UInt8] {
        try withConnection { try $0.exchange("GET", path, token: token) }
    }

    /// Sends a request as an auditor, and returns the answer whatever its status.
    func send(_ method: String, _ path: String, _ body: [UInt8] = []) throws -> LoopbackConnection.Answer {
        try withConnection { connection in
            try connection.send(method, path, token: token, body: body)
            return try connection.receive()
        }
    }

    private func withConnection<Result: Sendable>(_ body: (LoopbackConnection) throws -> Result) throws -> Result {
        try connection.withLock { connection in
            let open = try connection ?? LoopbackConnection(port: server.port)
            connection = open
            return try body(open)
        }
    }

    /// Returns how long the slowest of twenty requests takes, in milliseconds; each has a number.
    func slowestMilliseconds(_ path: (_ number: Int) throws -> String) throws -> Double {
        let times = try (1...20)
            .map { number in
                let path = try path(number)
                return try nanoseconds { blackHole(try ask(path).count) }
            }
        return (times.max() ?? 0) / 1_000_000
    }

    /// The key of the person that an event shows or changes.
    static func key(of event: Int) -> Int { event * 7919 % objectCount }

    /// Who recorded an event.
    static func person(of event: Int) -> String { "nurse-\(event % partitionCount % personCount)" }

    /// The time at a place among the events; 0 is the start, 1 the end.
    func time(at share: Double) -> EventInstant {
        EventInstant(microseconds: start.microseconds + Int64(share * Double(eventCount)) * step)
    }

    /// Asks for the place in a search of everything that is as deep as a time, which only the server can name.
    func place(at share: Double) throws -> String {
        let bytes = try ask("/api/v1/search?limit=1&until=\(time(at: share))")
        let answer = try JSONDecoder().decode(Answer.self, from: Data(bytes))
        guard let after = answer.after else { throw BenchError.onePage }
        return after
    }

    // MARK: - Events

    private func upload() throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: Self.senderCount) { sender in
            do {
                let connection = try LoopbackConnection(port: server.port)
                for number in stride(from: sender, to: Self.partitionCount, by: Self.senderCount) {
                    try upload(number, on: connection)
                }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock(\.self) { throw error }
    }

    private func upload(_ number: Int, on connection: LoopbackConnection) throws {
        let token = try server.signIn(on: connection)
        let ids = ObjectIdGenerator.system
        let partition = PartitionID(prefix: "bench", id: ids.next())
        var frontier = MerkleFrontier()
        let count = eventCount / Self.partitionCount
        for first in stride(from: 0, to: count, by: SampleUploads.batchCount) {
            let events = EncodedEvents(
                try (first..<min(count, first + SampleUploads.batchCount)).map { try event($0, of: number, ids.next()) }
            )
            events.withEachEvent { frontier.append(MerkleHash.leaf($0)) }
            let stretch = PartitionStretch(
                partition: partition,
                firstSequence: UInt64(first + 1),
                events: events,
                root: frontier.root
            )
            let answer = try connection.exchange(
                "POST",
                "/api/v1/partitions/\(partition.value)/events",
                token: token,
                type: PartitionStretch.mediaType,
                body: stretch.wireBytes()
            )
            blackHole(answer.count)
        }
    }

    /// Makes an event: nine reads in ten and one change.
    private func event(_ offset: Int, of partition: Int, _ id: ObjectId) throws -> AuditEvent {
        let number = offset * Self.partitionCount + partition
        let key = Self.key(of: number)
        let object = #"{"_id":\#(key),"active":true,"name":"Person \#(key)","score":\#(key % 100)}"#
        let isWrite = number.isMultiple(of: 10)
        let payload =
            isWrite
            ? #"{"Person":{"modifications":[{"newValue":{"score":1},"oldValue":\#(object)}]}}"#
            : #"{"type":"Person","value":[\#(object)]}"#
        let reading = SystemClock().now()
        return AuditEvent(
            id: id,
            clock: ClockReading(
                wall: EventInstant(microseconds: start.microseconds + Int64(number) * step),
                monotonicNanoseconds: UInt64(number) * 1_000_000,
                boot: reading.boot
            ),
            activity: "activity-\(number / 7 % Self.activityCount)",
            event: isWrite ? "write" : "read",
            data: Array(payload.utf8),
            metadata: try EventMetadata(["userId": Self.person(of: number)]),
            scopeCommitted: reading.wall
        )
    }
}
