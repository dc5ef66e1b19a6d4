public import ChangeModel
import EventModel

/// How much one realm may hold, so that no user fills the server's disk.
///
/// Whoever is over a limit may still remove and delete, which is the way back below it. What would add is refused
/// operation by operation with `tooLarge`, as everything is that a device may not do. What was posted has a limit of its own, as no device
/// can take it back: who fills it ends the posting and nothing else.
public struct RealmLimits: Sendable, Hashable {
    /// How many bytes the cells of its objects may take, with their paths: 4 GiB.
    ///
    /// Compared with what the realm had when a transaction began: the last one before it is full may go over it.
    public let contentBytes: Int
    /// How many objects may live: 10,000,000, which a new device loads in minutes.
    public let objects: Int
    /// How many bytes the documents may take that were posted to it: 4 GiB.
    public let postedBytes: Int
    /// How many bytes the cells of one object may take, with their paths: 40 MiB, as a list of 900,000 numbers does.
    ///
    /// A page of a snapshot has whole objects: no new device could read one that is larger than a page may be.
    public let objectBytes: Int
    /// How many bytes an entry may have: as many as the protocol allows.
    ///
    /// An entry has what its change set off, as the links that a deletion cleared. No device could read what comes behind a larger one,
    /// so that the upload is refused.
    public let entryBytes: Int

    /// Creates limits; what is not given has the value that its property names.
    public init(
        contentBytes: Int = 4 << 30,
        objects: Int = 10_000_000,
        postedBytes: Int = 4 << 30,
        objectBytes: Int = 40 << 20,
        entryBytes: Int = ChangeLimits.entryBytes
    ) {
        self.contentBytes = contentBytes
        self.objects = objects
        self.postedBytes = postedBytes
        self.objectBytes = objectBytes
        self.entryBytes = entryBytes
    }

    /// Returns why an operation is refused in a realm that holds so much; nil if it is not.
    ///
    /// - Parameters:
    ///   - action: What is done.
    ///   - contentBytes: How many bytes the cells of the realm take.
    ///   - objects: How many objects live in it.
    ///   - postedBytes: How many bytes were posted to it.
    ///   - objectBytes: How many bytes the cells of the object take.
    /// - Returns: `tooLarge` for what would add to a realm or object that is full.
    package func refusal(
        of action: ChangeOperation.Action,
        contentBytes: Int,
        objects: Int,
        postedBytes: Int = 0,
        objectBytes: Int = 0
    ) -> OperationRefusal? {
        if case .post(let document) = action {
            return postedBytes + document.string.utf8.count > self.postedBytes ? .tooLarge : nil
        }
        if case .create = action, objects >= self.objects { return .tooLarge }
        if action.adds, objectBytes + action.addedBytes > self.objectBytes { return .tooLarge }
        return contentBytes >= self.contentBytes && action.adds ? .tooLarge : nil
    }
}

extension ChangeOperation.Action {
    /// How many bytes the cells take that come of it, at most and roughly.
    package var addedBytes: Int {
        switch self {
        case .delete, .listRemove, .clear, .setRemove, .mapRemove, .post, .add, .listMove: 0
        case .set(_, let value), .listInsert(_, _, _, let value), .listSet(_, _, let value): value.storedBytes
        // The member is the path, too.
        case .setInsert(_, let member): 2 * member.storedBytes
        case .mapSet(_, let key, let value): key.string.utf8.count + value.storedBytes
        case .create(let given, let defaults): given.storedBytes + defaults.storedBytes
        case .embeddedNew(_, _, let cells): 64 + cells.storedBytes
        case .collectionNew: 64
        }
    }

    /// Whether there may be more bytes afterwards than before.
    fileprivate var adds: Bool {
        switch self {
        case .delete, .listRemove, .clear, .setRemove, .mapRemove, .post: false
        case .set(_, let value): value != .null
        case .create, .add, .listInsert, .listSet, .listMove, .setInsert, .mapSet, .embeddedNew, .collectionNew: true
        }
    }
}

extension ChangeOperation.Cells {
    fileprivate var storedBytes: Int { reduce(0) { $0 + $1.key.string.utf8.count + $1.value.storedBytes } }
}

extension CellValue {
    /// The bytes of a cell with this value, its stamp and a short path.
    fileprivate var storedBytes: Int {
        switch self {
        case .string(let text): 48 + text.string.utf8.count
        case .data(let bytes): 48 + bytes.count
        case .link(let target), .anyLink(let target):
            48 + target.className.string.utf8.count + "\(target.key)".utf8.count
        default: 64
        }
    }
}
