/// What an uploader has done since it was created, counted where it happened.
public struct UploadStatistics: Sendable, Hashable {
    /// Events that the server has proven to hold, counted when our own root agreed.
    public internal(set) var eventsUploaded: UInt64 = 0
    /// Sealed partitions that were proven as a whole and deleted.
    public internal(set) var partitionsDeleted: UInt64 = 0
    /// Encoded bytes of events that were handed to the transport, those of repeated attempts too.
    public internal(set) var bytesSent: UInt64 = 0
    /// Pauses after an attempt that made no progress.
    public internal(set) var retries: UInt64 = 0
    /// Partitions that were set aside.
    public internal(set) var partitionsQuarantined: UInt64 = 0

    /// Creates statistics of nothing.
    public init() {}
}

/// How far an uploader is.
public struct UploadProgress: Sendable, Hashable {
    /// What is done.
    public internal(set) var statistics = UploadStatistics()
    /// Events of healthy partitions that are not proven yet, as of the last look.
    public internal(set) var eventsWaiting: UInt64 = 0
    /// About how many bytes of files these events take: of each file the share of its events; packed as they lie there.
    public internal(set) var bytesWaiting: UInt64 = 0
    /// Healthy partitions that still have something to send.
    public internal(set) var partitionsWaiting = 0
    /// The last failure, as a sentence; nil once something was proven after it.
    public internal(set) var lastError: String?

    /// Creates the progress of an uploader that has not looked yet.
    public init() {}
}
