import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("The rows that a transaction inserted")
struct NewRowsTests {
    @Test("random keys are kept, in runs that are ascending and apart", arguments: 0..<40)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var rows = NewRows()
        var expected: Set<Int64> = []
        var key: Int64 = 0
        for _ in 0..<Int.random(in: 1...300, using: &random) {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<12: key &+= 1
            case 12: key = [.min, .max, 0, -1, 63, 64, -64][Int.random(in: 0..<7, using: &random)]
            case 13..<16:
                rows.remove(key)
                expected.remove(key)
                continue
            default: key = .random(in: -300...300, using: &random)
            }
            rows.insert(key)
            expected.insert(key)
        }

        #expect(rows.isEmpty == expected.isEmpty)
        #expect(Array(rows.runs.keys) == expected.sorted())
        for (run, next) in zip(rows.runs.runs, rows.runs.runs.dropFirst()) {
            #expect(run.upperBound + 1 < next.lowerBound)
        }
        for key in Array(Int64(-310)...310) + [.min, .min + 1, .max - 1, .max] {
            #expect(rows.contains(key) == expected.contains(key))
            #expect(rows.runs.contains(key) == expected.contains(key))
        }
    }

    @Test("rows in the order of their keys are one run")
    func ascending() {
        var rows = NewRows()
        for key in Int64(1)...10_000 { rows.insert(key) }

        #expect(rows.runs.runs == [1...10_000])
        #expect(rows.runs.count == 10_000)
    }

    @Test("runs are joined where they overlap or touch, up to the greatest key")
    func joining() {
        var runs = KeyRuns([5...9, Int64.min...(-3), 10...12, 8...8, (Int64.max - 1)...Int64.max, -1...0])
        runs.formUnion(KeyRuns([1...4, -2...(-2)]))

        #expect(runs.runs == [Int64.min...12, (Int64.max - 1)...Int64.max])
        #expect(runs.count == .max, "There are more keys than can be counted.")
    }
}
