import Foundation
import ObjectStore

/// The class of the smallest golden file.
final class OriginalDog: Object {
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted var tags: List<String>

    override class func _realmObjectName() -> String? { "Dog" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same in a later version of an app: a property came, and one went.
final class OriginalDogLater: Object {
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted var isOld = false

    override class func _realmObjectName() -> String? { "Dog" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The classes of the golden file of links.
final class OriginalPerson: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var best: OriginalPerson?
    @Persisted var pets: List<OriginalPet>
    @Persisted var friends: MutableSet<OriginalPerson>
    @Persisted var roles: Map<String, OriginalPerson?>
    @Persisted var address: OriginalAddress?
    @Persisted var addresses: List<OriginalAddress>
    @Persisted var places: Map<String, OriginalAddress?>
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var anyDict: Map<String, AnyRealmValue>

    static let all: [ObjectBase.Type] = [
        OriginalPerson.self, OriginalPet.self, OriginalCountry.self, OriginalAddress.self, OriginalGeo.self,
        OriginalPoint.self, OriginalLeaf.self,
    ]

    override class func _realmObjectName() -> String? { "Person" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OriginalPet: Object {
    @Persisted var name: String
    @Persisted var owner: OriginalPerson?

    override class func _realmObjectName() -> String? { "Pet" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OriginalCountry: Object {
    @Persisted(primaryKey: true) var code: String

    override class func _realmObjectName() -> String? { "Country" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OriginalAddress: EmbeddedObject {
    @Persisted var street: String
    @Persisted var country: OriginalCountry?
    @Persisted var geo: OriginalGeo?

    override class func _realmObjectName() -> String? { "Address" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OriginalGeo: EmbeddedObject {
    @Persisted var lat: Double
    @Persisted var lon: Double
    @Persisted var children: List<OriginalPoint>

    override class func _realmObjectName() -> String? { "Geo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OriginalPoint: EmbeddedObject {
    @Persisted var lat: Double
    @Persisted var next: OriginalLeaf?

    override class func _realmObjectName() -> String? { "Point" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OriginalLeaf: EmbeddedObject {
    @Persisted var x: Int

    override class func _realmObjectName() -> String? { "Leaf" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The class of the golden file of values of any type.
final class OriginalAny: Object {
    @Persisted var any: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var dict: Map<String, AnyRealmValue>

    override class func _realmObjectName() -> String? { "Any" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
