/// How large what is sent may be, so that nobody makes a reader take memory for what is not there.
///
/// Each limit is inclusive. They are those of the protocol: a server of a later version may raise them, never lower.
public enum ChangeLimits {
    /// The bytes of a batch of several changes, before compression: 1 MiB.
    ///
    /// One change alone may be larger.
    public static let batchBytes = 1 << 20
    /// The changes of a batch: 10,000.
    public static let batchChanges = 10_000
    /// The bytes of one change: 16 MiB.
    public static let changeBytes = 16 << 20
    /// The operations of one change: 1,000,000, as many as a list may have elements.
    ///
    /// In memory an operation takes some ten times the bytes that it is written in.
    public static let changeOperations = 1_000_000
    /// The bytes of one entry: 64 MiB.
    ///
    /// An entry carries what a change set off: the links that a deletion cleared, and whole objects as corrections.
    public static let entryBytes = 64 << 20
    /// The bytes of a page of a snapshot: 64 MiB.
    ///
    /// Servers make pages of some 4 MiB; an object that is larger than that makes a page alone.
    public static let pageBytes = 64 << 20
    /// The bytes of a schema: 4 MiB.
    public static let schemaBytes = 4 << 20
    /// The bytes of a request to bind a file, a schema included: 4 MiB and 64 KiB.
    public static let bindBytes = (4 << 20) + (64 << 10)
    /// The bytes of the secret of a file: 64.
    public static let saltBytes = 64
    /// The bytes of an answer with entries: 66 MiB, as the last entry may be as large as one may be.
    public static let answerBytes = 66 << 20
    /// The classes of a schema, embedded ones included: 500.
    public static let classes = 500
    /// The properties of a class: 10,000.
    public static let properties = 10_000
    /// The bytes of a primary key or a key of a map, in UTF-8: 1 KiB.
    public static let keyBytes = 1 << 10
    /// The bytes of the name of a class or property, in UTF-8: 1 KiB.
    public static let nameBytes = 1 << 10
    /// The bytes of a text or of data: 15 MiB.
    public static let valueBytes = 15 << 20
}
