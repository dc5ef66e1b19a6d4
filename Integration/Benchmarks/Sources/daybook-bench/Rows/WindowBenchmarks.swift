import BenchmarkFloors
import BenchmarkHarness
import Foundation
import RealmWindow

/// What the tools show of a file without its program; the floor reads the same people through the C API.
///
/// A page is for somebody who waits for it: it is to be there within one frame of a screen, whatever the file has.
func windowBenchmarks(_ workload: Workload, _ files: FilledFiles) -> [Benchmark] {
    func sized(
        _ series: String,
        rounds: Int,
        _ sql: String,
        _ selection: @escaping @Sendable () -> RealmWindow.Selection
    ) -> [Benchmark] {
        workload.counts.map { count in
            Benchmark(
                "window: \(series), of \(count) objects",
                unit: "us",
                target: .atMost(16_000),
                step: GrowthStep("window: \(series)", size: count),
                floor: {
                    let people = try files.rawPeople(.people, in: files.folder(.people, count: count))
                    let query = try people.query(sql)
                    return medianNanoseconds(ofSteps: rounds) { _ in blackHole(query.sumOfFirstColumn()) } / 1000
                },
                ours: {
                    let file = try files.folder(.people, count: count).appending(path: "people.realm")
                    let window = try RealmWindow(file)
                    return try medianNanoseconds(ofSteps: rounds) { _ in
                        var shown = 0
                        try window.forEachObject(of: selection()) { shown &+= $0.values.count }
                        blackHole(shown)
                    } / 1000
                }
            )
        }
    }
    return sized("a page of 100", rounds: 50, "SELECT * FROM person LIMIT 100") {
        RealmWindow.Selection("Person", limit: 100)
    }
        + sized("a page of 100, sorted by a number", rounds: 5, "SELECT * FROM person ORDER BY score LIMIT 100") {
            RealmWindow.Selection("Person", sortedBy: "score", limit: 100)
        }
}
