import Dispatch
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// A realm of a serial queue, so that a test knows when handlers were called: all work of the queue is in order.
final class QueueRealm {
    let file: TemporaryRealm
    let queue = DispatchQueue(label: "notifications")
    let realm: Realm

    init(_ file: TemporaryRealm? = nil, isReadOnly: Bool = false) throws {
        let file = try file ?? TemporaryRealm()
        self.file = file
        var configuration = file.configuration
        configuration.readOnly = isReadOnly
        realm = try queue.sync { [queue] in try Realm(configuration: configuration, queue: queue) }
    }

    /// Runs code on the queue, and then lets it do what is waiting there.
    func run<Result>(_ body: (Realm) throws -> Result) rethrows -> Result {
        defer { settle() }
        return try queue.sync { try body(realm) }
    }

    /// Runs a transaction on the queue, and then lets it deliver.
    func write(withoutNotifying tokens: [NotificationToken] = [], _ change: (Realm) throws -> Void) throws {
        try run { realm in try realm.write(withoutNotifying: tokens, change) }
    }

    /// Writes with the instance of another thread, and then lets the queue deliver.
    func writeElsewhere(_ change: @escaping @Sendable (Realm) throws -> Void) throws {
        try ObjectStoreTests.writeElsewhere(file, change)
        settle()
    }

    /// Waits for the work that the queue has now.
    func settle() { queue.sync {} }
}

/// Keeps what a handler was told.
final class Log<Entry> {
    private(set) var entries: [Entry] = []

    func add(_ entry: Entry) { entries.append(entry) }

    /// Returns what was told since the last call.
    func take() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}

/// A change of a collection in a form that can be compared.
enum Told: Equatable, CustomStringConvertible {
    case initial(Int)
    case update(Int, deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = [])

    init<C: Collection>(_ change: RealmCollectionChange<C>) {
        switch change {
        case .initial(let collection): self = .initial(collection.count)
        case .update(let collection, let deletions, let insertions, let modifications):
            self = .update(
                collection.count,
                deletions: deletions,
                insertions: insertions,
                modifications: modifications
            )
        case .error: self = .initial(-1)
        }
    }

    var description: String {
        switch self {
        case .initial(let count): "initial \(count)"
        case .update(let count, let deletions, let insertions, let modifications):
            "update \(count) -\(deletions) +\(insertions) ~\(modifications)"
        }
    }
}
