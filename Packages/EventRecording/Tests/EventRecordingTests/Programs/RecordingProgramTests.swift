import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Testing

@Suite("Random programs are recorded by the plain rules")
struct RecordingProgramTests {
    @Test("every event, completion and count of thousands of random programs is what the plain rules say")
    func programs() throws {
        let first = ProgramSeed.first()
        print("Random recording programs begin with seed \(first); set \(ProgramSeed.variable) to repeat one.")
        var (eventCount, interruptedCount) = (0, 0)
        for seed in first..<first + 2_000 {
            var program = try RecordingProgram(seed: seed)
            try program.run(steps: 25)

            let stored = program.stored.map(\.line)
            try #require(stored == program.expectedLines, "seed \(seed)")
            try #require(program.calledCompletions == program.expectedCompletions, "seed \(seed)")
            let statistics = program.fixture.events.statistics
            try #require(program.journals?.count ?? 0 == 0, "seed \(seed)")
            if let next = program.nextProcess {
                try #require(next.sink.events.allSatisfy { $0.marks == .interrupted }, "seed \(seed)")
            } else {
                try #require(statistics.activeScopes == 0 && !program.fixture.recorder.gate.isOpen, "seed \(seed)")
                try #require(statistics.eventsPersisted == UInt64(stored.count), "seed \(seed)")
            }
            let accountedFor = statistics.eventsPersisted + statistics.eventsFailed
            try #require(statistics.eventsRecorded == accountedFor, "seed \(seed)")
            eventCount += stored.count
            interruptedCount += program.nextProcess?.sink.events.count ?? 0
        }
        #expect(eventCount > 2_000)
        #expect(interruptedCount > 200)
    }

    @Test("a seed repeats its program")
    func repeated() throws {
        let lines = try (0..<2)
            .map { _ in
                var program = try RecordingProgram(seed: 7)
                try program.run(steps: 200)
                return program.stored.map(\.line)
            }

        #expect(lines[0] == lines[1])
        #expect(lines[0].count > 10)
    }

    @Test(
        "long programs with deep chains of links are recorded by the plain rules, too",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func long(seed: UInt64) throws {
        var program = try RecordingProgram(seed: seed)
        try program.run(steps: 400)

        #expect(program.stored.map(\.line) == program.expectedLines)
    }
}
