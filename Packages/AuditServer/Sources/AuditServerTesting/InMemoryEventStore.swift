public import AuditModel
public import EventModel
public import EventProofs
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// A store that forgets everything with the process; as strict as a real one.
public final class InMemoryEventStore: AuditStore {
    struct Shelf: StoredPartition {
        var ledger: PartitionLedger
        var tree = MerkleTree()
        var events: [StoredEvent] = []
        var storedSeal: PartitionSeal?
        var received: EventInstant

        func leaves(_ sequences: ClosedRange<UInt64>) -> [Digest] {
            events.filter { sequences.contains($0.sequence) }.compactMap(\.leaf)
        }

        func hashes(of nodes: [MerkleNode]) -> [Digest] { nodes.map { tree.hash(of: $0) } }

        func seal() -> PartitionSeal? { storedSeal }

        var record: PartitionRecord {
            PartitionRecord(
                partition: ledger.partition,
                owner: ledger.owner,
                count: ledger.frontier.count,
                root: ledger.frontier.root,
                seal: storedSeal,
                received: received
            )
        }
    }

    struct Identifier: Hashable {
        let owner: EventOwner
        let id: ObjectId
    }

    struct State {
        var shelves: [PartitionID: Shelf] = [:]
        var leaves: [Identifier: Digest] = [:]
        var conflicts: [EventConflict] = []
        var columns: [String: [String]] = [:]
        var log: [PartitionLogRow] = []
        var frontier = MerkleFrontier()
        var holds: [LegalHold] = []
        var erasures: [ErasureRecord] = []
        var ranges: [Int64: [ErasedRange]] = [:]

        mutating func add(_ key: String, to app: String) throws {
            var columns = columns[app] ?? []
            // Compared by bytes, as the leaf hash does.
            if columns.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { return }
            guard columns.count < EventSchema.maximumMetadataColumns else {
                throw AuditServerError.tooManyColumns(adding: key)
            }
            columns.append(key)
            self.columns[app] = columns
        }

        func hasColumn(_ key: String, in app: String) -> Bool {
            columns[app]?.contains { $0.utf8.elementsEqual(key.utf8) } ?? false
        }
    }

    let state = Mutex(State())

    /// Creates an empty store.
    public init() {}

    /// Stores a stretch.
    public func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        try state.withLock { state in
            var changed = state
            let proof = try Self.accept(upload, &changed)
            state = changed
            return proof
        }
    }

    private static func accept(
        _ upload: EventUpload,
        _ state: inout State
    ) throws -> DurabilityProof {
        var shelf =
            state.shelves[upload.partition]
            ?? Shelf(
                ledger: PartitionLedger(owner: upload.owner, partition: upload.partition),
                received: upload.received
            )
        let stored = shelf
        let addition = try shelf.ledger.accept(upload, stored)
        guard !addition.isEmpty else { return shelf.ledger.proof }
        if state.columns[upload.owner.app] == nil {
            guard upload.extendsSchema else {
                throw AuditServerError.missingCollection
            }
            state.columns[upload.owner.app] = []
        }
        for index in addition.events {
            for entry in upload.events[index].metadata.entries where !state.hasColumn(entry.key, in: upload.owner.app) {
                guard upload.extendsSchema else {
                    throw AuditServerError.missingColumn(entry.key)
                }
                let count = state.columns[upload.owner.app]?.count ?? 0
                guard count < min(upload.columnLimit, EventSchema.maximumMetadataColumns) else {
                    throw AuditServerError.tooManyColumns(adding: entry.key, to: count)
                }
                try state.add(entry.key, to: upload.owner.app)
            }
            let sequence = upload.firstSequence + UInt64(index)
            let identifier = Identifier(owner: upload.owner, id: upload.events[index].id)
            let leaf = upload.leaves[index]
            let earlier = state.leaves[identifier]
            if let earlier, earlier != leaf {
                state.conflicts.append(
                    EventConflict(
                        number: Int64(state.conflicts.count) + 1,
                        address: EventAddress(partition: upload.partition, sequence: sequence),
                        owner: upload.owner,
                        id: identifier.id,
                        received: upload.received
                    )
                )
            }
            state.leaves[identifier] = earlier ?? leaf
            shelf.tree.append(leaf)
            shelf.events.append(
                StoredEvent(
                    partition: upload.partition,
                    sequence: sequence,
                    owner: upload.owner,
                    event: upload.events[index],
                    leaf: leaf,
                    received: upload.received,
                    mark: upload.mark(of: index),
                    isRepeated: earlier == leaf
                )
            )
        }
        if let seal = addition.seal {
            shelf.storedSeal = seal
            state.log.append(
                PartitionLogRow(
                    sealing: seal,
                    of: upload.owner,
                    received: upload.received,
                    frontier: &state.frontier
                )
            )
        }
        shelf.received = upload.received
        state.shelves[upload.partition] = shelf
        return shelf.ledger.proof
    }

    /// Returns what is kept of a partition, or nil.
    public func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        state.withLock { $0.shelves[partition]?.record }
    }

    /// Lists partitions by age.
    public func partitions(
        after: PartitionID?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionRecord] {
        let all = state.withLock { $0.shelves.values.map(\.record) }
        let rest = all.sorted { $0.partition < $1.partition }
            .drop { record in after.map { record.partition <= $0 } ?? false }
        return try Self.page(rest.prefix(limit), maximumBytes: maximumBytes, \.seal)
    }

    /// Returns what comes first, until there would be more than so many bytes of seals.
    private static func page<Element>(
        _ elements: some Sequence<Element>,
        maximumBytes: Int,
        _ seal: (Element) -> PartitionSeal?
    ) throws -> [Element] {
        var page: [Element] = []
        var byteCount = 0
        for element in elements {
            byteCount += try seal(element).map { try JSONEncoder().encode($0).count } ?? 0
            if !page.isEmpty, byteCount > maximumBytes { break }
            page.append(element)
        }
        return page
    }

    /// Lists the events that came with an id that another event of their owner has.
    public func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        state.withLock { state in Array(state.conflicts.drop { $0.number <= number }.prefix(limit)) }
    }

    /// Returns what is there of partitions.
    public func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        state.withLock { state in
            partitions.map { partition in
                let shelf = state.shelves[partition]
                return PartitionHolding(record: shelf?.record, eventCount: UInt64(shelf?.events.count ?? 0))
            }
        }
    }

    /// Lists events, partitions by age and events by sequence.
    public func events(
        _ filter: EventFilter,
        after: EventCursor?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> EventPage {
        let shelves = state.withLock { $0.shelves }
        let all = shelves.sorted { $0.key < $1.key }.filter { filter.includes($0.value.record) }.flatMap(\.value.events)
        let rest = all.filter { stored in
            guard filter.matches(stored) else { return false }
            guard let after else { return true }
            return stored.partition == after.partition
                ? stored.sequence > after.sequence : stored.partition > after.partition
        }
        var page: [StoredEvent] = []
        var byteCount = 0
        for stored in rest {
            byteCount += stored.byteCount
            if let last = page.last, page.count == limit || byteCount > maximumBytes {
                return EventPage(events: page, next: EventCursor(partition: last.partition, sequence: last.sequence))
            }
            page.append(stored)
        }
        return EventPage(events: page, next: nil)
    }

    /// Lists the apps that have a collection.
    public func collections() async throws -> [String] {
        state.withLock { $0.columns.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    }

    /// Returns the metadata columns of an app, or nil.
    public func metadataColumns(of app: String) async throws -> [String]? {
        state.withLock { $0.columns[app] }
    }

    /// Creates the collection of an app and adds columns.
    public func extendCollection(of app: String, by columns: [String]) async throws {
        try state.withLock { state in
            var changed = state
            changed.columns[app] = changed.columns[app] ?? []
            for column in columns { try changed.add(column, to: app) }
            state = changed
        }
    }
}

// MARK: - Trees

extension InMemoryEventStore {
    /// Returns the hashes of complete subtrees of a partition.
    public func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] {
        let shelf = state.withLock { $0.shelves[partition] }
        guard let shelf, nodes.allSatisfy({ $0.end <= shelf.tree.count }) else {
            throw AuditServerError.unavailable(reason: "the tree of a partition is damaged")
        }
        return shelf.hashes(of: nodes)
    }
}

// MARK: - Log

extension InMemoryEventStore {
    /// Calls the closure with the tree over the log.
    public func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        let log = state.withLock { $0.log }
        return try body(
            StoredMerkleTree(count: UInt64(log.count)) { level, index throws(any Error) in
                let nodes = log[Int(PartitionLogRow.index(level: level, index))].nodes
                guard let node = PartitionLogRow.node(level, in: nodes) else {
                    preconditionFailure("A row has the hashes of all complete subtrees that end with it.")
                }
                return node
            }
        )
    }

    /// Lists the entries of the log from a place on.
    public func logEntries(
        from index: UInt64,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionLogEntry] {
        let rest = state.withLock { $0.log }.map(\.entry).drop { $0.index < index }
        return try Self.page(rest.prefix(limit), maximumBytes: maximumBytes) { $0.seal }
    }

    /// Returns the entry of a partition, or nil.
    public func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        state.withLock { $0.log }.map(\.entry).first { $0.partition == partition }
    }

    /// Lists the keys that have signed seals.
    public func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        let log = state.withLock { $0.log }
        let firsts = log.filter { row in
            !log.prefix(Int(row.entry.index)).contains { $0.owner == row.owner && $0.key == row.key }
        }
        return firsts.filter { $0.entry.index >= index }.prefix(limit)
            .map { first in
                let all = log.filter { $0.owner == first.owner && $0.key == first.key }
                let replaced = all.lazy.compactMap { row in
                    log.prefix(Int(row.entry.index))
                        .first { earlier in
                            earlier.owner == row.owner && earlier.name != nil
                                && earlier.name == row.entry.seal.previousRoot
                        }?
                        .key
                }
                return DeviceKeyRecord(
                    owner: first.owner,
                    publicKey: first.key,
                    firstSeen: all.map(\.entry.received).min() ?? first.entry.received,
                    lastSeen: all.map(\.entry.received).max() ?? first.entry.received,
                    partitions: UInt64(all.count),
                    firstEntry: first.entry.index,
                    replaced: replaced.first { $0 != first.key }
                )
            }
    }
}

extension PartitionLogRow {
    fileprivate var owner: EventOwner { entry.owner }
    fileprivate var key: [UInt8] { entry.seal.publicKey }
}
