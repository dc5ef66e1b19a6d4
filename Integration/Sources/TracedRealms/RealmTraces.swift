public import Daybook

/// What each transaction of a device leaves, so that it can be seen afterwards which ones there were, and each once.
///
/// A transaction leaves four traces: an object, an element of a list and one more in a counter, both shared by all devices of the
/// realm, and an object that goes up and is on no device. It edits some object of any device, too.
public enum RealmTraces {
    /// The classes of the traces, for a configuration.
    public static var classes: [ObjectBase.Type] { [Trace.self, Tally.self, Posting.self] }

    /// Leaves the traces of a transaction, in which the realm is.
    ///
    /// - Parameters:
    ///   - key: Its name: who made it, a full stop, and the number that it has there.
    ///   - place: Where its element is inserted into the shared list; at the end of a shorter one.
    ///   - realm: The realm.
    /// - Precondition: A transaction is open.
    public static func leave(_ key: String, at place: Int, in realm: Realm) {
        realm.add(Trace(value: ["_id": key]))
        realm.create(Posting.self, value: ["_id": key])
        let tally = realm.create(Tally.self, value: ["_id": Tally.key], update: .modified)
        tally.increment(\.count, by: 1)
        tally.lines.insert(key, at: min(place, tally.lines.count))
        // An object of any device, so that there is something to decide between.
        if let edited = realm.objects(Trace.self).first { edited.increment(\.edits, by: 1) }
    }
}

/// One transaction.
final class Trace: Object {
    @Persisted(primaryKey: true) var _id: String
    @Persisted var edits: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// One transaction, as the server alone has it.
final class Posting: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What all transactions of all devices change.
final class Tally: Object {
    /// The key of the one tally.
    static let key = 1

    @Persisted(primaryKey: true) var _id: Int
    @Persisted var count: Int
    @Persisted var lines: List<String>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
