import EventModel
import EventProofs

/// Holds single files against what an index says of them.
struct IndexComparison {
    /// Where the index lies.
    let path: String
    var findings: [PartitionFinding] = []
    var waitingLosses: [LossEntry] = []

    init(path: String) {
        self.path = path
    }

    func verification(_ contents: SealedIndexContents?) -> IndexVerification {
        IndexVerification(
            path: path,
            publicKey: contents?.publicKey,
            sealedCount: contents?.state.folders.values.reduce(0) { $0 &+ $1.number } ?? 0,
            waitingLosses: waitingLosses,
            findings: findings
        )
    }

    /// Checks that a file belongs to the folder that it lies in.
    mutating func checkOwner(of report: PartitionVerification) {
        let place = EventPlace(report.path)
        guard let owner = report.seal?.owner ?? report.owner, owner != place.owner else { return }
        findings.append(.foreign(report.partition, owner: owner, path: report.path))
    }

    /// Compares a file with its entry.
    mutating func compare(_ entry: IndexedPartition, _ report: PartitionVerification, size: UInt64?) {
        guard let sealed = entry.seal else { return }
        let partition = report.partition
        if let seal = report.seal {
            if !sealed.isSame(as: seal) {
                add(.changed(partition, path: report.path, reason: "it has another seal"))
            } else if let size, size != sealed.byteCount {
                let reason = "it has \(size) bytes, and had \(sealed.byteCount)"
                add(.changed(partition, path: report.path, reason: reason))
            }
            return
        }
        if report.eventCount < sealed.count {
            add(.shortened(partition, sealed: sealed.count, found: report.eventCount, path: report.path))
        } else if report.eventCount > sealed.count || report.root != sealed.root {
            add(.changed(partition, path: report.path, reason: "its events are not the ones that were sealed"))
        } else if entry.state != .entered {
            // Between the entry and the seal a process may have ended; then nothing is missing but the seal itself.
            add(.unsealed(partition, path: report.path))
        }
    }

    private mutating func add(_ finding: PartitionFinding) { findings.append(finding) }

    /// Checks that a sealed file is one that the index names.
    mutating func checkKnown(_ report: PartitionVerification, in state: SealedIndexState) {
        let place = EventPlace(report.path)
        guard let seal = report.seal, seal.owner.map({ $0 == place.owner }) ?? true else { return }
        let folder = state.folders[IndexedFolder(owner: place.owner, prefix: place.prefix)]
        let entry = folder?.partitions[report.partition.id]
        guard entry?.seal == nil, entry?.state != .leaving else { return }
        guard let number = seal.number else {
            // Earlier versions sealed it: before the index knew the folder, or before it was set aside.
            let isAside = report.path.hasSuffix(PartitionNames.quarantined)
            if folder != nil, !isAside { add(.returned(report.partition, path: report.path)) }
            return
        }
        let wasDeleted = folder.map { number <= $0.number } ?? false
        add(wasDeleted ? .returned(report.partition, path: report.path) : .unknown(report.partition, path: report.path))
    }
}
