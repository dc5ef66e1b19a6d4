import LoadSimulator
import Testing

@Suite("Load of realms")
struct RealmLoadSimulationTests {
    @Test("devices that share realms over bad networks have the same in the end, a new one too, and every change once")
    func simulation() async throws {
        let report = try await SimulationFolder.with { folder in
            try await RealmLoadSimulation(
                options: RealmLoadOptions(
                    devices: 6,
                    realms: 2,
                    // Two have to wait until others have left.
                    foreground: 4,
                    seconds: 600,
                    steps: 60,
                    restMilliseconds: 0,
                    historySeconds: 0.1,
                    seed: 20_261_126,
                    patienceSeconds: nil
                ),
                program: folder.program,
                folder: folder.url
            )
            .run()
        }

        print("Load of realms: seed \(report.seed), \(report.changes) changes")
        #expect(report.problems == [], "seed \(report.seed)")
        #expect(report.devices == 6)
        #expect(report.realms == 2)
        #expect(report.foreground == 4)
        // More than half of the steps are transactions.
        #expect(report.changes > 6 * 20)
        for route in ["bind", "changes", "entries", "objects"] {
            #expect(report.requests[route, default: 0] > 0, "\(route)")
        }
        for fault in ["lostAnswer", "cut", "duplicate", "offline", "away", "restart", "shortened"] {
            #expect(report.faults[fault, default: 0] > 0, "\(fault)")
        }
    }

    @Test("a report says what is wrong, for people and as JSON")
    func report() async throws {
        // No server is as small as a megabyte.
        let report = try await SimulationFolder.with { folder in
            try await RealmLoadSimulation(
                options: RealmLoadOptions(
                    devices: 1,
                    realms: 1,
                    steps: 3,
                    restMilliseconds: 0,
                    seed: 1,
                    serverMegabytes: 1,
                    patienceSeconds: nil
                ),
                program: folder.program,
                folder: folder.url
            )
            .run()
        }

        #if os(Linux)
        #expect(report.problems.count == 1)
        #expect("\(report)".contains("WRONG: the server had"))
        #expect(try report.json().contains("the limit is 1"))
        #endif
        #expect("\(report)".contains("1 devices in 1 realms"))
    }
}
