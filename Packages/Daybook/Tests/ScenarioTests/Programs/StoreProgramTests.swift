import Daybook
import EventRecordingTesting
import Testing

@Suite("Random programs on the real store are recorded by the plain rules")
struct StoreProgramTests {
    @Test("every event in the files is what the plain rules say, over threads, versions, scopes and roll-overs")
    func programs() throws {
        let first = ProgramSeed.first()
        print("Random programs on the store begin with seed \(first); set \(ProgramSeed.variable) to repeat one.")
        var (eventCount, fileCount) = (0, 0)
        for seed in first..<first + 12 {
            var program = try StoreProgram(seed: seed)
            try program.run(steps: 60)

            let expected = program.plain.events.map { $0.line(program.worlds) }
            let stored = try program.recorded.stored().map(\.line)
            try #require(stored == expected, "seed \(seed)")
            eventCount += stored.count
            fileCount += try program.recorded.fileCount()
        }
        #expect(eventCount > 100)
        #expect(fileCount > 12)
    }
}
