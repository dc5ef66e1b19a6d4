/// Something that a realm's configuration carries for another room: how the store meets the recorder unseen.
///
/// The store asks once for each file and process, when the first instance with an attachment opens; the observer then
/// sees every instance of the file. Later opens call it again with the observer that exists.
public protocol RealmAttachment: Sendable {
    /// Returns the observer of a realm's file.
    ///
    /// - Parameters:
    ///   - realm: The file that is being opened.
    ///   - notes: The notes that the observer keeps in the file; nil for a realm in memory, which keeps none.
    ///   - existing: The observer that an earlier instance of the file brought, or nil.
    /// - Returns: The observer to use from now on, or nil for none.
    /// - Throws: Any error; opening the realm then fails with it.
    func observer(
        for realm: RealmIdentity,
        notes: (any CommitNotes)?,
        existing: (any RealmObserver)?
    ) throws -> (any RealmObserver)?
}

/// Names a realm file towards an attachment.
public struct RealmIdentity: Sendable, Hashable {
    /// The absolute path of the file; for an in-memory realm, of the private file behind it.
    public let path: String
    /// Whether the contents vanish with the last instance.
    public let isInMemory: Bool

    /// Creates an identity; the path is taken as it is.
    public init(path: String, isInMemory: Bool) {
        self.path = path
        self.isInMemory = isInMemory
    }
}
