import Combine
import Dispatch
import ObjectStore
import ObjectStoreTesting

/// A realm of a serial queue, so that a test knows when publishers spoke: all work of the queue is in order.
final class PublisherPlace {
    let file: TemporaryRealm
    let queue = DispatchQueue(label: "publishers")
    let realm: Realm

    init() throws {
        let file = try TemporaryRealm(Sample.types + [Shelf.self])
        self.file = file
        realm = try queue.sync { [queue] in try Realm(configuration: file.configuration, queue: queue) }
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

    /// Waits for the work that the queue has now.
    func settle() { queue.sync {} }

    /// Adds people with these numbers.
    func addPeople(_ numbers: Int...) throws {
        try write { realm in realm.add(numbers.map { Person.numbered($0) }) }
    }
}

/// An object with a map and a set.
class Shelf: Object {
    @Persisted var counts: Map<String, Int>
    @Persisted var labels: MutableSet<String>
    @Persisted var books: List<String>
}

/// What a projection of a person shows.
class PersonCard: Projection<Person>, ObjectKeyIdentifiable {
    @Projected(\Person.name) var title
}

/// What a publisher published, in words.
final class Published {
    private(set) var words: [String] = []

    func add(_ word: String) { words.append(word) }

    /// Returns what was published since the last call.
    func take() -> [String] {
        defer { words = [] }
        return words
    }
}

extension Publisher {
    /// Writes down what is published, and how it ends.
    func note(in published: Published, _ word: @escaping (Output) -> String) -> AnyCancellable {
        sink(
            receiveCompletion: { end in
                if case .finished = end { published.add("finished") } else { published.add("failed") }
            },
            receiveValue: { published.add(word($0)) }
        )
    }
}

/// A subscriber that asks for values by itself.
final class HesitantSubscriber<Input, Failure: Error>: Subscriber {
    private(set) var subscription: (any Subscription)?
    private let receiver: (Input) -> Void
    private let ending: () -> Void

    init(_ receiver: @escaping (Input) -> Void, ending: @escaping () -> Void = {}) {
        self.receiver = receiver
        self.ending = ending
    }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        receiver(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { ending() }

    /// Asks for one more.
    func ask() { subscription?.request(.max(1)) }
}

/// A change of a collection in words.
func words<C: Collection>(_ change: RealmCollectionChange<C>) -> String {
    switch change {
    case .initial(let collection): "initial \(collection.count)"
    case .update(let collection, let deletions, let insertions, let modifications):
        "update \(collection.count) -\(deletions) +\(insertions) ~\(modifications)"
    case .error: "error"
    }
}

/// A change of an object in words.
func words<T>(_ change: ObjectChange<T>) -> String {
    switch change {
    case .change(_, let properties): properties.map { "\($0.name) \($0.newValue ?? "nil")" }.joined(separator: ", ")
    case .deleted: "deleted"
    case .error: "error"
    }
}
