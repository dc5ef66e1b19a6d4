import BenchmarkHarness
import Foundation
import Synchronization
import Testing

@Suite("Rows of a benchmark")
struct RowTests {
    @Test("the median is the middle of the figures, or the mean of the two middle ones")
    func medians() {
        #expect(median([3, 1, 2]) == 2)
        #expect(median([4, 1, 3, 2]) == 2.5)
        #expect(median([7]) == 7)
    }

    @Test("ours and the floor take turns, and the first turn does not count")
    func rounds() async throws {
        let turns = Mutex<[String]>([])
        let benchmark = Benchmark(
            "work",
            unit: "ns",
            floor: {
                turns.withLock { $0.append("floor") }
                return 10
            },
            ours: {
                turns.withLock {
                    $0.append("ours")
                    return $0.count == 1 ? 1000 : Double($0.count)
                }
            }
        )

        let row = try await benchmark.run(rounds: 3)

        #expect(turns.withLock { $0 } == ["ours", "floor", "ours", "floor", "ours", "floor", "ours", "floor"])
        #expect(row.ours == 5)
        #expect(row.floor == 10)
        #expect(row.ratio == 0.5)
    }

    @Test(
        "a target compares the ratio, what is above the floor, or our own figure",
        arguments: [
            (Target.timesFloor(1.5), 14.0, true), (.timesFloor(1.5), 16, false),
            (.aboveFloor(5), 15, true), (.aboveFloor(5), 15.1, false),
            (.atMost(10), 10, true), (.atMost(10), 10.1, false),
            (.atLeast(10), 10, true), (.atLeast(10), 9.9, false),
        ]
    )
    func targets(target: Target, ours: Double, met: Bool) {
        #expect(Row(name: "work", ours: ours, floor: 10, unit: "ns", target: target).met == met)
    }

    @Test("what is compared with a missing floor is not met, and without a target nothing is")
    func missing() {
        #expect(Row(name: "work", ours: 1, floor: nil, unit: "ns", target: .timesFloor(2)).met == false)
        #expect(Row(name: "work", ours: 0, floor: 0, unit: "ns", target: .timesFloor(2)).met == false)
        #expect(Row(name: "work", ours: 1, floor: nil, unit: "ns", target: .aboveFloor(2)).met == false)
        #expect(Row(name: "work", ours: 1, floor: 0, unit: "ns", target: .aboveFloor(2)).met == true)
        #expect(Row(name: "work", ours: 1, floor: 1, unit: "ns", target: nil).met == nil)
        #expect(Row(name: "work", ours: 1, floor: 0, unit: "ns", target: nil).ratio == nil)
    }

    @Test("JSON has every key, with null for what is missing")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let rows = [
            Row(name: "insert", ours: 3, floor: 2, unit: "us/row", target: .timesFloor(1.6), spread: 0.25),
            Row(name: "size", ours: 3, floor: nil, unit: "B", target: nil),
        ]

        let text = String(decoding: try encoder.encode(rows), as: UTF8.self)

        #expect(
            text
                == #"[{"floor":2,"met":true,"name":"insert","ours":3,"ratio":1.5,"spread":0.25,"target":"<= 1.6 x floor","#
                + #""unit":"us/row"},{"floor":null,"met":null,"name":"size","ours":3,"ratio":null,"spread":null,"#
                + #""target":null,"unit":"B"}]"#
        )
    }

    @Test("the table lines its columns up and counts the targets that are met")
    func table() {
        let table = RowTable([
            Row(name: "insert", ours: 1234.5, floor: 1000, unit: "ns", target: .timesFloor(1.6)),
            Row(name: "size", ours: 0.5, floor: nil, unit: "B", target: .atMost(0.25)),
            Row(name: "trip", ours: 6, floor: 2, unit: "ms", target: .aboveFloor(5)),
        ])

        let expected = """
            row     ours  floor  ratio  unit  target          met
            insert  1234   1000   1.23  ns    <= 1.6 x floor  yes
            size     0.5      -      -  B     <= 0.25         no
            trip       6      2      3  ms    <= floor + 5    yes
            2 of 3 targets met
            """
        #expect(table.description == expected)
    }
}

@Suite("Times of steps")
struct StepTimeTests {
    @Test("every step is taken once, in order")
    func steps() {
        var taken: [Int] = []

        let time = medianNanoseconds(ofSteps: 5) { taken.append($0) }

        #expect(taken == [0, 1, 2, 3, 4])
        #expect(time > 0)
    }
}
