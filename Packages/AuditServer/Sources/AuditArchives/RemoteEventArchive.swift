package import AuditModel
import AuditVerifying
package import EventModel
package import EventProofs
package import Foundation
package import TimeStamping

/// The events of a server, read over HTTP with an auditor's token.
package struct RemoteEventArchive: EventArchive {
    package let server: RemoteServer

    /// Reads from a server.
    package init(_ server: RemoteServer) {
        self.server = server
    }

    package func partitions() async throws -> [ArchivedPartition] {
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

    package func strays() async throws -> [String] { [] }

    package func events(_ filter: EventFilter, _ body: (EventLine) throws -> Void) async throws {
        var query = filter.query
        query["limit"] = "10000"
        try await pages("events", query) { page in
            for line in try lines(EventLine.self, in: page) { try body(line) }
        }
    }

    @discardableResult
    package func verify(
        _ receipts: [StorageReceipt],
        _ body: (VerifiedPartition, _ total: Int) throws -> Void
    ) async throws -> [VerifiedIndex] {
        let records = try await records()
        let keys = try await server.publicKeys()
        var erasures: RemoteErasures?
        for record in records {
            var audit = PartitionAudit(partition: record.partition, receipts: receipts)
            audit.checkTimes(of: record.owner, signedBy: keys)
            try await read(record.partition, through: .max, into: &audit)
            // Events may have arrived meanwhile, so what they are compared with is asked for after them.
            let path = "partitions/\(record.partition)"
            let proof = try server.decode(DurabilityProof.self, from: try await server.get(path).body)
            if proof.durableThrough > audit.lastSequence {
                try await read(record.partition, through: proof.durableThrough, into: &audit)
            }
            audit.finish(count: proof.durableThrough, root: proof.root, seal: record.seal)
            if audit.erasedCount > 0 {
                if erasures == nil { erasures = try await self.erasures() }
                for problem in erasures?.problems(of: audit.erased) ?? [] { audit.report(problem) }
            }
            try body(
                VerifiedPartition(
                    partition: record.partition,
                    events: audit.count,
                    erased: audit.erasedCount,
                    masked: audit.maskedCount,
                    unsigned: audit.unsignedCount,
                    losses: record.seal?.losses ?? [],
                    problems: audit.problems
                ),
                records.count
            )
        }
        let known = Set(records.map(\.partition))
        for (partition, receipts) in Dictionary(grouping: receipts, by: \.partition) where !known.contains(partition) {
            let count = receipts.map(\.durableThrough).max() ?? 0
            let problem = "Partition \(partition): the server has signed for \(count) events, and has nothing of it."
            try body(
                VerifiedPartition(partition: partition, events: 0, losses: [], problems: [problem]),
                records.count
            )
        }
        return []
    }

    package func verifyLog(
        since kept: TreeHead?,
        by policy: WitnessPolicy?,
        stampedBy trust: TimeStampTrust?
    ) async throws -> VerifiedLog? {
        // Before the head, so that each is of what the log has by then.
        let stamps = try await policy == nil || trust == nil ? [] : server.timeStamps()
        let published = try await policy == nil ? nil : server.checkpoint()
        // Listed before the head is signed, so that whatever is sealed in the list must be in the log.
        let records = try await records()
        let head = try server.decode(TreeHead.self, from: try await server.get("log/head").body)
        var audit = LogAudit(head: head, trailKeys: try await server.trailKeys())
        if let policy, let published {
            do throws(ProofError) {
                audit.compare(with: try policy.verify(SignedCheckpoint(published)))
            } catch {
                audit.report("The published checkpoint is not accepted. \(error)")
            }
        }
        switch try await revokedKeys() {
        case let keys?: audit.compare(with: keys)
        case nil: audit.remark("The token does not read which keys of devices were revoked.")
        }
        do {
            if let devices = try await registeredDevices() { audit.compare(with: devices) }
        } catch CommandError.refused(status: 403, _) {
            audit.remark("The token does not read which keys of devices are registered.")
        } catch CommandError.refused(status: 503, let message) {
            // Right after its start a server may not know yet.
            audit.remark("Which keys of devices are registered was not compared. \(message)")
        }
        if let policy, let trust {
            let (found, problems) = try await verified(stamps, by: policy, trust)
            audit.compare(with: found)
            for problem in problems { audit.report(problem) }
            // Whoever can take all of them away must not make it look as if none had been asked for.
            if stamps.isEmpty, audit.head.size > 0 {
                audit.report("The log has no time-stamp: when its entries were made, only the server's clock says.")
            }
        }
        if let kept {
            audit.compare(with: kept, proof: try await consistency(from: kept.size, to: audit.head.size))
        }
        var query: [ExactText: String] = ["after": "0"]
        while audit.count < audit.head.size {
            let (page, next) = try await server.get("log/entries", query)
            for line in try lines(LogLine.self, in: page) { audit.add(line) }
            guard let next else { break }
            query["after"] = next
        }
        audit.finish(partitions: records)
        for seal in audit.unlisted {
            let stored = try server.decode(
                DurabilityProof.self,
                from: try await server.get("partitions/\(seal.partition)").body
            )
            if stored.durableThrough != seal.count || stored.root != seal.root || !stored.isSealed {
                audit.report("Partition \(seal.partition) is in the log and not, or not wholly, stored.")
            }
        }
        return VerifiedLog(audit, asksForTime: trust != nil)
    }

    /// Asks for the keys that are not believed; nil when the token may not know them.
    private func revokedKeys() async throws -> [RevokedKey]? {
        do {
            return try await server.keyStatements()
                .compactMap { statement in
                    guard let text = statement.revokedSince else { return nil }
                    guard let since = EventInstant(text), let key = Hexadecimal.bytes(statement.publicKey) else {
                        throw server.malformedAnswer
                    }
                    let owner = EventOwner(app: statement.app, user: statement.user)
                    return RevokedKey(owner: owner, publicKey: key, since: since, reason: statement.reason)
                }
        } catch CommandError.refused(status: 403, _) {
            return nil
        }
    }

    /// Asks for what devices registered of their keys; nil from a server of an earlier version.
    private func registeredDevices() async throws -> RegisteredDevices? {
        guard let registrations = try await server.keyRegistrations() else { return nil }
        var devices = RegisteredDevices(of: try await server.publicKeys())
        for registration in registrations {
            guard let key = Hexadecimal.bytes(registration.publicKey) else { throw server.malformedAnswer }
            devices.add(
                registration.registration,
                of: key,
                by: EventOwner(app: registration.app, user: registration.user)
            )
        }
        return devices
    }

    /// Asks for a proof that only exists when the log has not become shorter.
    private func consistency(from first: UInt64, to second: UInt64) async throws -> ConsistencyProof? {
        guard first <= second else { return nil }
        let query: [ExactText: String] = ["from": "\(first)", "to": "\(second)"]
        return try server.decode(ConsistencyProof.self, from: try await server.get("log/consistency", query).body)
    }

    package func schemas() async throws -> [EventSchema] {
        try server.decode([EventSchema].self, from: try await server.get("schema").body)
    }
}

// MARK: - Requests

extension RemoteEventArchive {
    /// Reads the leaves behind those that were audited.
    private func read(_ partition: PartitionID, through end: UInt64, into audit: inout PartitionAudit) async throws {
        var query: [ExactText: String] = ["limit": "10000", "after": "\(audit.lastSequence)"]
        repeat {
            let (page, next) = try await server.get("partitions/\(partition)/leaves", query)
            for leaf in try lines(StoredLeaf.self, in: page) where leaf.sequence <= end { audit.add(leaf) }
            query["after"] = audit.lastSequence < end ? next : nil
        } while query["after"] != nil
    }

    /// Reads what was erased, with the words of the trail.
    private func erasures() async throws -> RemoteErasures? {
        var trail: [EventLine] = []
        let filter = EventFilter(app: TrailEvent.app, activity: TrailEvent.erased)
        try await events(filter) { trail.append($0) }
        return try await RemoteErasures(server, trail: trail)
    }

    private func records() async throws -> [PartitionRecord] {
        try await server.list(PartitionRecord.self, "partitions")
    }

    /// Reads page after page until a page says that it is the last.
    private func pages(_ path: String, _ query: [ExactText: String], _ body: (Data) throws -> Void) async throws {
        var query = query
        repeat {
            let (page, next) = try await server.get(path, query)
            try body(page)
            query["after"] = next
        } while query["after"] != nil
    }

    package func lines<T: Decodable>(_ type: T.Type, in page: Data) throws -> [T] {
        try page.split(separator: 0x0A).map { try server.decode(type, from: Data($0)) }
    }
}
