import AuditModel
package import AuditVerifying
import EventModel
import EventProofs

extension StoreExportSource {
    /// Finds the oldest time-stamp that all entries existed before, or else the newest, which some of them existed before.
    ///
    /// Where the log had another key by then, whoever verifies with the key of now does not believe it: then the newest is taken.
    package func timeStamp(of entries: [UInt64]) async throws -> ExportedTimeStamp? {
        guard let stamps, let log, let checkpoint = log.checkpoint?.checkpoint, let first = entries.min(),
            let last = entries.max()
        else { return nil }
        let sizes = try stamps.sizes()
        let choices = [sizes.first { $0 > last }, sizes.last].compactMap(\.self)
        for size in choices where size > first {
            let stamp = try await timeStamp(stamps, of: size, for: checkpoint)
            guard isSigned(stamp.signed, by: log.key) else { continue }
            return stamp
        }
        return nil
    }

    private func isSigned(_ signed: SignedCheckpoint, by key: NoteVerifierKey) -> Bool {
        do throws(ProofError) {
            _ = try WitnessPolicy(logKeys: [key]).verify(signed)
            return true
        } catch {
            // The caller takes another one then, and what the export lacks is told by whoever verifies it.
            return false
        }
    }

    private func timeStamp(
        _ stamps: any StampedCheckpoints,
        of size: UInt64,
        for checkpoint: Checkpoint
    ) async throws -> ExportedTimeStamp {
        guard let files = try stamps.files(of: size) else {
            throw Self.isDamaged(size, "a file of it is missing")
        }
        let (root, proof) = try await proofs.withLog(durably: false) { tree in
            let sizes = [size, checkpoint.size].sorted()
            guard sizes[0] > 0, sizes[1] <= tree.count else { return (Digest?.none, ConsistencyProof?.none) }
            let proof = sizes[0] == sizes[1] ? nil : try tree.consistencyProof(from: sizes[0], to: sizes[1])
            return (try tree.root(at: size), proof)
        }
        let stamp: ExportedTimeStamp
        do {
            stamp = try ExportedTimeStamp(checkpoint: files.checkpoint, reply: files.reply, consistency: proof)
        } catch {
            throw Self.isDamaged(size, "\(error)")
        }
        guard stamp.signed.checkpoint.size == size, stamp.signed.checkpoint.root == root else {
            throw AuditServerError.unavailable(
                reason: "the database is not what was time-stamped with \(size) entries; the server's log says more"
            )
        }
        return stamp
    }

    private static func isDamaged(_ size: UInt64, _ reason: String) -> AuditServerError {
        .unavailable(
            reason:
                "the time-stamp of \(size) entries of the log is damaged (\(reason)); put its files back from a copy, or move them "
                + "away and start the server anew"
        )
    }
}
