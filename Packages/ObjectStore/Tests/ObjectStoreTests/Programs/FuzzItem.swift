import ObjectStore

/// An object with a property of every kind that can refer to others or contain something.
final class FuzzItem: Object {
    static let types: [ObjectBase.Type] = [FuzzItem.self, FuzzPlace.self, FuzzRoom.self]

    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var number: Int
    @Persisted var text: String?
    @Persisted var amount: Double?
    @Persisted var payload: AnyRealmValue
    @Persisted var numbers: List<Int?>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int?>
    @Persisted var friend: FuzzItem?
    @Persisted var friends: List<FuzzItem>
    @Persisted var circle: MutableSet<FuzzItem>
    @Persisted var byName: Map<String, FuzzItem?>
    @Persisted var place: FuzzPlace?
    @Persisted var places: List<FuzzPlace>
    @Persisted var placesByName: Map<String, FuzzPlace?>
    @Persisted var extras: List<AnyRealmValue>
    @Persisted var extrasByName: Map<String, AnyRealmValue>
    @Persisted(originProperty: "friends") var followers: LinkingObjects<FuzzItem>
}

/// An embedded object with embedded objects of its own and a link out.
final class FuzzPlace: EmbeddedObject {
    @Persisted var name: String
    @Persisted var guest: FuzzItem?
    @Persisted var rooms: List<FuzzRoom>
}

/// An embedded object inside of an embedded object.
final class FuzzRoom: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var visitors: List<FuzzItem>
}
