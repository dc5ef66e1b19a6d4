package import AuditModel
import AuditVerifying
import EventModel
import Foundation

/// What the records of a server say was erased, held against its trail and against what is gone.
package struct RemoteErasures {
    private var ranges: [Int64: ErasedRanges] = [:]
    private var problems: [Int64: String] = [:]

    /// Reads the records and what the trail says of them.
    ///
    /// - Returns: nil for an auditor of some apps, who may not read them.
    /// - Throws: ``CommandError`` when the server cannot be asked.
    package init?(_ server: RemoteServer, trail: [EventLine]) async throws {
        let records: [ErasureRecord]
        do {
            records = try await server.list(ErasureRecord.self, "erasures")
        } catch CommandError.refused(status: 403, _) {
            return nil
        }
        for record in records {
            let page = try await server.get("erasures/\(record.number)/ranges").body
            let found = ErasedRanges(try server.decode([ErasedRange].self, from: page))
            ranges[record.number] = found
            problems[record.number] = await ErasureCheck.problem(of: record, found) { words in
                trail.contains { $0.data?.contains(words) ?? false }
            }
        }
    }

    /// Returns a half-sentence for everything that is wrong with the erasures of a partition's events.
    package func problems(of gone: [Int64: [ErasedRange]]) -> [String] {
        gone.sorted { $0.key < $1.key }
            .flatMap { number, gone -> [String] in
                guard let known = ranges[number] else { return ["there is no record of erasure \(number)"] }
                let uncovered = gone.filter { range in
                    !known.ranges.contains {
                        $0.partition == range.partition && $0.first <= range.first && range.last <= $0.last
                    }
                }
                return uncovered.map { "events \($0.first) to \($0.last) are not in the record of erasure \(number)" }
                    + [problems[number]].compactMap(\.self)
            }
    }
}
