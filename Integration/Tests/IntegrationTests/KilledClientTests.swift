import Foundation
import Testing

/// Kills the client of the demo at several points, starts it again, and looks for every promised event.
@Suite("Killing the client", .serialized)
struct KilledClientTests {
    /// How many events each step of the first shift makes, found by a run that nobody disturbs.
    private static func undisturbed() throws -> [String: Int] {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let result = try ward.replay()
        #expect(result.code == 0, "\(result.errors)")
        return try ward.storedEvents().reduce(into: [:]) { $0[$1.step, default: 0] += 1 }
    }

    @Test(
        "every event whose completion was called is stored once",
        arguments: [
            "Loading the chart: 29 of 29", "Shift 1, Anna Keller: 8", "Shift 1, Michael Okafor: 2",
            "Shift 1, Sara Lindqvist: 4", "Shift 1: every event is on the disk", "Uploading",
        ]
    )
    func killed(at line: String) throws {
        let expected = try Self.undisturbed()
        let ward = try WardUnderTest()
        defer { ward.end() }

        try ward.killReplay(at: line)
        let promised = ward.promisedSteps()
        let second = try ward.replay()
        let stored = try ward.storedEvents()

        #expect(second.code == 0, "\(second.errors)")
        #expect(Set(stored.map(\.id)).count == stored.count)
        let counts = stored.reduce(into: [String: Int]()) { $0[$1.step, default: 0] += 1 }
        for step in promised {
            #expect(counts[step] == expected[step], "step \(step)")
        }
        // What was not promised may be there or not, but never twice.
        for (step, count) in counts where step.hasPrefix("1/") {
            #expect(count <= expected[step] ?? 0, "step \(step)")
        }
        #expect(try ward.verify().code == 0)
        #expect(ward.remainingEventFiles() == [])
    }

    @Test("an app is killed again and again while it records and uploads: nothing is lost, twice, or set aside")
    func killedWhileUploading() throws {
        let program = try StartedProgram("event-kill", ["uploads", "--count", "12"])

        let lines = program.remainingLines()
        let result = program.wait()

        // The errors have the seed, which repeats the run.
        #expect(result.code == 0, "\(result.errors)")
        #expect(lines.last?.contains("none lost, none twice") == true, "\(result.errors)")
    }

    @Test("S82: devices of one realm and their server are killed again and again: no change is lost or applied twice")
    func killedWhileSharing() throws {
        let program = try StartedProgram("event-kill", ["realms", "--count", "20"])

        let lines = program.remainingLines()
        let result = program.wait()

        // The errors have the seed, which repeats the run.
        #expect(result.code == 0, "\(result.errors)")
        #expect(lines.last?.contains("none lost, none twice") == true, "\(result.errors)")
    }
}
