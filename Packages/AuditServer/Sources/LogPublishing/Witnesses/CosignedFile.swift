public import AuditModel
public import EventModel
import EventProofs

/// Keeps the newest checkpoint with a quorum beside the published log, so that it outlives the process, and the database.
///
/// Its file is called `cosigned`; a mirror of the folder serves it as `checkpoint` when its readers ask for witnesses. Of one folder there
/// is one.
///
/// ```swift
/// var file = CosignedFile(in: folder)
/// try await file.restore(cosigned, of: store, at: clock.now())
/// try file.save(cosigned)
/// ```
public struct CosignedFile: Sendable {
    private let folder: LogFolder
    private var written: SignedCheckpoint?
    private var isRestored = false

    /// Names the file; nothing is read yet.
    public init(in folder: LogFolder) {
        self.folder = folder
    }

    /// Takes up what an earlier process had, once: later calls do nothing.
    ///
    /// - Parameters:
    ///   - cosigned: Where it goes.
    ///   - log: The log; nothing of it has to be published yet.
    ///   - reading: The time.
    /// - Throws: ``LogPublishingError/cosignedElsewhere(size:)`` when the log is not what was cosigned,
    ///   ``LogPublishingError/foreign(origin:)`` when the file is of another log, ``LogPublishingError/unusable(_:)`` when it cannot be
    ///   read; what the log throws. The next call tries again.
    public mutating func restore(_ cosigned: CosignedLog, of log: any SealLog, at reading: ClockReading) async throws {
        guard !isRestored else { return }
        if let kept = try read() {
            let accepted = try Self.accepted(kept, by: cosigned)
            let checkpoint = kept.checkpoint
            let root = try await log.withLog(durably: false) { tree in
                tree.count >= checkpoint.size ? try tree.root(at: checkpoint.size) : nil
            }
            guard root == checkpoint.root else { throw LogPublishingError.cosignedElsewhere(size: checkpoint.size) }
            if let accepted { cosigned.restore(accepted, at: reading) }
            written = kept
        }
        isRestored = true
    }

    /// Writes the newest checkpoint with a quorum, if it is another one than was written.
    ///
    /// - Throws: ``LogPublishingError/unusable(_:)`` when it cannot be written.
    public mutating func save(_ cosigned: CosignedLog) throws(LogPublishingError) {
        guard cosigned.settings.quorum > 0, let signed = cosigned.cosigned?.signed, signed != written else { return }
        do throws(FileSystemError) {
            try folder.putCosigned(signed)
        } catch {
            throw .unusable(.tileInaccessible(error))
        }
        written = signed
    }

    private func read() throws(LogPublishingError) -> SignedCheckpoint? {
        let bytes: [UInt8]?
        do throws(FileSystemError) {
            bytes = try folder.cosigned()
        } catch {
            throw .unusable(.tileInaccessible(error))
        }
        guard let bytes else { return nil }
        do throws(ProofError) {
            return try SignedCheckpoint(bytes)
        } catch {
            throw .unusable(error)
        }
    }

    /// What the witnesses of now accept: nil when they are others than those that cosigned, and the log alone has signed, or did with a
    /// former key.
    private static func accepted(
        _ signed: SignedCheckpoint,
        by log: CosignedLog
    ) throws(LogPublishingError) -> CosignedCheckpoint? {
        do throws(ProofError) {
            let accepted = try log.past.verify(signed)
            // What a former key signed is held against the log as well, and is not what readers want who know the present one.
            return try signed.note.signatures(by: log.policy.logKeys).isEmpty ? nil : accepted
        } catch {
            switch error {
            case .quorumMissed: return nil
            case .foreignOrigin, .unsignedCheckpoint: throw .foreign(origin: signed.checkpoint.origin.string)
            default: throw .unusable(error)
            }
        }
    }
}
