import Foundation
import Testing

@Suite("The table of scenarios")
struct ScenarioTableTests {
    /// One row of the table.
    private struct Row {
        let number: Int
        let rules: Set<String>
        let whole: Set<String>
    }

    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")

    private func rows() throws -> [Row] {
        try String(contentsOf: root.appendingPathComponent("Packages/Daybook/Tests/SCENARIOS.md"), encoding: .utf8)
            .split(separator: "\n")
            .compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count >= 4, let number = Int(cells[0]) else { return nil }
                let names = cells.map { Set($0.components(separatedBy: ", ").filter { !$0.isEmpty }) }
                return Row(number: number, rules: names[2], whole: names[3])
            }
    }

    /// The files below a folder that have a test with the tag of each scenario.
    private func files(below folder: String) throws -> [Int: Set<String>] {
        let url = root.appendingPathComponent(folder)
        var found: [Int: Set<String>] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) where path.hasSuffix(".swift") {
            let file = url.appendingPathComponent(path)
            let text = try String(contentsOf: file, encoding: .utf8)
            for list in text.matches(of: /\.tags\(([^)]*)\)/) {
                for tag in list.1.matches(of: /\.scenario(\d+)/) {
                    guard let number = Int(tag.1) else { continue }
                    found[number, default: []].insert(file.deletingPathExtension().lastPathComponent)
                }
            }
        }
        return found
    }

    @Test("it has a row for each of the 111 scenarios, which names exactly the files with its tag")
    func complete() throws {
        let rules = try files(below: "Packages/EventRecording/Tests/EventRecordingTests")
            .merging(files(below: "Packages/SyncTransport/Tests/SyncTransportTests")) { $0.union($1) }
        let whole = try files(below: "Packages/Daybook/Tests/ScenarioTests")
            .merging(files(below: "Integration/Tests/IntegrationTests")) { $0.union($1) }

        let rows = try rows()

        #expect(rows.map(\.number) == Array(1...111))
        for row in rows {
            #expect(row.rules == rules[row.number] ?? [], "scenario \(row.number)")
            #expect(row.whole == whole[row.number] ?? [], "scenario \(row.number)")
            #expect(!row.whole.isEmpty, "scenario \(row.number) has no test on the real store")
        }
    }
}
