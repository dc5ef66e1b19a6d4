package import ChangeModel
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

    /// Creates limits; what is not given has the value that its property names.
    public init(contentBytes: Int = 4 << 30, objects: Int = 10_000_000, postedBytes: Int = 4 << 30) {
        self.contentBytes = contentBytes
        self.objects = objects
        self.postedBytes = postedBytes
    }

    /// Returns why an operation is refused in a realm that holds so much; nil if it is not.
    ///
    /// - Parameters:
    ///   - action: What is done.
    ///   - contentBytes: How many bytes the cells of the realm take.
    ///   - objects: How many objects live in it.
    ///   - postedBytes: How many bytes were posted to it.
    /// - Returns: `tooLarge` for what would add to a realm that is full.
    package func refusal(
        of action: ChangeOperation.Action,
        contentBytes: Int,
        objects: Int,
        postedBytes: Int = 0
    ) -> OperationRefusal? {
        if case .post(let document) = action {
            return postedBytes + document.string.utf8.count > self.postedBytes ? .tooLarge : nil
        }
        if case .create = action, objects >= self.objects { return .tooLarge }
        return contentBytes >= self.contentBytes && action.adds ? .tooLarge : nil
    }
}

extension ChangeOperation.Action {
    /// Whether there may be more bytes afterwards than before.
    fileprivate var adds: Bool {
        switch self {
        case .delete, .listRemove, .clear, .setRemove, .mapRemove, .post: false
        case .set(_, let value): value != .null
        case .create, .add, .listInsert, .listSet, .listMove, .setInsert, .mapSet, .embeddedNew, .collectionNew: true
        }
    }
}
