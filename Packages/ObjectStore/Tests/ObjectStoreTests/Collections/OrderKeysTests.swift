import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("The order keys of a list")
struct OrderKeysTests {
    /// A list that counts how many of its rows are written.
    private struct Rows {
        var keys: [Int64]
        var writeCount = 0

        mutating func insert(at index: Int) {
            writeCount += 1
            guard let first = keys.first else {
                keys = OrderKeys.after(nil, count: 1)
                return
            }
            guard index > 0 else { return keys.insert(OrderKeys.before(first, count: 1)[0], at: 0) }
            guard index < keys.count else { return keys.append(OrderKeys.after(keys[index - 1], count: 1)[0]) }
            if let key = OrderKeys.between(keys[index - 1], keys[index], count: 1) {
                return keys.insert(key[0], at: index)
            }
            let respacing = OrderKeys.respacing(for: 1, before: index, in: keys)
            writeCount += respacing.keys.count
            keys.replaceSubrange(respacing.range, with: respacing.keys)
            keys.insert(respacing.added[0], at: index)
        }

        var isAscending: Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }
    }

    @Test("elements that are inserted anywhere have keys in their order", arguments: 0..<20)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var rows = Rows(keys: seed.isMultiple(of: 2) ? [] : Array(0..<100))
        for _ in 0..<500 {
            rows.insert(at: .random(in: 0...rows.keys.count, using: &random))
            #expect(rows.isAscending)
        }
    }

    @Test(
        "insertions at one place write few other rows, however long the list is",
        arguments: [1000, 10_000],
        [0.0, 0.3, 0.5, 1.0]
    )
    func onePlace(count: Int, place: Double) {
        var rows = Rows(keys: OrderKeys.after(nil, count: count))
        let index = Int(Double(count) * place)

        for _ in 0..<1000 { rows.insert(at: index) }

        #expect(rows.isAscending)
        #expect(rows.writeCount < 12 * 1000)
    }

    @Test("insertions that follow each other in the middle write few other rows")
    func oneAfterTheOther() {
        var rows = Rows(keys: OrderKeys.after(nil, count: 10_000))

        for index in 5000..<6000 { rows.insert(at: index) }

        #expect(rows.isAscending)
        #expect(rows.writeCount < 12 * 1000)
    }

    @Test("a list without gaps gets them once, on the shorter side")
    func withoutGaps() {
        for index in [300, 700] {
            let respacing = OrderKeys.respacing(for: 2, before: index, in: Array(0..<1000))

            #expect(respacing.range == (index < 500 ? 0..<300 : 700..<1000))
            #expect(respacing.added.count == 2)
            var keys = Array(Int64(0)..<1000)
            keys.replaceSubrange(respacing.range, with: respacing.keys)
            keys.insert(contentsOf: respacing.added, at: index)
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("several elements find room between two, or there is none")
    func between() {
        #expect(OrderKeys.between(0, 256, count: 3) == [64, 128, 192])
        #expect(OrderKeys.between(-5, -1, count: 3) == [-4, -3, -2])
        #expect(OrderKeys.between(0, 3, count: 3) == nil)
        #expect(OrderKeys.between(.min, .max, count: 1) != nil)
    }
}
