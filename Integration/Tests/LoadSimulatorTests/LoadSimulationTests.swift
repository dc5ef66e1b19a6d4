import LoadSimulator
import Testing

@Suite("Load")
struct LoadSimulationTests {
    @Test(
        "of devices with bad networks every event is stored once, also while somebody attacks, who is refused each time"
    )
    func simulation() async throws {
        let report = try await SimulationFolder.with { folder in
            try await LoadSimulation(
                // A debug build of the server takes more memory; what a release takes is for the tool to show.
                options: LoadOptions(
                    devices: 50,
                    attackers: 2,
                    seconds: 60,
                    rounds: 12,
                    restMilliseconds: 0,
                    seed: UInt64.random(in: 0...UInt64(UInt32.max)),
                    serverMegabytes: 500
                ),
                program: folder.program,
                folder: folder.url
            )
            .run()
        }

        #expect(report.problems == [], "seed \(report.seed)")
        #expect(report.devices == 50)
        #expect(report.events >= 50 * 12)
        #expect(report.uploads > 0)
        for attack in [
            "guessedPassword", "stolenToken", "foreignPage", "madeUpPlace", "emptyStretch", "longSeal", "longName",
            "longMetadata", "manyObjects", "twinNames",
        ] {
            #expect(report.faults[attack, default: 0] > 0, "\(attack)")
        }
        // Which faults there are is drawn; that there were none at all is not possible in so many uploads.
        #expect(report.faults.count > 1)
    }

    @Test("a report says what is wrong, for people and as JSON")
    func report() async throws {
        // No server is as small as a megabyte.
        let report = try await SimulationFolder.with { folder in
            try await LoadSimulation(
                options: LoadOptions(devices: 1, rounds: 1, restMilliseconds: 0, seed: 1, serverMegabytes: 1),
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
        #expect("\(report)".contains("1 devices, seed 1"))
    }
}
