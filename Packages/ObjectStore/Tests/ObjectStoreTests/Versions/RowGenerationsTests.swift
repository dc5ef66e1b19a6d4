import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("Which rows changed since a generation")
struct RowGenerationsTests {
    @Test("a row that changed never counts as unchanged", arguments: 0..<60)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var rows = RowGenerations()
        var changed: [Int64: UInt64] = [:]
        var floor: UInt64 = 1
        var key: Int64 = 0
        for generation in UInt64(2)..<400 {
            switch Int.random(in: 0..<60, using: &random) {
            case 0:
                rows.noteAll(at: generation)
                floor = generation
            case 1..<8: rows.seal()
            case 8..<45: key += Int64.random(in: 0...1, using: &random)
            default: key = .random(in: 0..<100, using: &random)
            }
            rows.note(key, at: generation)
            changed[key] = generation

            let (asked, since) = (
                Int64.random(in: 0..<100, using: &random), UInt64.random(in: 0...generation, using: &random)
            )
            if rows.isUnchanged(asked, since: since) {
                #expect(since >= floor)
                #expect((changed[asked] ?? 0) <= since)
            }
        }
    }

    @Test("a row that follows in the next transaction leaves those before it unchanged")
    func sealed() {
        var rows = RowGenerations()
        rows.note(1, at: 2)
        rows.note(2, at: 3)
        rows.seal()
        rows.note(3, at: 4)
        rows.seal()
        rows.note(4, at: 5)

        #expect([1, 2, 3, 4].map { rows.isUnchanged($0, since: 3) } == [true, true, false, false])
        #expect([1, 2, 3, 4].map { rows.isUnchanged($0, since: 4) } == [true, true, true, false])
    }

    @Test(
        "many transactions that change many rows each make what was read before the older ones stale, and nothing else"
    )
    func manyTransactions() {
        var rows = RowGenerations()
        let count = RowGenerations.maximumRunCount * 3
        for transaction in 0..<count {
            rows.note(Int64(transaction) * 10, at: UInt64(transaction) * 2 + 2)
            rows.note(Int64(transaction) * 10 + 1, at: UInt64(transaction) * 2 + 3)
            rows.seal()
        }

        #expect(!rows.isUnchanged(-1, since: 4))
        #expect(rows.isUnchanged(-1, since: UInt64(count) * 2 - 20))
        #expect(!rows.isUnchanged(Int64(count) * 10 - 10, since: UInt64(count) * 2 - 20))
        #expect(rows.isUnchanged(Int64(count) * 10 - 10, since: UInt64(count) * 2 + 1))
    }

    @Test("the least and the greatest key are rows like others")
    func ends() {
        var rows = RowGenerations()
        rows.note(.max, at: 2)
        rows.note(.min, at: 3)
        rows.note(.min + 1, at: 4)
        rows.note(.max - 1, at: 5)
        rows.note(.max, at: 6)

        for key in [Int64.min, .min + 1, .max - 1, .max] {
            #expect(!rows.isUnchanged(key, since: 1))
            #expect(rows.isUnchanged(key, since: 6))
        }
        #expect(!rows.isUnchanged(.max, since: 5))
        #expect(rows.isUnchanged(0, since: 1))
    }

    @Test("rows ahead of a loop over all of them stay unchanged, however many it changed")
    func loop() {
        var rows = RowGenerations()
        for key in Int64(1)...200_000 {
            #expect(rows.isUnchanged(key, since: 1))
            rows.note(key, at: UInt64(key) + 1)
            rows.note(key, at: UInt64(key) + 1)
        }
        #expect(!rows.isUnchanged(7, since: 1))
    }

    @Test("rows that are changed in no order are remembered one by one, up to a bound")
    func scattered() {
        var rows = RowGenerations()
        for key in stride(from: Int64(2000), to: 0, by: -2) { rows.note(key, at: UInt64(4000 - key)) }
        #expect(rows.isUnchanged(1001, since: 1))
        #expect(!rows.isUnchanged(1000, since: 1))
        #expect(rows.isUnchanged(1000, since: 3000))

        let last = UInt64(RowGenerations.maximumCount) * 2 + 5000
        for generation in UInt64(5000)...last { rows.note(Int64(generation) * -3, at: generation) }
        #expect(!rows.isUnchanged(1001, since: 3000))
        #expect(rows.isUnchanged(1001, since: last))
    }

    @Test("when any row may have changed, each of them may")
    func all() {
        var rows = RowGenerations()
        rows.note(1, at: 2)
        rows.noteAll(at: 5)

        #expect(!rows.isUnchanged(9, since: 4))
        #expect(rows.isUnchanged(9, since: 5))
        #expect(!rows.isUnchanged(9, since: 0))
    }

    @Test("a new version lets rows be read again, and says nothing of their contents")
    func version() {
        var rows = RowGenerations()
        rows.note(1, at: 2)
        rows.noteVersion(at: 5)

        #expect(!rows.isUnchanged(9, since: 4))
        #expect(rows.isUnchanged(9, since: 5))
        #expect(rows.hasSameContents(9, since: 4))
        #expect(!rows.hasSameContents(1, since: 1))
    }
}
