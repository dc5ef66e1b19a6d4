import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("The runs of modified rows")
struct ModifiedRowsTests {
    @Test("random modifications are kept for each key, in ascending runs that do not overlap", arguments: 0..<60)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var rows = ModifiedRows()
        var expected: [Int64: SlotSet] = [:]
        var key: Int64 = 0
        for _ in 0..<Int.random(in: 1...200, using: &random) {
            // Mostly the same row or the next one, as programs do it.
            switch Int.random(in: 0..<6, using: &random) {
            case 0...1: break
            case 2...4: key += 1
            default: key = .random(in: 0..<40, using: &random)
            }
            let slot = Int.random(in: 0..<3, using: &random)
            rows.insert(key, SlotSet(slot))
            expected[key, default: SlotSet()].insert(slot)
        }

        rows.normalize()

        for key in -1..<260 { #expect(rows.slots(of: Int64(key)) == expected[Int64(key)] ?? SlotSet()) }
        #expect(Array(rows.keys) == expected.keys.sorted())
        for (run, next) in zip(rows.runs, rows.runs.dropFirst()) {
            #expect(run.keys.upperBound < next.keys.lowerBound)
        }
    }

    @Test("the union of two transactions has the properties of both", arguments: 0..<40)
    func union(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var expected: [Int64: SlotSet] = [:]
        var union = ModifiedRows()
        for _ in 0..<3 {
            var rows = ModifiedRows()
            for _ in 0..<20 {
                let start = Int64.random(in: 0..<60, using: &random)
                let slot = Int.random(in: 0..<4, using: &random)
                for key in start..<(start + .random(in: 1...8, using: &random)) {
                    rows.insert(key, SlotSet(slot))
                    expected[key, default: SlotSet()].insert(slot)
                }
            }
            rows.normalize()
            union.formUnion(rows)
        }

        for key in 0..<70 { #expect(union.slots(of: Int64(key)) == expected[Int64(key)] ?? SlotSet()) }
    }

    @Test("the least and the greatest key are rows like others, and do not follow each other")
    func ends() {
        var rows = ModifiedRows()
        for key in [Int64.max, .min, .max, .max - 1, .min + 1, .min] { rows.insert(key, SlotSet(Int(key & 1))) }
        rows.insert(.max, SlotSet(2))

        rows.normalize()

        #expect(Array(rows.keys) == [.min, .min + 1, .max - 1, .max])
        #expect(rows.slots(of: .max) == SlotSet(bits: 0b110))
        #expect(rows.slots(of: .min) == SlotSet(0))
        #expect(rows.slots(of: 0).isEmpty)
    }

    @Test("modifying many rows in order with several properties each takes one run")
    func compact() {
        var rows = ModifiedRows()
        for key in 1...10_000 as ClosedRange<Int64> {
            rows.insert(key, SlotSet(2))
            rows.insert(key, SlotSet(5))
        }

        #expect(rows.runs.count == 1)
    }

    @Test("a slot beyond the last bit is in the set of all slots behind it")
    func wide() {
        #expect(SlotSet(63) == SlotSet(200))
        #expect(!SlotSet(62).contains(63))
    }
}
