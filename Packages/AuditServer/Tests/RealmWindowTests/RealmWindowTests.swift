import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import RealmWindow
import Testing

@Suite("A window on a realm file")
struct RealmWindowTests {
    private let file: TemporaryRealm
    private var url: URL { file.folder.appendingPathComponent("test.realm") }

    init() throws {
        file = try TemporaryRealm { $0.schemaVersion = 3 }
        let realm = try file.open()
        try realm.write { realm in
            for number in 0..<12 { realm.add(Person.numbered(number)) }
            let home = Home(value: ["name": "h", "tags": ["a", "b"], "ratings": [1, nil]] as [String: Any])
            home.owner = realm.objects(Person.self)[4]
            home.dogs.append(objectsIn: [Dog(value: ["name": "Rex"]), Dog(value: ["name": "Ada"])])
            home.watchdog = home.dogs[1]
            home.address = Address(value: ["street": "Elm"])
            realm.add(home)
        }
    }

    @Test("it tells classes with their counts, properties, keys and indexes")
    func classes() throws {
        let window = try RealmWindow(url)

        #expect(window.schemaVersion == 3)
        let classes = try window.classes()
        #expect(classes.map(\.name) == Sample.types.map { $0.className() }.sorted())
        let person = try #require(classes.first { $0.name == "Person" })
        #expect(person.count == 12 && person.primaryKey?.name == "_id" && !person.isEmbedded)
        let home = try #require(classes.first { $0.name == "Home" })
        #expect(home.properties.first { $0.name == "dogs" }?.type == "list of Dog")
        #expect(home.properties.first { $0.name == "ratings" }?.type == "list of optional int")
        #expect(home.properties.first { $0.name == "owner" }?.target == "Person")
        #expect(classes.first { $0.name == "Address" }?.isEmbedded == true)
        #expect(try window.columns(of: "Home").first?.name == "name")
    }

    @Test("objects come by condition and order, some of them at a time")
    func selections() throws {
        let window = try RealmWindow(url)
        func keys(_ selection: RealmWindow.Selection) throws -> [WindowValue?] {
            var keys: [WindowValue?] = []
            try window.forEachObject(of: selection) { keys.append($0["_id"]) }
            return keys
        }
        let old = RealmWindow.Selection("Person", where: "_id > 7", sortedBy: "_id", isDescending: true)
        #expect(try keys(old) == [.int(11), .int(10), .int(9), .int(8)])
        #expect(try window.count(of: old) == 4)
        #expect(try keys(RealmWindow.Selection("Person", sortedBy: "_id", offset: 2, limit: 2)) == [.int(2), .int(3)])
        #expect(try keys(RealmWindow.Selection("Person", offset: 12, limit: 2)).isEmpty)
    }

    @Test("a condition of places on the earth is understood, too")
    func places() throws {
        let places = try TemporaryRealm([WindowBuoy.self, WindowPosition.self])
        try places.open()
            .write { realm in
                for (name, longitude, latitude) in [("Sund", 12.7, 55.8), ("Suva", 178.5, -18.1)] {
                    let position = ["coordinates": [longitude, latitude]]
                    realm.create(WindowBuoy.self, value: ["name": name, "position": position])
                }
            }
        let window = try RealmWindow(
            places.folder.appendingPathComponent("test.realm"),
            encryptionKey: TemporaryRealm.suiteKey
        )

        var names: [WindowValue?] = []
        let near = RealmWindow.Selection("WindowBuoy", where: "position geoWithin geoCircle([12.57, 55.68], 0.1)")
        try window.forEachObject(of: near) { names.append($0["name"]) }

        #expect(names == [.text("Sund")])
    }

    @Test("links are named, embedded objects are whole, and links that go round do not")
    func values() throws {
        var objects: [WindowObject] = []
        try RealmWindow(url).forEachObject(of: RealmWindow.Selection("Home")) { objects.append($0) }
        let home = try #require(objects.first)

        #expect(home["owner"]?.text == "Person 4")
        #expect(home["address"]?.text == "{street: Elm, city: -}")
        #expect(home["tags"] == .list([.text("a"), .text("b")]))
        #expect(home["ratings"] == .list([.int(1), .null]))
        #expect(home["dogs"]?.text.hasPrefix("[Dog #") == true)
    }

    @Test("an object is found by its key or its row, and none by a key that is none")
    func oneObject() throws {
        let window = try RealmWindow(url)
        #expect(try window.object(of: "Person", key: "7")?["name"] == .text("Person 7"))
        let home = try #require(try window.object(of: "Home", key: "h"))
        guard case .link(let dog)? = home["watchdog"] else {
            Issue.record("the watchdog is no link")
            return
        }
        #expect(dog.key == nil)
        #expect(try window.object(of: "Dog", row: dog.row)?["name"] == .text("Ada"))
        for key in ["99", "", "seven", "7.0"] { #expect(try window.object(of: "Person", key: key) == nil) }
        #expect(try window.object(of: "Dog", key: "1") == nil)
        #expect(try window.object(of: "Dog", row: 12345) == nil)
        #expect(try window.object(of: "Everything", key: "no id") == nil)
        #expect(throws: RealmWindowError.self) { try window.object(of: "Nobody", row: 1) }
    }

    @Test("within bounds, the beginning of what is long comes with its length")
    func bounds() throws {
        let window = try RealmWindow(url)
        func home(_ bounds: WindowBounds) throws -> WindowObject {
            try #require(try window.object(of: "Home", key: "h", within: bounds))
        }
        let short = try home(WindowBounds(elements: 1, length: 2, total: 100, depth: 1, values: 100))
        #expect(short["tags"] == .cut(.list([.text("a")]), of: 2))
        #expect(short["name"] == .text("h"))
        #expect(short["address"]?.text.hasPrefix("{street: El… (3)") == true)
        #expect(short["tags"]?.text == "[a]… (2)" && short["tags"]?.json == #"{"$cut":[["a"],2]}"#)
        let flat = try home(WindowBounds(elements: 9, length: 9, total: 100, depth: 0, values: 100))
        #expect(flat["tags"] == .cut(.list([]), of: 2) && flat["address"] == .cut(.object([]), of: 2))
        let few = try home(WindowBounds(elements: 9, length: 9, total: 100, depth: 9, values: 3))
        #expect(few.values.count == 9 && few.values.filter { $0.value == .cut(.null, of: 1) }.count == 6)
        let brief = try home(WindowBounds(elements: 9, length: 9, total: 2, depth: 9, values: 100))
        #expect(
            brief["name"] == .text("h") && brief["tags"] == .list([.cut(.text(""), of: 1), .cut(.text(""), of: 1)])
        )
        #expect(try home(.everything) == home(.page))
    }

    @Test("what is asked for wrongly is a sentence with what there is")
    func wrong() throws {
        let window = try RealmWindow(url)
        func message(_ selection: RealmWindow.Selection) -> String {
            let error = #expect(throws: RealmWindowError.self) { try window.count(of: selection) }
            return error.map { "\($0)" } ?? ""
        }
        #expect(message(RealmWindow.Selection("Nobody")).hasPrefix("The file has no class 'Nobody'; it has Address,"))
        #expect(message(RealmWindow.Selection("Person", where: "age >")).hasPrefix("The condition cannot be used: "))
        #expect(message(RealmWindow.Selection("Person", where: "nothing == 1")).contains("nothing"))
        #expect(
            message(RealmWindow.Selection("Person", where: "name == %@")).hasPrefix("The condition cannot be used: ")
        )
        #expect(message(RealmWindow.Selection("Person", sortedBy: "nothing")).contains("they can by _id, "))
        #expect(message(RealmWindow.Selection("Home", sortedBy: "dogs")).contains("cannot be sorted by 'dogs'"))
    }

    @Test("a file that is damaged anywhere is an error or shows what it had, and ends no process")
    func damaged() throws {
        let whole = try Data(contentsOf: url)
        let page = 4096
        var errors = 0
        for start in stride(from: page, to: whole.count, by: page) {
            let copy = file.folder.appendingPathComponent("damaged-\(start).realm")
            var bytes = whole
            bytes.replaceSubrange(start..<(start + page), with: repeatElement(0xA5, count: page))
            try bytes.write(to: copy)
            do {
                let window = try RealmWindow(copy)
                for item in try window.classes() {
                    var count = 0
                    try window.forEachObject(of: RealmWindow.Selection(item.name)) { _ in count += 1 }
                    #expect(count == item.count)
                    _ = try window.object(of: item.name, row: 1, within: .page)
                    _ = try window.object(of: item.name, key: "7", within: .row)
                }
            } catch {
                errors += 1
            }
        }
        #expect(errors > 5)
    }

    @MainActor
    @Test("it writes nothing, and shows what a program writes meanwhile after a refresh")
    func beside() async throws {
        let window = try RealmWindow(url, isWritable: true)
        #expect(try window.count(of: RealmWindow.Selection("Person")) == 12)

        try await file.inSecondInstance { realm in try realm.write { realm.add(Person.numbered(50)) } }

        window.refresh()
        #expect(try window.count(of: RealmWindow.Selection("Person")) == 13)
    }
}

private final class WindowBuoy: Object {
    @Persisted var name: String
    @Persisted var position: WindowPosition?
}

private final class WindowPosition: EmbeddedObject {
    @Persisted var type: String = "Point"
    @Persisted var coordinates: List<Double>
}
