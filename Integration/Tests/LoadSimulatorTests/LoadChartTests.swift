import Daybook
import Testing

@testable import LoadSimulator

@Suite("Charts of a load of realms")
struct LoadChartTests {
    /// A change of one property of a chart.
    enum Change: String, CaseIterable {
        case name, visits, notes, tags, marks, next, others, bed, value

        func make(of chart: LoadChart) {
            switch self {
            case .name: chart.name = "a"
            case .visits: chart.increment(\.visits, by: 1)
            case .notes: chart.notes.append("a")
            case .tags: chart.tags.insert("a")
            case .marks: chart.marks["a"] = 1
            case .next: chart.next = chart
            case .others: chart.others.append(chart)
            case .bed: chart.bed = LoadBed()
            case .value: chart.value = .int(1)
            }
        }
    }

    @Test("of two charts that differ in any property the lines differ", arguments: Change.allCases)
    func line(_ change: Change) throws {
        var configuration = Realm.Configuration(inMemoryIdentifier: "chart \(change)")
        configuration.objectTypes = ChartWork.classes
        let realm = try Realm(configuration: configuration)
        let chart = LoadChart(1)
        try realm.write { realm.add(chart) }
        let before = chart.line

        try realm.write { change.make(of: chart) }

        #expect(chart.line != before)
    }
}
