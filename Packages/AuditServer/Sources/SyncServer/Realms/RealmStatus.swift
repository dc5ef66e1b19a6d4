/// Where a realm is, and how much it holds.
public struct RealmStatus: Sendable, Hashable {
    /// How many bytes the id of a history has.
    public static let historyBytes = 16

    /// The id of the realm's history: random, and another one after a restore.
    public let history: [UInt8]
    /// The number of the newest entry; 0 for none.
    public let head: Int
    /// The number up to which entries are gone; 0 where all are there.
    public let floor: Int
    /// How many objects live.
    public let objects: Int
    /// How many bytes the cells of its objects take, with their paths.
    public let contentBytes: Int
    /// How many bytes its entries and the uploaded changes take.
    public let logBytes: Int
    /// How many bytes the documents take that were posted to it.
    public let postedBytes: Int

    /// Creates the status of a realm.
    public init(
        history: [UInt8],
        head: Int,
        floor: Int,
        objects: Int,
        contentBytes: Int,
        logBytes: Int,
        postedBytes: Int = 0
    ) {
        self.history = history
        self.head = head
        self.floor = floor
        self.objects = objects
        self.contentBytes = contentBytes
        self.logBytes = logBytes
        self.postedBytes = postedBytes
    }
}
