import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("Keys that a statement is given together")
struct KeyGroupTests {
    @Test("every key is in one group, in order, and a run has no gap", arguments: 0..<40)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var keys: [Int64] = []
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let first = Int64.random(in: 0...100_000, using: &random)
            let count = Int64([1, 2, 15, 16, 17, 2500].randomElement(using: &random) ?? 1)
            keys += first..<(first + count)
        }

        let groups = KeyGroup.groups(of: keys)

        #expect(groups.flatMap(\.keys) == keys)
        for group in groups {
            if group.isRun {
                #expect(zip(group.keys, group.keys.dropFirst()).allSatisfy { $0 + 1 == $1 })
                #expect(group.keys.count >= KeyGroup.minimumRun)
            } else {
                #expect(group.keys.count <= KeyGroup.maximumCount)
            }
        }
    }

    @Test("no key follows the greatest one, and no order is needed")
    func ends() {
        let keys = [Int64.max, .min, .min + 1] + Array((Int64.max - 20)...Int64.max)

        let groups = KeyGroup.groups(of: keys)

        #expect(groups.flatMap(\.keys) == keys)
        #expect(groups.map(\.isRun) == [false, true])
    }

    @Test("all rows of a class are one group")
    func whole() {
        #expect(KeyGroup.groups(of: Array(1...100_000)).count == 1)
        #expect(KeyGroup.groups(of: []).isEmpty)
    }
}
