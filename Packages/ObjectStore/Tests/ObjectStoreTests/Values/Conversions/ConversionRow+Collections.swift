import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting

extension ConversionRow {
    /// What collections of integers make of 1 and 2.
    private static let oneAndTwo = ["ints": "[1, 2]", "optionalInts": "[1, 2]", "intSet": "[1, 2]", "anys": "[1, 2]"]
    private static let fresh = ["dog": "dog ", "address": "address "]

    static let sequences = [
        ConversionRow("array", oneAndTwo.merging(["any": "[1, 2]"]) { $1 }) { [1, 2] },
        ConversionRow(
            "empty array",
            ["ints": "[]", "optionalInts": "[]", "intSet": "[]", "anys": "[]", "dogs": "[]", "addresses": "[]"]
                .merging(["any": "[]"]) { $1 }.merging(fresh) { $1 }
        ) { [Any]() },
        ConversionRow("array with null", ["optionalInts": "[1, nil]", "anys": "[1, nil]", "any": "[1, nil]"]) {
            [1, NSNull()] as [Any]
        },
        ConversionRow("array of optionals", ["optionalInts": "[1, nil]", "anys": "[1, nil]", "any": "[1, nil]"]) {
            [1, nil] as [Int?]
        },
        ConversionRow(
            "array of truth values",
            ["ints": "[1, 0]", "optionalInts": "[1, 0]", "intSet": "[0, 1]", "anys": "[true, false]"]
                .merging(["any": "[true, false]"]) { $1 }
        ) { [true, false] },
        ConversionRow(
            "array with duplicates",
            ["intSet": "[1]", "ints": "[1, 1]", "optionalInts": "[1, 1]"]
                .merging(["anys": "[1, 1]", "any": "[1, 1]"]) { $1 }
        ) { [1, 1] },
        ConversionRow(
            "array of text",
            ["anys": "[rex]", "any": "[rex]", "dog": "dog rex", "address": "address rex"]
        ) { ["rex"] },
        ConversionRow("array by declaration", ["dog": "dog rex", "anys": "[rex, 3]", "any": "[rex, 3]"]) {
            ["rex", 3] as [Any]
        },
        ConversionRow("array with too many values for a class", ["anys": "[rex, 3, nil]", "any": "[rex, 3, nil]"]) {
            ["rex", 3, NSNull()] as [Any]
        },
        ConversionRow("array of arrays", ["anys": "[[1], [2]]", "any": "[[1], [2]]"]) { [[1], [2]] },
        ConversionRow("Set", ["ints": "[1]", "optionalInts": "[1]", "intSet": "[1]", "anys": "[1]"]) { Set([1]) },
        ConversionRow("ArraySlice", oneAndTwo) { [0, 1, 2][1...] },
        ConversionRow("range", oneAndTwo) { 1...2 },
        ConversionRow("lazy sequence", oneAndTwo) { [0, 1].lazy.map { $0 + 1 } },
        ConversionRow("NSArray", oneAndTwo.merging(["any": "[1, 2]"]) { $1 }) { NSArray(array: [1, 2]) },
        ConversionRow("NSSet", ["ints": "[1]", "optionalInts": "[1]", "intSet": "[1]", "anys": "[1]"]) {
            NSSet(array: [1])
        },
        ConversionRow("List", ["ints": "[1]", "optionalInts": "[1]", "intSet": "[1]"]) { list([1]) },
        ConversionRow("List of optionals", ["optionalInts": "[nil]"]) { list([Int?.none]) },
        ConversionRow("List of text, even if empty", [:]) { List<String>() },
        ConversionRow("List of values of any type", ["anys": "[1, a]", "any": "[1, a]"]) {
            list([AnyRealmValue.int(1), .string("a")])
        },
        ConversionRow("MutableSet", ["ints": "[1]", "optionalInts": "[1]", "intSet": "[1]"]) {
            let set = MutableSet<Int>()
            set.insert(1)
            return set
        },
    ]

    static let dictionaries = [
        ConversionRow("dictionary", ["intMap": "{a: 1}", "any": "{a: 1}"].merging(fresh) { $1 }) { ["a": 1] },
        ConversionRow("empty dictionary", ["intMap": "{}", "any": "{}"].merging(fresh) { $1 }) { [String: Any]() },
        ConversionRow("dictionary with null", ["any": "{a: nil}"].merging(fresh) { $1 }) { ["a": NSNull()] },
        ConversionRow("dictionary of optionals", ["any": "{a: nil}"].merging(fresh) { $1 }) {
            ["a": nil] as [String: Int?]
        },
        ConversionRow("NSDictionary", ["intMap": "{a: 1}", "any": "{a: 1}"].merging(fresh) { $1 }) {
            NSDictionary(dictionary: ["a": 1])
        },
        ConversionRow("dictionary with other keys", [:]) { [1: 2] },
        ConversionRow("Map", ["intMap": "{a: 1}"]) {
            let map = Map<String, Int>()
            map["a"] = 1
            return map
        },
        ConversionRow("Map of text, even if empty", [:]) { Map<String, String>() },
        ConversionRow(
            "dictionary by name",
            ["dog": "dog rex", "address": "address ", "any": "{name: rex}"]
        ) { ["name": "rex"] },
        ConversionRow(
            "dictionary by name with null",
            ["dog": "dog rex", "address": "address ", "any": "{age: 2, city: nil, name: rex}"]
        ) { ["name": "rex", "age": 2, "city": NSNull()] as [String: Any] },
        ConversionRow(
            "dictionary with a wrong value",
            ["address": "address ", "any": "{name: 1}"]
                .merging(["intMap": "{name: 1}"]) { $1 }
        ) { ["name": 1] },
    ]

    static let objects = [
        ConversionRow("object", ["dog": "dog rex", "any": "dog rex"]) { Dog(value: ["name": "rex"]) },
        ConversionRow("embedded object", ["address": "address elm"]) { Address(value: ["street": "elm"]) },
        ConversionRow("object of another class", ["any": "person ada"]) { Person(value: ["_id": 1, "name": "ada"]) },
        ConversionRow("array of objects", ["dogs": "[dog rex]", "anys": "[dog rex]", "any": "[dog rex]"]) {
            [Dog(value: ["name": "rex"])]
        },
        ConversionRow("List of objects", ["dogs": "[dog rex]"]) { list([Dog(value: ["name": "rex"])]) },
        ConversionRow("array of embedded objects", ["addresses": "[address elm]"]) {
            [Address(value: ["street": "elm"])]
        },
        ConversionRow(
            "array of dictionaries",
            ["dogs": "[dog rex]", "addresses": "[address ]", "anys": "[{name: rex}]", "any": "[{name: rex}]"]
        ) { [["name": "rex"]] },
        ConversionRow(
            "array of arrays by declaration",
            ["dogs": "[dog rex]", "addresses": "[address rex]", "anys": "[[rex]]", "any": "[[rex]]"]
        ) { [["rex"]] },
        ConversionRow("array of objects and others", ["anys": "[dog rex, 1]", "any": "[dog rex, 1]"]) {
            [Dog(value: ["name": "rex"]), 1] as [Any]
        },
    ]

    private static func list<Element: RealmCollectionValue>(_ elements: [Element]) -> List<Element> {
        let list = List<Element>()
        list.append(objectsIn: elements)
        return list
    }
}
