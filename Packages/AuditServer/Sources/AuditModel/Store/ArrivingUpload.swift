package import EventModel
import EventProofs

/// The body of an upload whose events are decoded, checked and hashed as they arrive.
///
/// Of the bytes nothing is kept but the beginning of an event that is not whole yet.
package struct ArrivingUpload: Sendable {
    /// What a decoded event takes in memory beside its bytes, in bytes: its fields, its leaf, and the heads of its texts.
    package static let eventBytes = 256

    /// What an entry of metadata takes beside its bytes, which may be three: the heads of its two texts.
    package static let entryBytes = 64

    private var reader = StretchReader()
    /// The events that are whole.
    private(set) var events: [AuditEvent] = []
    /// The leaf hash of each event.
    private(set) var leaves: [Digest] = []
    /// How many bytes arrived.
    package private(set) var byteCount = 0

    /// Begins before the first byte.
    package init() {}

    /// What stands before the events; nil until that has arrived.
    package var head: StretchReader.Head? { reader.head }

    /// Reads the next piece of the body.
    ///
    /// - Returns: How much memory its events take beside their bytes, in bytes.
    /// - Throws: ``AuditServerError/tooLarge(limit:)`` when there are more than ``EventUpload/maximumBytes``,
    ///   ``AuditServerError/rejected(reason:)`` when the body or an event is malformed, and
    ///   ``AuditServerError/refused(_:retryAfterSeconds:)`` when the seal, a name or the metadata of an event is too long, or two of
    ///   its metadata keys are the same text.
    package mutating func add(_ piece: UnsafeRawBufferPointer) throws(AuditServerError) -> Int {
        byteCount += piece.count
        guard byteCount <= EventUpload.maximumBytes else { throw .tooLarge(limit: EventUpload.maximumBytes) }
        var fresh: [AuditEvent] = []
        var hashes: [Digest] = []
        do throws(EventModelError) {
            try reader.read(piece) { bytes throws(EventModelError) in
                fresh.append(try AuditEvent(encoded: bytes))
                hashes.append(MerkleHash.leaf(bytes))
            }
        } catch .longSeal {
            throw .refused(.longSeal)
        } catch {
            throw .rejected(reason: "the stretch cannot be read: \(error)")
        }
        for event in fresh { try EventUpload.check(event) }
        events += fresh
        leaves += hashes
        return fresh.reduce(0) { $0 + Self.eventBytes + $1.metadata.entries.count * Self.entryBytes }
    }

    /// Ends the body.
    ///
    /// - Returns: What stood before the events.
    /// - Throws: ``AuditServerError/rejected(reason:)`` when something is missing.
    func finish() throws(AuditServerError) -> StretchReader.Head {
        do throws(EventModelError) {
            return try reader.finish()
        } catch {
            throw .rejected(reason: "the stretch cannot be read: \(error)")
        }
    }
}
