import ObjectStore
import ObjectStoreTesting

/// An object with a property of every kind, for the tests of freezing and handing over.
class Band: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var rank: Int
    @Persisted var leader: Player?
    @Persisted var players: List<Player>
    @Persisted var cities: MutableSet<String>
    @Persisted var fees: Map<String, Int>
    @Persisted var songs: List<String>
    @Persisted var studio: BandStudio?
    @Persisted var notes: AnyRealmValue

    /// All classes that a realm of bands has.
    static let types: [ObjectBase.Type] = [Band.self, Player.self, BandStudio.self]

    /// A file with one band of two players.
    static func file(_ change: (inout Realm.Configuration) -> Void = { _ in }) throws -> TemporaryRealm {
        let file = try TemporaryRealm(types, change)
        try writeElsewhere(file) { realm in
            realm.create(
                Band.self,
                value: [
                    "name": "Owls", "rank": 1, "players": [["name": "Ada"], ["name": "Bo"]],
                    "cities": ["Linz", "Graz"],
                    "fees": ["Linz": 10, "Graz": 20], "songs": ["one", "two"], "studio": ["street": "Elm"],
                    "notes": ["a", ["b": 1]],
                ]
            )
            let band = realm.objects(Band.self).first
            band?.leader = band?.players.first
        }
        return file
    }
}

/// A class without a primary key that knows what links to it.
class Player: Object {
    @Persisted var name: String
    @Persisted(originProperty: "players") var bands: LinkingObjects<Band>
}

/// A part of a band.
class BandStudio: EmbeddedObject {
    @Persisted var street: String
}

extension Realm {
    /// The only band.
    var band: Band? { objects(Band.self).first }
}

extension TemporaryRealm {
    /// Runs work with an instance that is closed afterwards unless something still uses it.
    func withRealm<Result>(_ body: (Realm) throws -> Result) throws -> Result { try body(open()) }
}
