import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// What auditors ask for besides searches: exports, reconstructions, and pages of an app whose values are masked.
func auditBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = AuditWork(workload: workload)
    let exports = ["csv", "jsonl", "fhir", "ocsf"]
        .map { format in
            Benchmark(
                "export of \(work.eventsText) events with proofs, \(format)",
                unit: "events/s",
                ours: { try work.exportSpeed(format) }
            )
        }
    return exports + [
        Benchmark(
            "reconstruction of an object among \(work.eventsText) events",
            unit: "ms",
            target: .atMost(150),
            ours: { try work.slowestReconstruction() }
        ),
        Benchmark(
            "page of 50 masked events (floor: the same page without masks)",
            unit: "ms",
            target: .atMost(150),
            floor: { try work.slowestPage(isMasked: false) },
            ours: { try work.slowestPage(isMasked: true) }
        ),
    ]
}

/// The work behind the rows, which share a server with masks and one without.
private final class AuditWork: Sendable {
    /// The status of an export, in short.
    private struct Export: Decodable {
        let id: String
        let state: String
    }

    /// Everything that a nurse would not want to be read by everybody.
    private static let settings =
        #"{ bench: { anonymousUsers: true, masked: ["Person.name", "Person.score", "metadata:userId"] } }"#

    private let workload: Workload
    /// The servers that were made, by whether they mask.
    private let made = Mutex<[Bool: SearchedServer]>([:])

    init(workload: Workload) {
        self.workload = workload
    }

    /// How many events there are, for the names of rows.
    var eventsText: String { workload.isQuick ? "20,000" : "100,000" }

    private var eventCount: Int { workload.isQuick ? 20_000 : 100_000 }

    /// Events a second that an export of all events has, from the request until its files are there.
    func exportSpeed(_ format: String) throws -> Double {
        let server = try server(isMasked: false)
        let path = "/api/v1/exports"
        var made: Export?
        let time = try nanoseconds {
            let body = Array(#"{"formats":["\#(format)"]}"#.utf8)
            var export = try Self.read(server.send("POST", "\(path)?app=bench", body))
            while export.state == "waiting" || export.state == "running" {
                Thread.sleep(forTimeInterval: 0.01)
                export = try Self.read(server.send("GET", "\(path)/\(export.id)"))
            }
            made = export
        }
        guard let made, made.state == "done" else { throw BenchError.notExported }
        _ = try server.send("DELETE", "\(path)/\(made.id)")
        return Double(eventCount) / time * 1_000_000_000
    }

    private static func read(_ answer: LoopbackConnection.Answer) throws -> Export {
        try JSONDecoder().decode(Export.self, from: Data(answer.body))
    }

    /// Milliseconds of the slowest of twenty questions, each about another record at another moment.
    func slowestReconstruction() throws -> Double {
        let server = try server(isMasked: false)
        return try server.slowestMilliseconds { number in
            let event = number * 48_611 % eventCount
            let moment = server.time(at: 0.5 + Double(number) / 42)
            return "/api/v1/reconstruct?class=Person&key=\(SearchedServer.key(of: event))"
                + "&person=\(SearchedServer.person(of: event))&at=\(moment)"
        }
    }

    /// Milliseconds of the slowest of twenty pages, each of other events.
    func slowestPage(isMasked: Bool) throws -> Double {
        let server = try server(isMasked: isMasked)
        return try server.slowestMilliseconds { number in
            "/api/v1/search?limit=50&after=\(try server.place(at: Double(number) / 21))"
        }
    }

    private func server(isMasked: Bool) throws -> SearchedServer {
        try made.withLock { made in
            if let server = made[isMasked] { return server }
            let folder = try workload.makeSharedFolder(isMasked ? "masked" : "plain")
            let server = try SearchedServer(events: eventCount, in: folder, apps: isMasked ? Self.settings : nil)
            made[isMasked] = server
            return server
        }
    }
}
