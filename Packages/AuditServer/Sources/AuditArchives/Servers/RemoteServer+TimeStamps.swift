import AuditModel
import AuditVerifying
import EventProofs
import Foundation
import TimeStamping

extension RemoteServer {
    /// A time-stamp as a server has it; nothing of it is verified.
    struct TimeStampFiles: Sendable {
        let size: UInt64
        let checkpoint: [UInt8]
        let reply: [UInt8]
    }

    /// Gets all time-stamps of the log, from the oldest on; there is one an hour at most.
    ///
    /// - Throws: ``CommandError``, also when the list is none.
    func timeStamps() async throws -> [TimeStampFiles] {
        let list = String(decoding: try await file("log/time-stamps"), as: UTF8.self)
        var files: [TimeStampFiles] = []
        for line in list.split(separator: "\n") {
            guard let size = UInt64(line), size > files.last?.size ?? 0 else {
                throw malformedAnswer
            }
            files.append(
                TimeStampFiles(
                    size: size,
                    checkpoint: try await file("log/time-stamps/\(size).checkpoint"),
                    reply: try await file("log/time-stamps/\(size).tsr")
                )
            )
        }
        return files
    }
}

extension RemoteEventArchive {
    /// Verifies time-stamps and the checkpoints that they are of.
    ///
    /// - Returns: Those that hold, and a sentence for each other one.
    func verified(
        _ stamps: [RemoteServer.TimeStampFiles],
        by policy: WitnessPolicy,
        _ trust: TimeStampTrust
    ) async throws -> (found: [StampedCheckpoint], problems: [String]) {
        var (found, problems): ([StampedCheckpoint], [String]) = ([], [])
        // What the log signed counts; that enough witnesses had cosigned by then is not asked.
        let signers = try WitnessPolicy(logKeys: policy.logKeys, witnesses: [], quorum: 0)
        for files in stamps {
            do {
                let accepted = try signers.verify(SignedCheckpoint(files.checkpoint))
                let stamp = try await trust.verify(TimeStampToken(files.reply), over: files.checkpoint)
                found.append(StampedCheckpoint(accepted.checkpoint, stamp))
            } catch {
                problems.append("The time-stamp of \(files.size) entries is not accepted. \(error)")
            }
        }
        return (found, problems)
    }
}
