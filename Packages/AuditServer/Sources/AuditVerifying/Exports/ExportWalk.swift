import AuditFormats
import AuditModel
import EventModel
import EventProofs
import Foundation

/// Walks through the proofs of an export, and through the lines of its formats beside them.
package struct ExportWalk {
    /// After how many events somebody is told.
    private static let reportEvery: UInt64 = 1000

    private let manifest: ExportManifest
    private let receiptKey: [UInt8]?
    private let log: ExportedTree?
    /// How many entries the log had when it was time-stamped; nil when it was not.
    private let stamped: UInt64?
    private var proofs: ExportRecords
    private var formats: [(format: ExportFormat, records: ExportRecords)]
    private var known: Set<PartitionID> = []
    private var current: ExportedPartition?
    private var lastSequence: UInt64 = 0
    /// How many events were looked at.
    private(set) var events: UInt64 = 0
    /// How many of these have masked fields.
    private(set) var maskedEvents: UInt64 = 0
    /// How many of these were erased.
    private(set) var erasedEvents: UInt64 = 0
    /// How many partitions were looked at.
    private(set) var partitions: UInt64 = 0
    /// How many of these have no seal.
    private(set) var openPartitions: UInt64 = 0
    /// How many of the sealed ones are proven to be in the log.
    private(set) var loggedPartitions: UInt64 = 0
    /// How many of these are in the log that was time-stamped, which was received last, and which of the others first.
    private(set) var stampedEntries: (count: UInt64, latest: PartitionLogEntry?, next: PartitionLogEntry?) = (
        0, nil, nil
    )
    private var unlogged: UInt64 = 0
    /// What the cover tells.
    private(set) var facts: CoverFacts
    private let revoked: [[UInt8]: [RevokedKey]]

    /// Opens the files.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when one cannot be read.
    package init(
        folder: String,
        manifest: ExportManifest,
        names: Set<String>,  // TEXT: ours.
        receiptKey: [UInt8]?,
        log: ExportedTree?,
        stamped: UInt64? = nil
    ) throws {
        self.manifest = manifest
        self.receiptKey = receiptKey
        self.log = log
        self.stamped = stamped
        facts = CoverFacts(revoked: manifest.revokedKeys)
        revoked = Dictionary(grouping: manifest.revokedKeys, by: \.publicKey)
        proofs = try ExportRecords("\(folder)/\(ExportManifest.proofsName)", isQuoted: false)
        formats = try ExportFormat.allCases.filter { names.contains($0.fileName) }
            .map { ($0, try ExportRecords("\(folder)/\($0.fileName)", isQuoted: $0 == .csv)) }
    }

    /// Checks every line.
    ///
    /// - Parameter tell: Called with what is wrong, what should be known, or how many events were looked at.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be read.
    package mutating func run(_ tell: (_ problem: String?, _ remark: String?, _ events: UInt64?) -> Void) throws {
        for index in formats.indices {
            let header = formats[index].format.header(manifest.columns)
            if header.isEmpty { continue }
            let found = try formats[index].records.next()
            if found.map({ Array($0.bytes) }) != header {
                tell("\(formats[index].format.fileName), line 1: it does not name the columns.", nil, nil)
            }
        }
        while let record = try proofs.next() {
            let place = "\(ExportManifest.proofsName), \(record.place)"
            if let proof = ExportedProof(line: record.bytes) {
                for problem in check(proof) { tell("\(place): \(problem).", nil, nil) }
                try compare(proof) { tell($0, nil, nil) }
                if events.isMultiple(of: Self.reportEvery) { tell(nil, nil, events) }
            } else if let partition = Self.partition(record.bytes) {
                for problem in check(partition) { tell("\(place): \(problem).", nil, nil) }
                checkKey(of: partition) { tell($0, $1, nil) }
                if partition.seal == nil, partition.receipt == nil {
                    tell(nil, "Partition \(partition.partition) is open, and nobody has signed what it holds.", nil)
                }
            } else {
                tell("\(place): it is neither a partition nor a proof.", nil, nil)
            }
        }
        if unlogged > 0 {
            let what = unlogged == 1 ? "1 partition was" : "\(unlogged) partitions were"
            tell(nil, "\(what) sealed after \(logName) was signed, and so is not proven to be in the log.", nil)
        }
        for index in formats.indices {
            if let record = try formats[index].records.next() {
                tell("\(formats[index].format.fileName), \(record.place): no proof belongs to it.", nil, nil)
            }
        }
    }

    private static func partition(_ bytes: ArraySlice<UInt8>) -> ExportedPartition? {
        do {
            return try JSONDecoder().decode(ExportedPartition.self, from: Data(bytes))
        } catch {
            // What is wrong with a line is told by its place alone.
            return nil
        }
    }

    // MARK: - Partitions

    private mutating func check(_ partition: ExportedPartition) -> [String] {
        var problems: [String] = []
        let name = partition.partition
        if !known.insert(name).inserted { problems.append("partition \(name) is there twice") }
        current = partition
        facts.add(partition)
        lastSequence = 0
        partitions += 1
        if let seal = partition.seal {
            if seal.partition != name || seal.count != partition.count || seal.root != partition.root {
                problems.append("the seal of partition \(name) speaks of other events")
            }
            do throws(ProofError) {
                try seal.verifySignature()
            } catch {
                problems.append("the signature of the seal of partition \(name) does not belong to what it says")
            }
        } else {
            openPartitions += 1
        }
        return problems + checkReceipt(of: partition) + checkLog(of: partition)
    }

    /// Says that a partition was sealed with a key that was revoked, or may have been.
    private func checkKey(of partition: ExportedPartition, _ tell: (_ problem: String?, _ remark: String?) -> Void) {
        guard let seal = partition.seal else { return }
        for key in revoked[seal.publicKey] ?? [] where key.sealed(seal, of: partition.owner) {
            if let entry = partition.logged?.entry {
                if let problem = key.problem(of: entry) { tell(problem, nil) }
            } else {
                tell(
                    nil,
                    "Partition \(partition.partition) was sealed with a key that was revoked as of \(key.since): whether before or "
                        + "after is not shown, as it is not in the log."
                )
            }
        }
    }

    private func checkReceipt(of partition: ExportedPartition) -> [String] {
        let name = partition.partition
        guard let receipt = partition.receipt else {
            return manifest.isSigned ? ["the server's receipt for partition \(name) is missing"] : []
        }
        var problems: [String] = []
        let speaksOfIt =
            receipt.partition == name && receipt.durableThrough == partition.count && receipt.root == partition.root
            && receipt.app == partition.app && receipt.user == partition.user
            && receipt.isSealed == (partition.seal != nil)
        if !speaksOfIt { problems.append("the server's receipt for partition \(name) speaks of other events") }
        do throws(ProofError) {
            try receipt.verifySignature()
        } catch {
            problems.append("the signature of the receipt for partition \(name) does not belong to what it says")
        }
        if let receiptKey, receipt.publicKey != receiptKey {
            let names = manifest.version > ExportManifest.lastSignedLikeReceipts ? " names" : ""
            problems.append("the receipt for partition \(name) is signed with another key than the manifest\(names)")
        }
        return problems
    }

    private mutating func checkLog(of partition: ExportedPartition) -> [String] {
        let name = partition.partition
        guard let logged = partition.logged else {
            if partition.seal != nil, log != nil { unlogged += 1 }
            return []
        }
        guard let log, logged.entry.seal == partition.seal, logged.entry.app == partition.app,
            logged.entry.user == partition.user, logged.proof.index == logged.entry.index,
            logged.proof.count == log.size, logged.proof.verify(leaf: logged.entry.leaf, root: log.root)
        else { return ["the entry of partition \(name) is not in the log, as \(logName) shows"] }
        loggedPartitions += 1
        if let stamped { compare(logged.entry, with: stamped) }
        return []
    }

    /// Notes on which side of the time-stamp an entry is.
    private mutating func compare(_ entry: PartitionLogEntry, with stamped: UInt64) {
        if entry.index < stamped {
            stampedEntries.count += 1
            if let latest = stampedEntries.latest, latest.received >= entry.received { return }
            stampedEntries.latest = entry
        } else {
            if let next = stampedEntries.next, next.received <= entry.received { return }
            stampedEntries.next = entry
        }
    }

    /// What says which partitions the log has.
    private var logName: String { manifest.version == 1 ? "the head of the log" : "the checkpoint" }

    // MARK: - Events

    private mutating func check(_ proof: ExportedProof) -> [String] {
        events += 1
        if proof.isMasked { maskedEvents += 1 }
        if proof.erasure != nil { erasedEvents += 1 }
        let name = "event \(proof.sequence) of partition \(proof.partition)"
        guard let current, current.partition == proof.partition else {
            return ["\(name) does not stand behind the line of its partition"]
        }
        var problems: [String] = []
        if proof.sequence <= lastSequence { problems.append("\(name) comes after event \(lastSequence)") }
        lastSequence = proof.sequence
        if let event = proof.event {
            if MerkleHash.leaf(event) != proof.leafHash {
                problems.append("\(name) is not what was received: its leaf hash differs")
            }
        } else if !proof.isMasked, proof.erasure == nil {
            problems.append("the stored columns of \(name) no longer made up an event")
        }
        guard proof.sequence <= current.count, let leaf = proof.leafHash else {
            return problems + ["\(name) is not in the tree of its partition"]
        }
        let inclusion = InclusionProof(index: proof.sequence - 1, count: current.count, path: proof.path)
        if !inclusion.verify(leaf: leaf, root: current.root) {
            problems.append("\(name) is not in the tree of its partition")
        }
        return problems
    }

    /// Compares the line of each format with the event that it shows; what is masked is proven by the manifest alone.
    private mutating func compare(_ proof: ExportedProof, _ tell: (String) -> Void) throws {
        let event = proof.event.flatMap { AuditEvent(exported: $0) }
        let stored = StoredEvent(
            partition: proof.partition,
            sequence: proof.sequence,
            owner: current?.owner,
            event: event,
            leaf: proof.leafHash,
            received: proof.received,
            erasure: proof.erasure
        )
        facts.add(stored, isMasked: proof.isMasked)
        for index in formats.indices {
            let (format, name) = (formats[index].format, formats[index].format.fileName)
            guard let record = try formats[index].records.next() else {
                tell("\(name): event \(proof.sequence) of partition \(proof.partition) is missing at its end.")
                continue
            }
            if proof.isMasked { continue }
            let expected = try format.record(stored, manifest.columns)
            if !record.bytes.elementsEqual(expected), !format.isSame(record.bytes, stored) {
                tell(
                    "\(name), \(record.place): it does not say what event \(proof.sequence) of partition "
                        + "\(proof.partition) says."
                )
            }
        }
    }
}

extension AuditEvent {
    /// Decodes the bytes of a proof; nil when they are no event, which its line then shows.
    fileprivate init?(exported bytes: [UInt8]) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(EventModelError) in try AuditEvent(encoded: bytes) }
        }
        guard case .success(let event) = result else { return nil }
        self = event
    }
}

extension ExportFormat {
    /// Returns whether a line that another version of the encoder wrote says the same.
    fileprivate func isSame(_ bytes: ArraySlice<UInt8>, _ stored: StoredEvent) -> Bool {
        guard self == .jsonl else { return false }
        do {
            return try JSONDecoder().decode(EventLine.self, from: Data(bytes)) == EventLine(stored)
        } catch {
            return false
        }
    }
}
