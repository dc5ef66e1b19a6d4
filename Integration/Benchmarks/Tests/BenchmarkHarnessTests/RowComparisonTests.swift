import BenchmarkHarness
import Foundation
import Testing

@Suite("A run against an earlier one")
struct RowComparisonTests {
    private func row(_ name: String = "insert", ours: Double, floor: Double?, unit: String = "ns", spread: Double? = 0)
        -> Row
    {
        Row(name: name, ours: ours, floor: floor, unit: unit, target: nil, spread: spread)
    }

    private func earlier(_ row: Row) -> EarlierRow {
        EarlierRow(name: row.name, ours: row.ours, ratio: row.ratio, unit: row.unit, spread: row.spread)
    }

    @Test("ratios to the floor are compared, so that a slower machine is no slower row")
    func ratios() throws {
        let comparison = try #require(RowComparison(row(ours: 300, floor: 200), earlier(row(ours: 15, floor: 10))))

        #expect(comparison.isRatio)
        #expect(comparison.worsening == 1)
        #expect(!comparison.isWorse)
    }

    @Test(
        "a row is worse beyond a tenth and its spread, of both runs the larger",
        arguments: [
            (1.09, 0.0, 0.0, false), (1.12, 0, 0, true), (1.12, 0.05, 0, false), (1.12, 0, 0.05, false),
            (1.2, 0.05, 0.05, true),
            (0.5, 0, 0, false),
        ]
    )
    func tolerance(factor: Double, before: Double, after: Double, isWorse: Bool) throws {
        let then = earlier(row(ours: 100, floor: 100, spread: before))
        let now = row(ours: 100 * factor, floor: 100, spread: after)

        #expect(try #require(RowComparison(now, then)).isWorse == isWorse)
    }

    @Test("without a floor the figures are compared, and less in a second is worse")
    func figures() throws {
        let costs = try #require(RowComparison(row(ours: 80, floor: nil), earlier(row(ours: 100, floor: nil))))
        let speeds = try #require(
            RowComparison(row(ours: 80, floor: nil, unit: "MB/s"), earlier(row(ours: 100, floor: nil, unit: "MB/s")))
        )

        #expect(!costs.isRatio && !costs.isWorse)
        #expect(speeds.worsening == 1.25 && speeds.isWorse)
    }

    @Test("another unit, or a floor in only one run, cannot be compared")
    func incomparable() {
        #expect(RowComparison(row(ours: 1, floor: 1), earlier(row(ours: 1, floor: 1, unit: "us"))) == nil)
        #expect(RowComparison(row(ours: 1, floor: nil), earlier(row(ours: 1, floor: 1))) == nil)
        #expect(RowComparison(row(ours: 0, floor: nil), earlier(row(ours: 1, floor: nil))) == nil)
    }

    @Test("rows of only one run are said, and are not worse")
    func missing() {
        let kept = row("kept", ours: 10, floor: 10)
        let slow = row("slow", ours: 20, floor: 10, spread: 0.5)
        let run = RunComparison(
            [kept, slow, row("new", ours: 1, floor: 1), row("other", ours: 1, floor: nil)],
            against: [
                earlier(kept), earlier(row("slow", ours: 10, floor: 10)), earlier(row("gone", ours: 1, floor: 1)),
                earlier(row("other", ours: 1, floor: 1)),
            ]
        )

        #expect(run.worse.map(\.name) == ["slow"])
        let expected = """
            row   then  now  change  spread  worse
            kept     1    1     x 1     0 %  no
            slow     1    2     x 2    50 %  yes
            not in the earlier run: new
            only in the earlier run: gone
            not comparable, as its unit or floor is another: other
            1 of 2 rows worse
            """
        #expect(run.description == expected)
    }

    @Test("the JSON of a run is read back, also one without spreads")
    func reading() throws {
        let rows = [row(ours: 3, floor: 2, spread: 0.25), row("size", ours: 3, floor: nil)]
        let older = Data(#"[{"name":"a","ours":1,"floor":2,"ratio":0.5,"unit":"ns","target":null,"met":null}]"#.utf8)

        #expect(try EarlierRow.rows(from: JSONEncoder().encode(rows)) == rows.map(earlier))
        #expect(
            try EarlierRow.rows(from: older) == [EarlierRow(name: "a", ours: 1, ratio: 0.5, unit: "ns", spread: nil)]
        )
    }

    @Test("what is not a run is refused with a sentence", arguments: ["", "{}", "[1]", #"[{"name":"a"}]"#])
    func refusal(text: String) {
        let error = #expect(throws: EarlierRowsError.self) { try EarlierRow.rows(from: Data(text.utf8)) }

        #expect(error?.description == "It is not a JSON array of rows, as --json writes it.")
    }

    @Test("a run that names a row twice is refused")
    func repeated() throws {
        let json = try JSONEncoder().encode([row(ours: 1, floor: 1), row(ours: 2, floor: 1)])

        #expect(throws: EarlierRowsError.repeatedName) { try EarlierRow.rows(from: json) }
    }
}
