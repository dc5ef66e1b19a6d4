import Daybook
import Dispatch

/// Another instance of a realm's file, confined to a queue of its own; it moves to newer versions only when it is asked to.
final class OtherInstance {
    private let queue = DispatchQueue(label: "other instance")
    private let realm: Realm

    /// Opens an instance of the file of another one.
    init(of realm: Realm, _ change: (inout Realm.Configuration) -> Void = { _ in }) throws {
        var configuration = realm.configuration
        change(&configuration)
        let queue = queue
        self.realm = try queue.sync { [configuration] in
            let realm = try Realm(configuration: configuration, queue: queue)
            realm.autorefresh = false
            return realm
        }
    }

    /// Does something with the instance on its queue.
    @discardableResult
    func run<Result>(_ body: (Realm) throws -> Result) rethrows -> Result {
        try queue.sync { try body(realm) }
    }
}
