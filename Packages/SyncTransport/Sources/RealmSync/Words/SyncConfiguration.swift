public import SyncTransport

/// What a realm syncs with: a user's view of the realm of one partition value.
public struct SyncConfiguration: Sendable {
    /// The user with whose token it is reached.
    public let user: User
    /// The value of the partition.
    public let partitionValue: any PartitionValue
    /// Whether the first error of the connection ends what waits: asynchronous openings that download, and the waits of the session.
    ///
    /// Else they go on until the server is reached. It counts for the whole session of a file, which has it from who opened the file
    /// first.
    public let cancelAsyncOpenOnNonFatalErrors: Bool

    /// Names a realm of the server.
    ///
    /// - Parameters:
    ///   - user: The user with whose token it is reached.
    ///   - partitionValue: The value of the partition.
    ///   - cancelAsyncOpenOnNonFatalErrors: Whether the first error of the connection ends what waits.
    public init(user: User, partitionValue: some PartitionValue, cancelAsyncOpenOnNonFatalErrors: Bool = false) {
        self.user = user
        self.partitionValue = partitionValue
        self.cancelAsyncOpenOnNonFatalErrors = cancelAsyncOpenOnNonFatalErrors
    }
}
