import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Methods of maps")
struct MapMethodTests {
    @Test("values are added, replaced, read and removed by their key", arguments: [false, true])
    func subscripts(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let parks = shelter.shelter.parks
        try shelter.change { shelter in
            shelter.parks["New York"] = "Domino Park"
            shelter.parks["Chicago"] = "Wiggly Field"
            shelter.parks["New York"] = "Central Park"
            shelter.parks.updateValue("Bush Park", forKey: "Ottawa")
            shelter.parks["Nowhere"] = nil
            #expect(shelter.parks["New York"] == "Central Park")
        }

        #expect(parks.count == 3)
        #expect(parks.keys == ["Chicago", "New York", "Ottawa"])
        #expect(parks.values == ["Wiggly Field", "Central Park", "Bush Park"])
        #expect(parks["Boston"] == nil)
        #expect((parks.realm != nil) == isManaged)
        try shelter.change { shelter in
            shelter.parks["Chicago"] = nil
            shelter.parks.removeObject(for: "Ottawa")
            shelter.parks.removeObject(for: "Ottawa")
        }
        #expect(try shelter.again().parks.map { "\($0.key): \($0.value)" } == ["New York: Central Park"])
        #expect(parks.description == "Map<String, String> [\"New York\": Central Park]")
        try shelter.change { $0.parks.removeAll() }
        #expect(parks.count == 0 && parks.keys.isEmpty && parks.values.isEmpty)
        #expect(parks.description == "Map<String, String> [:]")
    }

    @Test("L10: any text may be a key", arguments: ["", "$a", "a.b", "\"", "a\u{0}b", "👩‍⚕️"], [false, true])
    func keys(_ key: String, isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { shelter in
            shelter.parks[key] = "x"
            shelter.parks[key] = "y"
        }

        #expect(try shelter.again().parks[key] == "y")
        #expect(shelter.shelter.parks.keys == [key])
    }

    @Test("L10: an optional value may be null, which is not the same as no entry", arguments: [false, true])
    func nullValues(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let scores = shelter.shelter.scores
        try shelter.change { shelter in
            shelter.scores["a"] = .some(nil)
            shelter.scores["b"] = 1
            shelter.scores["c"] = 2
            shelter.scores["c"] = nil
            shelter.scores.updateValue(nil, forKey: "d")
        }

        #expect(scores.keys == ["a", "b", "d"])
        #expect(scores["a"] == .some(nil))
        #expect(scores["c"] == Int??.none)
        #expect(scores.values == [nil, 1, nil])
    }

    @Test("merging asks which of two values of one key to keep", arguments: [false, true])
    func merging(_ isManaged: Bool) throws {
        struct Stop: Error {}
        let shelter = try ShelterRealm(isManaged: isManaged)
        let parks = shelter.shelter.parks
        try shelter.change { shelter in
            shelter.parks["a"] = "1"
            shelter.parks.merge(["a": "2", "b": "3"]) { old, new in old + new }
            #expect(shelter.parks.asKeyValueSequence().map { $0.key + $0.value } == ["a12", "b3"])
            let other = Map<String, String>(dictionaryLiteral: ("b", "4"), ("c", "5"))
            shelter.parks.merge(other) { _, new in new }
            shelter.parks.merge(shelter.parks) { old, _ in old }
            #expect(throws: Stop.self) { try shelter.parks.merge(["a": "x"]) { _, _ throws in throw Stop() } }
        }

        #expect(
            Dictionary(uniqueKeysWithValues: parks.asKeyValueSequence().map { $0 }) == ["a": "12", "b": "4", "c": "5"]
        )
    }

    @Test("entries are found by a condition and iterated as they were", arguments: [false, true])
    func iterating(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { shelter in
            for key in ["b", "a", "c"] { shelter.parks[key] = key.uppercased() }
            #expect(shelter.parks.contains { key, value in key == "a" && value == "A" })
            #expect(!shelter.parks.contains { _, value in value == "X" })
            #expect(shelter.parks.contains { $0.key == "b" })
            var seen: [SingleMapEntry<String, String>] = []
            for entry in shelter.parks {
                seen.append(entry)
                shelter.parks.removeAll()
            }
            #expect(seen.map(\.key) == ["a", "b", "c"])
            #expect(seen.first == SingleMapEntry(key: "a", value: "A"))
            #expect(shelter.parks.count == 0)
        }
    }

    @Test("assigning replaces the contents of the same instance", arguments: [false, true])
    func assignment(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let parks = shelter.shelter.parks
        try shelter.change { shelter in
            shelter.parks["old"] = "x"
            shelter.parks = ["a": "1", "b": "2"]
            #expect(shelter.parks === parks)
            shelter.parks = shelter.parks
        }
        #expect(parks.keys == ["a", "b"])
        #expect(parks.values == ["1", "2"])
    }

    @Test("two maps are equal when they are the same property of the same object")
    func equality() throws {
        let shelter = try ShelterRealm()

        #expect(try shelter.again().parks == shelter.shelter.parks)
        #expect(try shelter.again().parks.hashValue == shelter.shelter.parks.hashValue)
        #expect(shelter.shelter.parks != Map<String, String>())
    }

    @Test("keyed values are converted as `create` does; nil removes and null is stored", arguments: [false, true])
    func keyedValues(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let (parks, scores, dogs) = (shelter.shelter.parks, shelter.shelter.scores, shelter.shelter.dogMap)
        try shelter.change { shelter in
            shelter.parks.setValue("Bush Park", forKey: "Ottawa")
            shelter.parks.setValue("x", forKey: "Boston")
            shelter.parks.setValue(nil, forKey: "Boston")
            shelter.scores.setValue(true, forKey: "a")
            shelter.scores.setValue(NSNumber(value: 7), forKey: "b")
            shelter.scores.setValue(NSNull(), forKey: "c")
            shelter.scores.setValue(Int?.none, forKey: "b")
            shelter.dogMap.setValue(["name": "Rex"], forKey: "first")
            shelter.dogMap.setValue(NSNull(), forKey: "second")
        }

        #expect(parks.value(forKey: "Ottawa") as? String == "Bush Park")
        #expect(parks.object(forKey: "Ottawa") as? String == "Bush Park")
        #expect(parks.object(forKey: 1) == nil)
        #expect(parks.value(forKey: "Boston") == nil)
        #expect(scores.keys == ["a", "c"])
        #expect(scores["a"] == 1 && scores["c"] == .some(nil))
        #expect(scores.value(forKey: "c") == nil)
        #expect((dogs.value(forKey: "first") as? Dog)?.name == "Rex")
        #expect(dogs.keys == ["first", "second"])
        #expect(dogs["second"] == .some(nil))
    }

    @Test("a keyed value of the wrong type dooms the transaction")
    func wrongKeyedValue() throws {
        let shelter = try ShelterRealm()
        for value: Any in [1, true, NSNull(), ["x"]] {
            let error = shelter.error { _ in shelter.shelter.parks.setValue(value, forKey: "Ottawa") }
            #expect(error?.code == .invalidInput)
            #expect(error?.message.contains("Shelter.parks") == true)
        }
        #expect(shelter.error { _ in shelter.shelter.dogMap.setValue(Person(), forKey: "x") }?.code == .invalidInput)
        #expect(shelter.shelter.parks.count == 0)
        #expect(shelter.shelter.dogMap.count == 0)
    }

    @Test("a map reads what another accessor of its object writes, and what a rollback leaves")
    func shared() throws {
        struct Stop: Error {}
        let shelter = try ShelterRealm()
        let other = try shelter.again()
        try shelter.change { shelter in
            shelter.parks["a"] = "1"
            #expect(other.parks["a"] == "1")
            other.parks["b"] = "2"
            #expect(shelter.parks.keys == ["a", "b"])
        }
        #expect(throws: Stop.self) {
            try shelter.change { shelter in
                shelter.parks.removeAll()
                shelter.cities.insert("x")
                shelter.tags.append("x")
                throw Stop()
            }
        }
        #expect(shelter.shelter.parks.keys == ["a", "b"])
        #expect(other.cities.isEmpty && other.tags.isEmpty)
    }
}
