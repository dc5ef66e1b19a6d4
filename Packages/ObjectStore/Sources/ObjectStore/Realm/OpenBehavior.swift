extension Realm {
    /// The name that programs for the original know it by.
    public typealias OpenBehavior = ObjectStore.OpenBehavior
}

/// Says when an asynchronous opening of a realm that syncs downloads first; other realms have nothing to download.
public enum OpenBehavior: Sendable {
    /// Opens what is there; a new file is empty and fills up.
    case never
    /// Downloads when there is no file at the call.
    ///
    /// Who opens the file again meanwhile does not wait, and sees what has arrived.
    case once
    /// Downloads at each opening, which fails when the server cannot be reached for good.
    case always
}
