import ObjectStore
import Observation

/// A class whose properties Swift's Observation may track.
final class TrackedBoat: Object, Observable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var length: Double?
    @Persisted var home: TrackedHarbor?
    @Persisted var crew: List<String>
    @Persisted var rooms: MutableSet<String>
    @Persisted var papers: Map<String, String>
    @Persisted var engine: TrackedEngine?

    convenience init(id: Int, name: String) {
        self.init()
        self.id = id
        self.name = name
    }
}

final class TrackedEngine: EmbeddedObject, Observable {
    @Persisted var power: Int
}

final class TrackedHarbor: Object, Observable {
    @Persisted var name: String
    @Persisted(originProperty: "home") var boats: LinkingObjects<TrackedBoat>
}

/// A class that does not ask for it.
final class UntrackedBoat: Object {
    @Persisted var name: String
}
