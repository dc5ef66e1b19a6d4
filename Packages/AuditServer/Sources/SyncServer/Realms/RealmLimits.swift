package import ChangeModel

/// How much one realm may hold, so that no user fills the server's disk.
///
/// Whoever is over a limit may still remove and delete, which is the way back below it. What would add is refused
/// operation by operation with `tooLarge`, as everything is that a device may not do.
public struct RealmLimits: Sendable, Hashable {
    /// How many bytes the cells of its objects may take, with their paths: 4 GiB.
    ///
    /// Compared with what the realm had when a transaction began: the last one before it is full may go over it.
    public let contentBytes: Int
    /// How many objects may live: 10,000,000, which a new device loads in minutes.
    public let objects: Int

    /// Creates limits; what is not given has the value that its property names.
    public init(contentBytes: Int = 4 << 30, objects: Int = 10_000_000) {
        self.contentBytes = contentBytes
        self.objects = objects
    }

    /// Returns why an operation is refused in a realm that holds so much; nil if it is not.
    ///
    /// - Parameters:
    ///   - action: What is done.
    ///   - contentBytes: How many bytes the cells of the realm take.
    ///   - objects: How many objects live in it.
    /// - Returns: `tooLarge` for what would add to a realm that is full.
    package func refusal(
        of action: ChangeOperation.Action,
        contentBytes: Int,
        objects: Int
    ) -> OperationRefusal? {
        if case .create = action, objects >= self.objects { return .tooLarge }
        return contentBytes >= self.contentBytes && action.adds ? .tooLarge : nil
    }
}

extension ChangeOperation.Action {
    /// Whether there may be more bytes afterwards than before.
    fileprivate var adds: Bool {
        switch self {
        case .delete, .listRemove, .clear, .setRemove, .mapRemove: false
        case .set(_, let value): value != .null
        case .create, .add, .listInsert, .listSet, .listMove, .setInsert, .mapSet, .embeddedNew, .collectionNew: true
        }
    }
}
