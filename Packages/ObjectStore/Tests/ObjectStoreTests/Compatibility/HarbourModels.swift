import Foundation
import ObjectStore

// Model classes as a program for RealmSwift declares them; the tests beside this file use them through every signature.

enum BoatSize: String, PersistableEnum {
    case small
    case large
}

enum Rank: Int, PersistableEnum {
    case mate = 1
    case captain = 2
}

struct Draught: CustomPersistable, Equatable {
    typealias PersistedType = Double
    let metres: Double
    init(metres: Double) { self.metres = metres }
    init(persistedValue: Double) { metres = persistedValue }
    var persistableValue: Double { metres }
}

struct CallSign: FailableCustomPersistable, Equatable {
    typealias PersistedType = String
    let letters: String
    init?(persistedValue: String) {
        guard persistedValue.count == 4 else { return nil }
        letters = persistedValue
    }
    var persistableValue: String { letters }
}

class Hull: EmbeddedObject {
    @Persisted var material = "steel"
    @Persisted var length: Double
    @Persisted(originProperty: "hull") var boats: LinkingObjects<Boat>
}

class Skipper: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int?
    @Persisted var rank: Rank
    @Persisted(originProperty: "crew") var boats: LinkingObjects<Boat>

    convenience init(name: String, age: Int? = nil) {
        self.init()
        self.name = name
        self.age = age
    }
}

class Boat: Object {
    @Persisted(primaryKey: true) var registration = ""
    @Persisted var name = "Nameless"
    @Persisted var launched: Date
    @Persisted var size = BoatSize.small
    @Persisted var draught: Draught
    @Persisted var callSign: CallSign?
    @Persisted var hull: Hull?
    @Persisted var formerHulls: List<Hull>
    @Persisted var captain: Skipper?
    @Persisted var crew: List<Skipper>
    @Persisted var tags: List<String>
    @Persisted var depths: List<Double?>
    @Persisted var ports: MutableSet<String>
    @Persisted var guests: MutableSet<Skipper>
    @Persisted var cargo: Map<String, Int>
    @Persisted var tenders: Map<String, Boat?>
    @Persisted var papers: AnyRealmValue
    /// Not persisted.
    var nickname: String { "the \(name)" }
    var visits = 0

    convenience init(_ registration: String, name: String = "Nameless") {
        self.init()
        self.registration = registration
        self.name = name
    }
}

class TideReport: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var station: String
    @Persisted var height: Float
}

enum Harbour {
    static let types: [ObjectBase.Type] = [Boat.self, Skipper.self, Hull.self, TideReport.self]
}
