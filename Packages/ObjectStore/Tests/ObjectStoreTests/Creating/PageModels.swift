import Foundation
import ObjectStore
import ObjectStoreTesting
import Synchronization
import Testing

// The models of the documentation page "CRUD - Create", as its examples use them.

/// The dog of the page.
class PageDog: Object {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var color: String
    @Persisted var currentCity: String
    @Persisted var citiesVisited: MutableSet<String>
    @Persisted var companion: AnyRealmValue
    @Persisted var favoriteParksByCity: Map<String, String>
}

/// A person with dogs of every kind of relationship.
class PagePerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var dog: PageDog?
    @Persisted var dogs: List<PageDog>
    @Persisted var dogSet: MutableSet<PageDog>
    @Persisted var dogsByName: Map<String, PageDog?>
    @Persisted var address: PageAddress?
    @Persisted var formerAddresses: List<PageAddress>
    @Persisted var addressesByKind: Map<String, PageAddress?>
    @Persisted var friend: PagePerson?
    @Persisted var friends: List<PagePerson>
}

/// The embedded object of the page.
class PageAddress: EmbeddedObject {
    @Persisted var street: String
    @Persisted var city: String?
    @Persisted var country = "USA"
    @Persisted var place: PagePlace?
}

/// An embedded object inside of an embedded object.
class PagePlace: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double
}

/// A class with two properties.
class PageAnimal: Object {
    @Persisted var name: String
    @Persisted var legs = 4
}

/// A class with two inherited properties and three of its own.
class PageCat: PageAnimal {
    @Persisted var isIndoor: Bool
    @Persisted var lives = 9
    @Persisted var nick: String?
}

/// The asymmetric object of the page.
class PageWeatherSensor: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var deviceId: String
    @Persisted var temperatureInFahrenheit: Float
    @Persisted var barometricPressureInHg: Float
    @Persisted var windSpeedInMph: Int
    @Persisted var place: PagePlace?
}

/// A class whose form in JSON needs conversions.
class PageContact: Object, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted var born: Date
    @Persisted var picture: Data?
    @Persisted var friends: List<PageContact>

    private enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name = "full_name"
        case born, picture, friends
    }
}

enum PageModels {
    static let types: [ObjectBase.Type] = [
        PageDog.self, PagePerson.self, PageAddress.self, PagePlace.self, PageAnimal.self, PageCat.self,
        PageContact.self, PageWeatherSensor.self,
    ]
}

/// A realm with the classes of the page.
struct PageRealm {
    let file: TemporaryRealm
    let realm: Realm

    init() throws {
        file = try TemporaryRealm(PageModels.types)
        realm = try file.open()
    }

    var dogs: Results<PageDog> { realm.objects(PageDog.self) }
    var people: Results<PagePerson> { realm.objects(PagePerson.self) }

    func person(_ id: Int) -> PagePerson? { realm.object(ofType: PagePerson.self, forPrimaryKey: id) }

    /// The error that a transaction ends with; nothing of it may stay.
    func error(_ body: (Realm) throws -> Void) -> Realm.Error? {
        do {
            try realm.write(body)
            return nil
        } catch {
            return error as? Realm.Error
        }
    }

    /// Reads what another thread's instance finds in the file.
    func elsewhere<Value: Sendable>(_ body: @escaping @Sendable (Realm) throws -> Value) throws -> Value {
        let file = file
        let value = Mutex<Value?>(nil)
        try onThread {
            let found = try body(file.open())
            value.withLock { $0 = found }
        }
        return try #require(value.withLock { $0 })
    }

    /// What `JSONSerialization` makes of a text.
    static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
    }
}
