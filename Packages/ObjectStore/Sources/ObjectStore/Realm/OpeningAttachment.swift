public import EventModel

/// An attachment that gives each instance of a file a companion, such as the sync of the file.
///
/// The store asks when an instance was opened, on the thread that opened it; it keeps the companion for as long as the instance.
/// The companions of a file are free to be one object.
public protocol OpeningAttachment: RealmAttachment {
    /// Returns the companion of an instance that was opened, or is about to be; nil for none.
    ///
    /// - Parameter configuration: What the instance is opened with.
    /// - Returns: The companion.
    /// - Throws: Any error; opening the realm then fails with it.
    func companion(of configuration: Realm.Configuration) throws -> (any InstanceCompanion)?
}

extension Realm {
    /// What the configuration's attachment gave this instance to keep, such as its sync; nil for nothing.
    public var companion: (any InstanceCompanion)? { core.companion }
}

/// What an instance keeps for as long as it exists.
public protocol InstanceCompanion: AnyObject, Sendable {
    /// Brings everything into the file that a server has at the moment of the call.
    ///
    /// - Parameter reporting: Is told of progress, on any thread: how much is there of how much.
    /// - Throws: Why it cannot be brought, and `CancellationError`; the opening that waits then fails with it.
    func download(reporting: @escaping @Sendable (_ transferred: Int, _ transferrable: Int) -> Void) async throws
}
