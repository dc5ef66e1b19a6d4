import AuditExport
package import EventProofs
import TimeStamping

/// Checkpoints of a log that an authority of time has seen, as a server keeps them.
package struct SampleStamps: StampedCheckpoints {
    private var kept: [UInt64: (checkpoint: [UInt8], reply: [UInt8])] = [:]

    /// Keeps none.
    package init() {}

    /// Has a checkpoint time-stamped, and keeps it in the place of another one of as many entries.
    ///
    /// - Throws: What the authority throws.
    package mutating func add(_ signed: SignedCheckpoint, by authority: SampleAuthority) throws {
        let bytes = signed.note.bytes
        let reply = try authority.reply(to: TimeStampRequest(over: bytes, nonce: 1).bytes())
        kept[signed.checkpoint.size] = (bytes, reply)
    }

    /// Keeps other files of so many entries.
    package mutating func put(_ files: (checkpoint: [UInt8], reply: [UInt8]), of size: UInt64) { kept[size] = files }

    package func sizes() -> [UInt64] { kept.keys.sorted() }

    package func files(of size: UInt64) -> (checkpoint: [UInt8], reply: [UInt8])? { kept[size] }
}
