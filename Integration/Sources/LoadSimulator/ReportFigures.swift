import Foundation

/// Figures of a report, as people read them.
enum ReportFigures {
    /// Counts by name, in the order of the names.
    static func list(_ counts: [String: Int]) -> String {
        guard !counts.isEmpty else { return "none" }
        return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// A number with one digit behind the point.
    static func figure(_ number: Double?) -> String { number.map { String(format: "%.1f", $0) } ?? "unknown" }

    /// What so many of 100 do not exceed; nil of none.
    static func percentile(_ percent: Int, of sorted: [Double]) -> Double? {
        sorted.isEmpty ? nil : sorted[(sorted.count - 1) * percent / 100]
    }

    /// One line of JSON, its keys in order.
    static func json(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }
}
