/// Says when an asynchronous opening downloads first; accepted for source compatibility, as nothing is downloaded.
public enum OpenBehavior: Sendable {
    /// Opens what is there.
    case never
    /// Downloads when the file is new.
    case once
    /// Downloads at each opening.
    case always
}
