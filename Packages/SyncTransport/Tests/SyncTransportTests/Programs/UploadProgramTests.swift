import Foundation
import Testing

@Suite("Random lives of a partition")
struct UploadProgramTests {
    /// The first of the seeds: another one in each run, unless `DAYBOOK_PROGRAM_SEED` names one that failed.
    private static let firstSeed =
        ProcessInfo.processInfo.environment["DAYBOOK_PROGRAM_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))
    /// Lives that once ended badly: a server that held the whole was asked again, had lost some of it, and the disk
    /// failed to note that.
    private static let memorable: [UInt64] = [1_022_446, 1_127_693, 9_093_241]
    private static var seeds: [UInt64] { memorable + Array(firstSeed..<firstSeed + 1_000) }

    @Test("an honest server that is good for long enough gets everything, and only then is anything deleted")
    func honest() {
        print("Random uploads begin with seed \(Self.firstSeed); set DAYBOOK_PROGRAM_SEED to repeat one.")
        var (deleted, quarantined) = (0, 0)
        for seed in Self.seeds {
            var program = UploadProgram(seed: seed, mayLie: false)
            let hasEnded = program.run()
            #expect(hasEnded, "seed \(seed) does not end")
            if program.device.isQuarantined {
                quarantined += 1
                #expect(program.server.reasonsToQuarantine + program.notingFailures > 0, "seed \(seed)")
            } else {
                #expect(program.device.isDone, "seed \(seed)")
                #expect(program.server.events.starts(with: program.device.events), "seed \(seed)")
            }
            if program.device.isDeleted { deleted += 1 }
        }
        #expect(deleted > 300)
        #expect(quarantined < 300)
    }

    @Test("a server that claims to hold what it does not hold never makes the device delete anything")
    func lying() {
        var quarantined = 0
        for seed in Self.seeds {
            var program = UploadProgram(seed: seed, mayLie: true)
            let hasEnded = program.run()
            #expect(hasEnded, "seed \(seed) does not end")
            if program.device.isQuarantined { quarantined += 1 }
        }
        #expect(quarantined > 60)
    }
}
