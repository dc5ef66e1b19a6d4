/// The event files of one folder, as those see them who record into it together: a sink that says when it changed, and ends.
///
/// Safe to call from any thread.
public protocol EventFiles: EventSink {
    /// Checks that new events are encrypted with this key, for another one who wants to append to the same files.
    ///
    /// - Throws: `EventModelError.invalidParameter` when the files were opened with another key, or only one of both has one.
    func requireKey(_ key: EventEncryptionKey?) throws(EventModelError)

    /// Returns a stream with an element after every change that an upload may want to act on.
    ///
    /// Elements that nobody has taken yet are folded into one. The stream ends with ``close()`` or when the reader goes; each
    /// call makes a stream of its own.
    func changes() -> AsyncStream<Void>

    /// Closes the partition that is written to, so that the device signs it now.
    ///
    /// Does nothing when no event was appended since the last one was closed.
    ///
    /// - Throws: When the seal cannot be written; the events are safe, and it is tried again.
    func seal() throws

    /// Seals what is written to and gives the folder free for whoever opens it next; every later append throws.
    ///
    /// - Throws: When the seal cannot be written; whoever opens the folder next writes it.
    func close() throws
}
