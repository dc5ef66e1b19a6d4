public import EventProofs

extension App {
    /// What the server's log signed and contradicts itself, as it is kept beside the receipts; nil when there is nothing of the kind.
    ///
    /// While there is, nothing is sent and nothing is deleted, also after a restart. `LogContradiction.verify(by:serverKeys:)` checks it
    /// without the server, and so does whoever is given the file, `server-log.contradiction`.
    ///
    /// - Throws: ``SyncTransportError/logUnchecked(reason:)`` when the file cannot be read.
    /// - Complexity: Reads the file.
    public func logContradiction() throws(SyncTransportError) -> LogContradiction? {
        try book.receipts.log.contradiction()
    }

    /// Goes on with the server's log as it is now: for a person who knows what happened to it.
    ///
    /// The contradiction becomes `server-log.contradiction.resolved`, and what was kept of the log is forgotten: the next key and the next
    /// checkpoint are trusted as the first were. Partitions that were stopped go on with the next run, or `Uploader.retryNow()`.
    ///
    /// - Throws: ``SyncTransportError/logUnchecked(reason:)`` when the file cannot be put aside; nothing is sent or deleted then either.
    /// - Warning: What the server removed from its log is believed to be removed from then on.
    public func trustLogAnew() throws(SyncTransportError) {
        try book.receipts.log.trustAnew()
    }
}
