import AuditModel
import EventModel
import EventProofs
import HTTPTypes
import HummingbirdCore
import LogPublishing
import NIOCore

/// The proof that a sealed partition is in the published log, as a file that needs no server any more: tlog-proof of C2SP.
struct ProofRoutes: Sendable {
    let log: any SealLog
    let cosigned: CosignedLog?
    let stamped: StampedLog?

    func add(to api: API) {
        api.get("log/proof", .userOrAuditor, proof)
    }

    /// Answers the owner of the partition, and auditors, as `log/inclusion` does.
    ///
    /// The checkpoint is the newest one with a quorum that has the partition, or else the newest of all; with
    /// `checkpoint=time-stamped` the first one with a time-stamp that has it, which a header names. Nothing is waited for: the other
    /// header says what is missing, and whoever wants it asks again.
    private func proof(_ request: Request, _: AuditRequestContext, _ asker: PartitionAsker) async throws -> Response {
        guard let text = request.query("partition") else {
            throw AuditServerError.rejected(reason: "'partition' names a partition")
        }
        let partition = try PartitionID.reading(text)
        guard let entry = try await log.logEntry(of: partition), asker.mayKnow(partition, of: entry.owner) else {
            throw AuditServerError.rejected(reason: "the partition is not in the log, because it is not sealed")
        }
        guard let cosigned, let newest = cosigned.newest else {
            throw AuditServerError.missing(what: "published log")
        }
        let wantsStamp = try Self.wantsStamp(request)
        let enough = cosigned.settings.quorum > 0 ? cosigned.cosigned?.signed : nil
        let candidates = wantsStamp ? [try timeStamped(entry)] : [enough, newest].compactMap(\.self)
        guard let signed = candidates.first(where: { entry.index < $0.checkpoint.size }) else {
            throw AuditServerError.unavailable(reason: "the partition is published in a moment")
        }
        let size = signed.checkpoint.size
        let (inclusion, root) = try await log.withLog(durably: false) { tree in
            guard size <= tree.count else { throw Self.shortened }
            return (try tree.inclusionProof(of: entry.index, in: size), try tree.root(at: size))
        }
        guard root == signed.checkpoint.root else { throw Self.shortened }
        let proof = try LogProof(inclusion, in: signed, extra: entry.canonicalBytes)
        // They were verified when they were gathered.
        let count = signed.note.signatures.count { line in
            cosigned.policy.witnesses.contains { $0.id == line.keyID && $0.name == line.name }
        }
        var headers: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .cosignatures: "\(count) of \(cosigned.settings.quorum)",
        ]
        if wantsStamp { headers[.timeStamp] = "/log/time-stamps/\(size).tsr" }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: proof.bytes))
        )
    }

    /// The first checkpoint with a time-stamp that an entry is in.
    private func timeStamped(_ entry: PartitionLogEntry) throws -> SignedCheckpoint {
        guard let stamped, let size = try stamped.size(covering: entry.index),
            let bytes = try stamped.bytes(of: .checkpoint, at: size)
        else {
            throw AuditServerError.unavailable(reason: "the partition has no time-stamp yet")
        }
        return try SignedCheckpoint(bytes)
    }

    private static func wantsStamp(_ request: Request) throws(AuditServerError) -> Bool {
        guard let text = request.query("checkpoint") else { return false }
        guard text == "time-stamped" else {
            throw .rejected(reason: "'checkpoint' is 'time-stamped', or left out for the newest")
        }
        return true
    }

    private static var shortened: AuditServerError {
        .unavailable(reason: "the database is not what was published; the server's log says more")
    }
}
