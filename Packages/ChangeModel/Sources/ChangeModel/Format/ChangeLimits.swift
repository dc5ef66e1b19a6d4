/// How large what is sent may be, so that nobody makes a reader take memory for what is not there.
///
/// Each limit is inclusive. They are those of the protocol: a server of a later version may raise them, never lower.
public enum ChangeLimits {
    /// The bytes of a batch of several changes, before compression: 1 MiB.
    ///
    /// One change alone may be larger.
    public static let batchBytes = 1 << 20
    /// The bytes of one change: 16 MiB.
    public static let changeBytes = 16 << 20
    /// The bytes of a primary key or a key of a map, in UTF-8: 1 KiB.
    public static let keyBytes = 1 << 10
    /// The bytes of the name of a class or property, in UTF-8: 1 KiB.
    public static let nameBytes = 1 << 10
    /// The bytes of a text or of data: 15 MiB.
    public static let valueBytes = 15 << 20
}
