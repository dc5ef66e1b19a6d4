import BenchmarkHarness
import Testing

@Suite("Growth of rows")
struct GrowthTests {
    private func row(_ size: Int, ours: Double, floor: Double?, series: String = "count") -> Row {
        Row(
            name: "\(series), \(size) objects",
            ours: ours,
            floor: floor,
            unit: "ns/object",
            target: nil,
            step: GrowthStep(series, size: size)
        )
    }

    @Test("each row is compared with the smallest size of its series, whatever the order")
    func smallest() {
        let rows = [
            row(1000, ours: 30, floor: nil), row(10, ours: 10, floor: nil), row(10, ours: 7, floor: nil, series: "sum"),
        ]

        let growth = Growth(rows)

        #expect(growth.factor(of: rows[0]) == 3)
        #expect(growth.factor(of: rows[1]) == nil)
        #expect(growth.factor(of: rows[2]) == nil)
    }

    @Test("what the floor grows is not ours, and what it shrinks is not asked of us")
    func floors() {
        let rows = [row(10, ours: 10, floor: 2), row(100, ours: 40, floor: 4), row(1000, ours: 10, floor: 1)]

        let growth = Growth(rows)

        #expect(growth.factor(of: rows[1]) == 2)
        #expect(growth.factor(of: rows[2]) == 1)
    }

    @Test("a half more is tolerated")
    func tolerance() {
        let rows = [row(10, ours: 10, floor: 1), row(100, ours: 15, floor: 1), row(1000, ours: 16, floor: 1)]

        let growth = Growth(rows)

        #expect(growth.finding(of: rows[1]) == nil)
        #expect(growth.finding(of: rows[2]) == 1.6)
    }

    @Test("the table says which rows grow, in a column that it has only then")
    func table() {
        let expected = """
            row                 ours  floor  ratio  unit       target  met  finding
            count, 10 objects     10      2      5  ns/object  -       -
            count, 100 objects    42      4   10.5  ns/object  -       -    grows x 2.1
            0 of 0 targets met
            findings: 1 (more than x 1.5 of the smallest size's cost, beyond the floor)
            """

        #expect(RowTable([row(10, ours: 10, floor: 2), row(100, ours: 42, floor: 4)]).description == expected)
    }

    @Test("how far the rounds of a row differ is a fraction of their median, of ratios where there is a floor")
    func spread() async throws {
        let figures = FigureSource([0, 8, 9, 10, 11, 12])
        let plain = try await Benchmark("work", unit: "ns", ours: { figures.next() }).run(rounds: 5)
        let doubled = FigureSource([0, 0, 8, 16, 9, 18, 10, 20])
        let steady = try await Benchmark("work", unit: "ns", floor: { doubled.next() }, ours: { doubled.next() })
            .run(rounds: 3)

        #expect(plain.spread == 0.2)
        #expect(steady.spread == 0)
    }
}
