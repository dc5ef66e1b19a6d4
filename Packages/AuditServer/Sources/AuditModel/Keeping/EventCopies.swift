/// What holds copies of events beside the store, and loses what is erased.
package protocol EventCopies: Sendable {
    /// Takes erased events out.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be read or removed.
    func forget(_ gone: ErasedRanges) throws
}
