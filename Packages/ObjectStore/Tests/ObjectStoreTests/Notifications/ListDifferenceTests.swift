import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("The difference of two lists")
struct ListDifferenceTests {
    /// Does to the old list what the difference says; replaced elements are taken from the new list.
    private func apply(_ difference: ListDifference, _ old: [Int64], _ new: [Int64]) -> [Int64] {
        var shadow: [Int64?] = old.map { $0 }
        for place in difference.replacements { shadow[place] = nil }
        for place in difference.deletions.reversed() { shadow.remove(at: place) }
        for place in difference.insertions { shadow.insert(new[place], at: place) }
        return shadow.enumerated().map { $0.element ?? new[$0.offset] }
    }

    private func check(_ old: [Int64], _ new: [Int64], _ comment: Comment? = nil) {
        for pairing in [false, true] {
            let difference = ListDifference(from: old, to: new, pairing: pairing)
            #expect(apply(difference, old, new) == new, comment)
            for places in [difference.deletions, difference.insertions, difference.replacements] {
                #expect(places == places.sorted() && Set(places).count == places.count, comment)
            }
            #expect(Set(difference.deletions).isDisjoint(with: difference.replacements), comment)
            if !pairing { #expect(difference.replacements.isEmpty, comment) }
        }
    }

    @Test("random edits give changes that turn the old list into the new one", arguments: 0..<400)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let range: ClosedRange<Int64> = seed.isMultiple(of: 2) ? 0...1_000_000 : 0...6
        let old = (0..<Int.random(in: 0...40, using: &random)).map { _ in Int64.random(in: range, using: &random) }
        var new = old
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                new.insert(.random(in: range, using: &random), at: .random(in: 0...new.count, using: &random))
            case 1 where !new.isEmpty: new.remove(at: .random(in: 0..<new.count, using: &random))
            case 2 where !new.isEmpty:
                new[.random(in: 0..<new.count, using: &random)] = .random(in: range, using: &random)
            case 3 where new.count > 1:
                let moved = new.remove(at: .random(in: 0..<new.count, using: &random))
                new.insert(moved, at: .random(in: 0...new.count, using: &random))
            default: break
            }
        }
        check(old, new)
        check(old.sorted(), new.sorted())
        check(old.shuffled(using: &random), new)
    }

    @Test("the changes are as few as possible", arguments: 0..<100)
    func minimal(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let old = (0..<12).map { _ in Int64.random(in: 0...7, using: &random) }
        let new = (0..<12).map { _ in Int64.random(in: 0...7, using: &random) }

        let difference = ListDifference(from: old, to: new)

        #expect(old.count - difference.deletions.count == longestCommon(old[...], new[...]))
    }

    private func longestCommon(_ left: ArraySlice<Int64>, _ right: ArraySlice<Int64>) -> Int {
        var row = [Int](repeating: 0, count: right.count + 1)
        for a in left {
            var diagonal = 0
            for (index, b) in right.enumerated() {
                let above = row[index + 1]
                row[index + 1] = a == b ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[right.count]
    }

    @Test("N1: what is alike at both ends, empty lists and moves")
    func cases() {
        let cases: [([Int64], [Int64], [Int], [Int])] = [
            ([], [], [], []),
            ([], [1, 2], [], [0, 1]),
            ([1, 2], [], [0, 1], []),
            ([1, 2, 3], [1, 2, 3], [], []),
            ([1, 2, 3], [1, 3], [1], []),
            ([1, 3], [1, 2, 3], [], [1]),
            ([3, 1, 2], [1, 2, 3], [0], [2]),
            ([1, 1, 1], [1, 1], [2], []),
            ([5, 1, 9], [5, 2, 9], [1], [1]),
        ]
        for (old, new, deletions, insertions) in cases {
            let difference = ListDifference(from: old, to: new)
            #expect(difference.deletions == deletions, "\(old) to \(new)")
            #expect(difference.insertions == insertions, "\(old) to \(new)")
        }
    }

    @Test("as many removed as inserted at one spot are replaced, moves are not")
    func pairing() {
        let replaced = ListDifference(from: [1, 2, 3, 4], to: [1, 8, 9, 4], pairing: true)
        #expect(replaced.replacements == [1, 2])
        #expect(replaced.deletions.isEmpty && replaced.insertions.isEmpty)
        let swapped = ListDifference(from: [1, 2], to: [2, 1], pairing: true)
        #expect(swapped.replacements.isEmpty)
        #expect(swapped.deletions.count == 1 && swapped.insertions.count == 1)
        let uneven = ListDifference(from: [1, 2, 3], to: [7, 3], pairing: true)
        #expect(uneven.replacements.isEmpty)
        #expect(uneven.deletions == [0, 1] && uneven.insertions == [0])
    }

    @Test("long lists take no square of time, in order, shuffled and with repetitions")
    func long() {
        var random = SeededGenerator(seed: 1)
        let keys = (0..<50_000).map { Int64($0) }
        var changed = keys
        changed.removeSubrange(100..<200)
        changed.insert(contentsOf: [90_000, 90_001], at: 30_000)
        let difference = ListDifference(from: keys, to: changed)
        #expect(difference.deletions == Array(100..<200))
        #expect(difference.insertions == [30_000, 30_001])

        let repeated = keys.map { $0 % 100 }
        let shuffled = keys.shuffled(using: &random)
        for (old, new) in [(keys, shuffled), (repeated, repeated.shuffled(using: &random))] {
            let difference = ListDifference(from: old, to: new)
            let kept = old.count - difference.deletions.count
            #expect(kept == new.count - difference.insertions.count)
            #expect(kept > 0)
        }
    }
}
