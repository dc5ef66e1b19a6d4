/// Who makes a request, as a token says.
public enum Identity: Sendable, Hashable {
    /// A user of an app, who may upload to partitions of that user.
    case uploader(EventOwner)
    /// Somebody who may read every event and write none.
    case auditor
    /// Somebody who may add and remove users, and reads no event.
    case administrator
}
