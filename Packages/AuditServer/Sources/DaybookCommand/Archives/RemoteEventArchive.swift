import AuditServer
import EventModel
import Foundation

/// The events of a server, read over HTTP with an auditor's token.
struct RemoteEventArchive: EventArchive {
    private let server: RemoteServer

    /// Reads from a server.
    init(_ server: RemoteServer) {
        self.server = server
    }

    func partitions() async throws -> [ArchivedPartition] {
        try await records()
            .map { record in
                ArchivedPartition(
                    partition: record.partition.value,
                    count: record.count,
                    root: record.root,
                    sealed: record.seal != nil,
                    losses: record.seal?.losses ?? [],
                    app: record.app,
                    user: record.user,
                    received: record.received.description,
                    path: nil,
                    seal: record.seal
                )
            }
    }

    func strays() async throws -> [String] { [] }

    func events(_ filter: EventFilter, _ body: (EventLine) throws -> Void) async throws {
        var query = filter.query
        query["limit"] = "10000"
        try await pages("events", query) { page in
            for line in try lines(EventLine.self, in: page) { try body(line) }
        }
    }

    func verify(_ body: (VerifiedPartition, _ total: Int) throws -> Void) async throws {
        let records = try await records()
        for record in records {
            var audit = PartitionAudit(partition: record.partition)
            try await read(record.partition, through: .max, into: &audit)
            // Events may have arrived meanwhile, so what they are compared with is asked for after them.
            let path = "partitions/\(record.partition)"
            let proof = try server.decode(DurabilityProof.self, from: try await server.get(path).body)
            if proof.durableThrough > audit.lastSequence {
                try await read(record.partition, through: proof.durableThrough, into: &audit)
            }
            audit.finish(count: proof.durableThrough, root: proof.root, seal: record.seal)
            try body(
                VerifiedPartition(
                    partition: record.partition,
                    events: audit.count,
                    losses: record.seal?.losses ?? [],
                    problems: audit.problems
                ),
                records.count
            )
        }
    }

    func schemas() async throws -> [EventSchema] {
        try server.decode([EventSchema].self, from: try await server.get("schema").body)
    }
}

// MARK: - Requests

extension RemoteEventArchive {
    /// Reads the leaves behind those that were audited.
    private func read(_ partition: PartitionID, through end: UInt64, into audit: inout PartitionAudit) async throws {
        var query = ["limit": "10000", "after": "\(audit.lastSequence)"]
        repeat {
            let (page, next) = try await server.get("partitions/\(partition)/leaves", query)
            for leaf in try lines(StoredLeaf.self, in: page) where leaf.sequence <= end { audit.add(leaf) }
            query["after"] = audit.lastSequence < end ? next : nil
        } while query["after"] != nil
    }

    private func records() async throws -> [PartitionRecord] {
        try await server.list(PartitionRecord.self, "partitions")
    }

    /// Reads page after page until a page says that it is the last.
    private func pages(_ path: String, _ query: [String: String], _ body: (Data) throws -> Void) async throws {
        var query = query
        repeat {
            let (page, next) = try await server.get(path, query)
            try body(page)
            query["after"] = next
        } while query["after"] != nil
    }

    private func lines<T: Decodable>(_ type: T.Type, in page: Data) throws -> [T] {
        try page.split(separator: 0x0A).map { try server.decode(type, from: Data($0)) }
    }
}
