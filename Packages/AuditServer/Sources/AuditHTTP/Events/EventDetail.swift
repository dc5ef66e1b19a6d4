import AuditModel
import AuditVerifying
import EventModel
import EventProofs

/// One event with its objects, its proof and its partition.
struct EventDetail: Encodable {
    /// Where a masked event is in its partition, with the hashes that lead from it to the root.
    struct Position: Encodable {
        /// The partition.
        let partition: PartitionID
        /// The place in the partition, from 1.
        let sequence: UInt64
        /// The leaf hash that the server computes of the whole event as it is now.
        let leafHash: Digest
        /// The hashes from the leaf to the root.
        let inclusion: InclusionProof
        /// The root over the events of the partition.
        let root: Digest
        /// What the device signed when it closed the partition.
        let seal: PartitionSeal?
    }

    let event: EventLine
    let objects: [EventObject]
    let outcome: EventOutcome
    /// nil when the columns no longer make up an event, or values are masked.
    private(set) var proof: EventProof?
    /// nil when nothing is masked: then the proof says more.
    private(set) var position: Position?
    /// The leaf hash that was stored when the event arrived.
    let leafHash: Digest?
    /// Texts of the payload that are keys of objects which the server knows.
    let links: [String]
    /// The record of the erasure that took what the event said.
    let erasure: ErasureRecord?
    /// The way from the hash of an erased event to the root.
    private(set) var inclusion: InclusionProof?
    let partition: PartitionRecord
    /// What is shown of the event or its partition and is not what was signed, each a sentence without its end; none when all is right.
    let problems: [String]

    /// Describes an event as it is in the store now; proven by the hashes that were stored when the others arrived.
    ///
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(log² *n*) in the events of the partition, and in those of the event itself.
    init(
        _ stored: StoredEvent,
        in record: PartitionRecord,
        _ labels: ObjectLabels,
        _ events: any EventReading,
        _ proofs: any PartitionProving & SealLog,
        _ index: any SearchEngine,
        _ access: EventAccess,
        signedBy keys: [[UInt8]]
    ) async throws {
        event = EventLine(stored)
        objects = EventObject.all(in: stored, labels)
        outcome = stored.outcome
        leafHash = stored.leaf
        links = try await index.knownKeys(stored.event.map { KeyTexts.all(in: $0) } ?? [], access)
        partition = record
        let entry = try await proofs.logEntry(of: record.partition)
        // What was sealed since the partition was read is not in the first answer.
        let isOlder = record.seal == nil && entry != nil
        let current = isOlder ? try await events.partition(record.partition) ?? record : record
        let time = try await proofs.timeProblem(of: stored, in: current, signedBy: keys)
        problems = RecordCheck.problems(of: current, entry) + (time.map { [$0] } ?? [])
        if let number = stored.erasure {
            erasure = try await events.erasures(after: number - 1, limit: 1).first
        } else {
            erasure = nil
        }
        guard stored.event != nil || stored.erasure != nil else { return }
        guard
            let inclusion = try await proofs.inclusionProof(
                of: stored.sequence,
                in: record.partition,
                count: record.count
            )
        else { return }
        guard let shown = stored.event else {
            self.inclusion = inclusion
            return
        }
        if let hash = stored.maskedHash {
            position = Position(
                partition: record.partition,
                sequence: stored.sequence,
                leafHash: hash,
                inclusion: inclusion,
                root: record.root,
                seal: record.seal
            )
        } else {
            proof = EventProof(
                partition: record.partition,
                sequence: stored.sequence,
                event: shown.encoded,
                inclusion: inclusion,
                root: record.root,
                seal: record.seal
            )
        }
    }
}

extension EventReading {
    /// Returns an event and its partition.
    ///
    /// - Throws: `AuditServerError.notFound` when there is none, or it may not be read.
    func event(
        _ sequence: UInt64,
        of partition: PartitionID,
        _ access: EventAccess
    ) async throws -> (StoredEvent, PartitionRecord) {
        guard
            let record = try await self.partition(partition), sequence <= record.count,
            access.includes(partition, of: record.owner),
            let stored = try await events(at: [EventAddress(partition: partition, sequence: sequence)]).first
        else { throw AuditServerError.notFound }
        return (stored, record)
    }
}
