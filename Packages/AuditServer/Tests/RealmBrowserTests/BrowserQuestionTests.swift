import EventModelTesting
import Foundation
import NIOHTTP1
import ObjectStore
import ObjectStoreTesting
import Testing

@testable import RealmBrowser

@Suite("What is browsed of a realm file")
struct BrowserQuestionTests {
    private static func rows(_ answer: BrowserClient.Answer) throws -> [[String: Any]] {
        try #require(try answer.json["rows"] as? [[String: Any]])
    }

    private static func keys(_ answer: BrowserClient.Answer) throws -> [String] {
        try rows(answer).compactMap { $0["key"] as? String }
    }

    /// The values of an object by the names of its properties.
    private static func values(_ answer: BrowserClient.Answer) throws -> [String: [String: Any]] {
        let lines = try #require(try answer.json["lines"] as? [[String: Any]])
        return lines.reduce(into: [:]) { values, line in
            if let name = line["name"] as? String { values[name] = line["value"] as? [String: Any] }
        }
    }

    @Test("the classes come with counts, properties and the version of the schema")
    func classes() async throws {
        try await BrowsedFile()
            .serve { client in
                let file = try await client.ask("classes").json
                #expect(file["name"] as? String == "test.realm" && file["schemaVersion"] as? String == "3")
                let classes = try #require(file["classes"] as? [[String: Any]])
                #expect(classes.compactMap { $0["name"] as? String } == Sample.types.map { $0.className() }.sorted())
                let person = try #require(classes.first { $0["name"] as? String == "Person" })
                #expect(person["count"] as? Int == 250)
                let properties = try #require(person["properties"] as? [[String: Any]])
                #expect(properties.first?["name"] as? String == "_id")
                #expect(properties.first?["isPrimaryKey"] as? Bool == true)
            }
    }

    @Test("a table comes in pages, sorted up and down and filtered")
    func pages() async throws {
        try await BrowsedFile()
            .serve { client in
                let first = try await client.ask("objects", ["class": "Person", "sort": "_id"])
                #expect(try Self.keys(first) == (0..<100).map(String.init))
                #expect(try first.json["total"] as? Int == 250)
                let last = try await client.ask("objects", ["class": "Person", "sort": "_id", "offset": "200"])
                #expect(try Self.keys(last) == (200..<250).map(String.init))
                let beyond = try await client.ask("objects", ["class": "Person", "offset": "1000"])
                #expect(try Self.rows(beyond).isEmpty && beyond.json["total"] as? Int == 250)
                let down = try await client.ask(
                    "objects",
                    ["class": "Person", "sort": "_id", "descending": "1", "limit": "2", "where": "_id < 10"]
                )
                #expect(try Self.keys(down) == ["9", "8"] && down.json["total"] as? Int == 10)
                let blank = try await client.ask("objects", ["class": "Person", "where": "  ", "limit": "500"])
                #expect(try Self.rows(blank).count == 250)
            }
    }

    @Test("what is asked for wrongly is answered with the sentence of the store, or with what is allowed")
    func wrong() async throws {
        try await BrowsedFile()
            .serve { client in
                func refusal(_ query: KeyValuePairs<String, String>, _ status: UInt = 400) async throws -> String {
                    let answer = try await client.ask("objects", query)
                    #expect(answer.status == status)
                    return try answer.message ?? ""
                }
                #expect(
                    try await refusal(["class": "Nobody"], 404).hasPrefix("The file has no class 'Nobody'; it has ")
                )
                #expect(try await refusal([:]).contains("'class' is missing"))
                let half = try await refusal(["class": "Person", "where": "age >"])
                #expect(half.hasPrefix("The condition cannot be used: "))
                let unknown = try await refusal(["class": "Person", "where": "nothing == 1"])
                #expect(unknown.contains("nothing"))
                let column = try await refusal(["class": "Home", "sort": "dogs"])
                #expect(column.hasPrefix("Objects of 'Home' cannot be sorted by 'dogs'; they can by "))
                for (name, value) in [
                    ("limit", "0"), ("limit", "501"), ("limit", "-1"), ("limit", "x"), ("offset", "-1"),
                    ("offset", "99999999999999999999"),
                ] {
                    let answer = try await client.send(
                        "/api/objects?class=Person&\(name)=\(value)",
                        .GET,
                        [("Authorization", "Bearer \(client.token)")]
                    )
                    #expect(try answer.status == 400 && answer.message?.contains("'\(name)' is a number from") == true)
                }
                #expect(try await client.ask("nothing").status == 404)
            }
    }

    @Test("a condition that is long, deep or hostile is refused or finds nothing, and the next one is answered")
    func hostileConditions() async throws {
        try await BrowsedFile()
            .serve { client in
                let deep = String(repeating: "(", count: 1900) + "_id == 1" + String(repeating: ")", count: 1900)
                let not = String(repeating: "NOT ", count: 990) + "_id == 1"
                for condition in [
                    deep, not, String(repeating: "x", count: 4001), "name == '", "name == \u{0}",
                    "'; DROP TABLE Person --",
                    "name LIKE '\(String(repeating: "*a", count: 1500))'", "name == %@", "$0 == 1", "TRUEPREDICATE)",
                ] {
                    let answer = try await client.ask("objects", ["class": "Person", "where": condition])
                    #expect(answer.status == 400 || answer.status == 200, "\(condition.prefix(20))")
                    if answer.status == 400 { #expect(try answer.message?.isEmpty == false) }
                }
                #expect(
                    try await client.ask("objects", ["class": "Person", "where": "_id == 1"]).json["total"] as? Int == 1
                )
            }
    }

    @Test("an object is found by its key or its row, with its links, collections and what lies inside it")
    func objects() async throws {
        try await BrowsedFile()
            .serve { client in
                let home = try await client.ask("object", ["class": "Home", "key": "h 1/ü"])
                let values = try Self.values(home)
                let owner = try #require(values["owner"])
                #expect(owner["kind"] as? String == "link" && owner["className"] as? String == "Person")
                let owned = try await client.ask("object", ["class": "Person", "key": owner["text"] as? String ?? ""])
                #expect(try Self.values(owned)["name"]?["text"] as? String == "Person 249")
                let watchdog = try #require(values["watchdog"])
                #expect(watchdog["text"] == nil)
                let dog = try await client.ask("object", ["class": "Dog", "row": watchdog["row"] as? String ?? ""])
                #expect(try Self.values(dog)["name"]?["text"] as? String == "Dog 7")
                let address = try #require(values["address"]?["entries"] as? [[String: Any]])
                #expect((address.first?["value"] as? [String: Any])?["text"] as? String == "Elm")
                #expect((values["dogs"]?["items"] as? [Any])?.count == 20 && values["dogs"]?["whole"] == nil)
            }
    }

    @Test("an object that is not there is said to be gone, however it is asked for")
    func missing() async throws {
        try await BrowsedFile()
            .serve { client in
                for query: KeyValuePairs in [
                    ["class": "Person", "key": "1000"], ["class": "Person", "key": "x"], ["class": "Dog", "key": "1"],
                    ["class": "Person", "row": "100000"], ["class": "Person", "row": "-1"],
                    ["class": "Home", "key": "nobody"], ["class": "Everything", "key": "123"],
                ] {
                    let answer = try await client.ask("object", query)
                    #expect(answer.status == 404)
                    #expect(try answer.message?.hasPrefix("There is no such object of '") == true)
                }
                #expect(try await client.ask("object", ["class": "Nobody", "key": "1"]).status == 404)
                #expect(try await client.ask("object", ["class": "Person"]).status == 400)
                #expect(try await client.ask("object", ["class": "Person", "row": "x"]).status == 400)
            }
    }

    @Test("long texts and collections are cut in a table with a mark, and come further on the page of the object")
    func cut() async throws {
        try await BrowsedFile()
            .serve { client in
                let table = try await client.ask("objects", ["class": "Home", "sort": "name"])
                let columns = try #require(try table.json["columns"] as? [[String: Any]])
                    .compactMap { $0["name"] as? String }
                let hostile = try #require(try Self.rows(table).first { $0["key"] as? String == BrowsedFile.hostile })
                let values = try #require(hostile["values"] as? [[String: Any]])
                let tags = try #require(columns.firstIndex(of: "tags").map { values[$0] }?["items"] as? [[String: Any]])
                #expect(tags.first?["text"] as? String == BrowsedFile.hostile)
                #expect((tags.last?["text"] as? String)?.count == 200 && tags.last?["whole"] as? Int == 5000)
                let other = try #require(try Self.rows(table).first { $0["key"] as? String == "h 1/ü" })
                let dogs = try #require(
                    columns.firstIndex(of: "dogs").map { (other["values"] as? [[String: Any]])?[$0] }
                )
                #expect((dogs?["items"] as? [Any])?.count == 3 && dogs?["whole"] as? Int == 20)

                let page = try await client.ask("object", ["class": "Home", "key": BrowsedFile.hostile])
                let whole = try #require(try Self.values(page)["tags"]?["items"] as? [[String: Any]])
                #expect((whole.last?["text"] as? String)?.count == 5000 && whole.last?["whole"] == nil)
                #expect(page.headers["Content-Type"] == ["application/json; charset=utf-8"])
            }
    }

    @Test("an encrypted file is shown with its key, and without it or with another one nothing listens")
    func keys() async throws {
        let key = Data((0..<64).map { UInt8($0) })
        let file = try BrowsedFile(key: key, people: 3)
        try await file.serve(key: key) { client in
            let people = try await client.ask("objects", ["class": "Person"]).json
            #expect(people["total"] as? Int == 3)
        }
        let other = Data(key.reversed())
        for wrong in [nil, other, Data(key.dropLast())] {
            #expect(throws: (any Error).self) { try RealmBrowser(file.url, encryptionKey: wrong) }
        }
    }
}
