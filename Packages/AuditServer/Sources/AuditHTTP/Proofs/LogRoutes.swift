import AuditModel
import AuditSearch
import AuditVerifying
import EventModel
import EventProofs
import HummingbirdCore

/// The log of sealed partitions: its signed head and proofs for everybody, its entries and the devices' keys for auditors.
struct LogRoutes: Sendable {
    let log: any SealLog
    let key: SigningKey
    let clock: any EventClock
    let cursors: CursorSeal

    private struct Inclusion: Encodable {
        let entry: PartitionLogEntry
        let proof: InclusionProof
    }

    func add(to api: API) {
        api.get("log/head", .tokenHolder, head)
        api.get("log/consistency", .tokenHolder, consistency)
        api.get("log/inclusion", .userOrAuditor, inclusion)
        api.get("log/entries", .auditor, entries)
        api.get("devices", .auditor, devices)
    }

    /// Signs the log as it is now, once nothing can take it back: a head that is out must stay true.
    private func head(_: Request, _: AuditRequestContext, _: Identity) async throws -> Response {
        let (size, root) = try await log.withLog(durably: true) { tree in (tree.count, try tree.root(at: tree.count))
        }
        return try .json(key.head(size: size, root: root, at: clock.now().wall))
    }

    private func consistency(_ request: Request, _: AuditRequestContext, _: Identity) async throws -> Response {
        let first: UInt64 = try request.number("from", in: 0...UInt64(Int64.max), default: 0)
        let wanted = try request.size("to")
        let proof = try await log.withLog(durably: false) { tree in
            let second = try tree.size(wanted)
            guard first <= second else {
                throw AuditServerError.rejected(reason: "'from' is at most 'to'")
            }
            return try tree.consistencyProof(from: first, to: second)
        }
        return try .json(proof)
    }

    /// Answers the owner of the partition, and auditors.
    ///
    /// Whoever may not know of a partition gets the answer of one that is not sealed.
    private func inclusion(_ request: Request, _: AuditRequestContext, _ asker: PartitionAsker) async throws -> Response
    {
        guard let text = request.query("partition") else {
            throw AuditServerError.rejected(reason: "'partition' names a partition")
        }
        let partition = try PartitionID.reading(text)
        let wanted = try request.size("size")
        guard let entry = try await log.logEntry(of: partition),
            asker.mayKnow(partition, of: entry.owner)
        else {
            throw AuditServerError.rejected(reason: "the partition is not in the log, because it is not sealed")
        }
        let proof = try await log.withLog(durably: false) { tree in
            let size = try tree.size(wanted)
            guard entry.index < size else {
                throw AuditServerError.rejected(reason: "the partition was sealed after the log had this size")
            }
            return try tree.inclusionProof(of: entry.index, in: size)
        }
        return try .json(Inclusion(entry: entry, proof: proof))
    }

    private func entries(_ request: Request, _: AuditRequestContext, _ access: EventAccess) async throws -> Response {
        let first: UInt64 = try request.number("after", in: 0...UInt64(Int64.max), default: 0)
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        let entries = try await log.logEntries(from: first, limit: limit)
        let size = try await log.withLog(durably: false) { $0.count }
        let next = entries.last.flatMap { $0.index + 1 < size ? "\($0.index + 1)" : nil }
        let lines = entries.map { entry in
            // Whoever may not know of a partition still verifies the tree that it is in.
            access.includes(entry.partition, of: entry.owner)
                ? LogLine.entry(entry) : .withheld(index: entry.index, leaf: entry.leaf)
        }
        return .lines(try EventLine.lines(lines), next: next)
    }

    private func devices(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let listing = Listing(request, context, "devices", cursors)
        let position = try listing.position("after", of: request)
            .map { PositionBytes.numbers($0.bytes, count: 1)?.first ?? 0 }
        let limit = try request.number("limit", in: 1...1000, default: 1000)
        var (first, isEnd) = (position ?? 0, false)
        var found: [DeviceKeyRecord] = []
        // Keys that the auditor may not see leave no trace, also none in the size of pages.
        while found.count < limit && !isEnd {
            let keys = try await log.deviceKeys(from: first, limit: limit)
            // Counts and times of a device tell of all its partitions, so that they are for those who may read all of the app.
            for key in keys where found.count < limit && access.includesAll(of: key.app) { found.append(key) }
            isEnd = keys.count < limit
            first = (found.count == limit ? found.last : keys.last).map { $0.firstEntry + 1 } ?? first
        }
        let isMore = found.count == limit
        return .lines(try EventLine.lines(found), next: isMore ? try listing.cursor(PositionBytes.of([first])) : nil)
    }
}

extension Request {
    /// Reads a size of the log; nil when the request leaves it out.
    fileprivate func size(_ name: String) throws(AuditServerError) -> UInt64? {
        guard query(name) != nil else { return nil }
        return try number(name, in: 0...UInt64(Int64.max), default: 0)
    }
}

extension StoredMerkleTree {
    /// Returns a size that the log has or had; its own when none is given.
    fileprivate func size(_ wanted: UInt64?) throws -> UInt64 {
        guard wanted ?? 0 <= count else {
            throw AuditServerError.rejected(reason: "the log is not that long")
        }
        return wanted ?? count
    }
}
