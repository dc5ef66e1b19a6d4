/// Turns snapshots into the payload of an event.
///
/// Called on a background thread, one call at a time for each recorder. Appending to the caller's buffer lets one
/// allocation serve many events.
public protocol SnapshotEncoder: Sendable {
    /// Appends the payload of a read: the class and its objects, followed links in full.
    ///
    /// - Throws: When an object cannot be represented; the caller drops what was appended and marks the event.
    func appendRead(type: String, objects: [ReadObject], to bytes: inout [UInt8]) throws

    /// Appends the payload of a search that found nothing: the class, and what was asked for.
    ///
    /// - Throws: When it cannot be represented; the caller drops what was appended and marks the event.
    func appendSearch(type: String, terms: SearchTerms, to bytes: inout [UInt8]) throws

    /// Appends the payload of a write: insertions, deletions and modifications of each class.
    ///
    /// - Throws: When an object cannot be represented; the caller drops what was appended and marks the event.
    func appendWrite(_ changes: CommitChanges, to bytes: inout [UInt8]) throws
}
