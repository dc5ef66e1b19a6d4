package import AuditModel

/// Compares the record of an erasure with the events that are gone by it, and with the words of the trail.
package enum ErasureCheck {
    /// Says what is wrong with an erasure.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - ranges: Which events are gone by it.
    ///   - trailSays: Whether the trail has the words of the record.
    /// - Returns: A sentence without its start and its end; nil when nothing is, or the erasure is under way.
    /// - Throws: What the closure throws.
    package static func problem(
        of record: ErasureRecord,
        _ ranges: ErasedRanges,
        trailSays: (String) async throws -> Bool
    ) async rethrows -> String? {
        guard let result = record.result else { return nil }
        guard ranges.result == result else {
            return "the events of erasure \(record.number) are not those of its record"
        }
        // One that took nothing hides nothing.
        guard result.events > 0, try await !trailSays(result.text(of: record.number)) else { return nil }
        return "the trail says nothing of erasure \(record.number) as it is recorded"
    }
}
