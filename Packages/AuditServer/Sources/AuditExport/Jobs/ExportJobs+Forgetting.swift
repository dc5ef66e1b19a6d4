package import AuditModel
import AuditVerifying
import EventModel
import Synchronization

extension ExportJobs: EventCopies {
    /// Takes erased events out of exports: what holds one is removed, and what is being made is begun anew.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be read or removed.
    /// - Complexity: O(*n*) in the events of all exports.
    package func forget(_ gone: ErasedRanges) throws {
        if gone.ranges.isEmpty { return }
        let made = state.withLock { state in
            state.outdated.formUnion(state.jobs.values.filter { $0.state == .running }.map(\.id))
            return state.jobs.values.filter { $0.state == .done }
        }
        let ranges = Dictionary(grouping: gone.ranges, by: \.partition)
        for job in made where try holds(job, ranges) {
            let emptied = change(job.id) { job in
                job.state = .failed
                job.problem = "Events in it were erased since it was made; ask for it again."
                job.files = []
                job.progress.bytes = 0
            }
            guard let emptied else { continue }
            try folder.empty(job.id)
            try folder.write(emptied)
        }
    }

    private func holds(_ job: ExportJob, _ gone: [PartitionID: [ErasedRange]]) throws -> Bool {
        do {
            let path = "\(folder.files(of: job.id))/\(ExportManifest.proofsName)"
            var records = try ExportRecords(path, isQuoted: false)
            while let record = try records.next() {
                guard let proof = ExportedProof(line: record.bytes), proof.erasure == nil else { continue }
                if gone[proof.partition]?.hold(proof.sequence) ?? false { return true }
            }
            return false
        } catch {
            // Somebody may have deleted it meanwhile.
            if state.withLock({ $0.jobs[job.id] == nil }) { return false }
            throw error
        }
    }
}

extension [ErasedRange] {
    /// Returns whether one of these, which are in order, holds an event.
    fileprivate func hold(_ sequence: UInt64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].last < sequence { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].first <= sequence
    }
}
