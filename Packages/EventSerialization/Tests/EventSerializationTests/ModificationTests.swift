import EventModel
import EventSerializationTesting
import Foundation
import Testing

@Suite("Modifications")
struct ModificationTests {
    struct Change {
        let kind: PropertyShape.Kind
        let before: Value
        let after: Value
        let newValue: String

        init(_ kind: PropertyShape.Kind, _ before: Value, _ after: Value, _ newValue: String) {
            self.kind = kind
            self.before = before
            self.after = after
            self.newValue = newValue
        }
    }

    static func date(_ seconds: Double) -> Value { .date(Date(timeIntervalSinceReferenceDate: seconds)) }

    static let changes: [Change] = [
        Change(.int, .int(1), .int(2), #"{"single":2}"#), Change(.int, .int(1), .int(1), "{}"),
        Change(.int, .null, .int(0), #"{"single":0}"#), Change(.int, .int(0), .null, #"{"single":null}"#),
        Change(.int, .null, .null, "{}"), Change(.bool, .bool(true), .bool(false), #"{"single":false}"#),
        Change(.double, .double(.nan), .double(-.nan), "{}"),
        Change(.double, .double(.nan), .double(.infinity), #"{"single":null}"#),
        Change(.double, .double(0), .double(-0.0), #"{"single":-0.0}"#),
        Change(.float, .float(.nan), .float(.nan), "{}"),
        Change(.string, .string("a"), .string("b"), #"{"single":"b"}"#),
        Change(.string, .string(""), .string(""), "{}"),
        Change(.string, .string(""), .null, #"{"single":null}"#),
        Change(.data, .data([1]), .data([2]), #"{"single":null}"#), Change(.data, .data([1]), .data([1]), "{}"),
        Change(.data, .null, .data([1]), #"{"single":null}"#), Change(.data, .data([]), .null, #"{"single":null}"#),
        Change(.date, date(0.0001), date(0.0002), #"{"single":"2001-01-01T00:00:00.000Z"}"#),
        Change(.date, date(1), date(1), "{}"),
        Change(.decimal128, .decimal128("1.0"), .decimal128("1.00"), #"{"single":"1.00"}"#),
        Change(.decimal128, .decimal128("1.0"), .decimal128("1.0"), "{}"),
        Change(.any, .int(1), .double(1), #"{"single":1.0}"#), Change(.any, .int(1), .int(1), "{}"),
        Change(.any, .double(.nan), .double(.nan), "{}"), Change(.any, .data([1]), .data([2]), #"{"single":null}"#),
        Change(.any, .string("x"), .data([2]), #"{"single":null}"#),
        Change(
            .link,
            .link(ObjectReference(className: "Person", key: 1, primaryKey: .int(7))),
            .link(ObjectReference(className: "Person", key: 2, primaryKey: .int(8))),
            #"{"single":8}"#
        ),
        Change(
            .link,
            .link(ObjectReference(className: "Person", key: 1, primaryKey: .int(7))),
            .link(ObjectReference(className: "Person", key: 1, primaryKey: .int(7))),
            "{}"
        ),
        Change(
            .embedded,
            .object(.sampleAddress(city: "Bern")),
            .object(.sampleAddress(city: "Basel")),
            #"{"single":{"city":"Basel","street":null}}"#
        ),
    ]

    @Test("newValue has a property exactly when its stored value changed", arguments: changes)
    func singleValues(change: Change) throws {
        #expect(try newValueText(change.kind, "single", change.before, change.after) == change.newValue)
    }

    @Test("an element that changed shows the whole collection")
    func collections() throws {
        #expect(try newValueText(.int, "list", .list([.int(1)]), .list([.int(1), .int(2)])) == #"{"list":[1,2]}"#)
        #expect(try newValueText(.int, "list", .list([.int(1)]), .list([.int(1)])) == "{}")
        #expect(try newValueText(.int, "list", .list([]), .null) == "{}")
        #expect(try newValueText(.int, "list", .null, .list([])) == "{}")
        #expect(try newValueText(.int, "list", .list([.int(1)]), .list([])) == #"{"list":[]}"#)
        #expect(try newValueText(.data, "list", .list([.data([1])]), .list([.data([2])])) == #"{"list":[null]}"#)
        #expect(try newValueText(.double, "list", .list([.double(.nan)]), .list([.double(-.nan)])) == "{}")
        #expect(
            try newValueText(.int, "map", .dictionary(["a": .int(1)]), .dictionary(["b": .int(1)]))
                == #"{"map":{"b":1}}"#
        )
        #expect(try newValueText(.int, "map", .dictionary(["a": .int(1)]), .dictionary(["a": .int(1)])) == "{}")
    }

    @Test("an embedded object read at another version is the same as long as its values are")
    func embeddedVersions() throws {
        let before = ObjectSnapshot.sample(.sampleAddress, version: 1, ["city": .string("Bern")])
        let after = ObjectSnapshot.sample(.sampleAddress, version: 2, ["city": .string("Bern")])

        #expect(try newValueText(.embedded, "single", .object(before), .object(after)) == "{}")
        #expect(try newValueText(.embedded, "list", .list([.object(before)]), .list([.object(after)])) == "{}")
        #expect(
            try newValueText(.embedded, "map", .dictionary(["a": .object(before)]), .dictionary(["a": .object(after)]))
                == "{}"
        )
    }

    @Test("the order in which a map is stored is no change")
    func mapOrder() throws {
        let shape = ClassShape.sampleHolder(of: .int)
        let snapshots = [["a", "b"], ["b", "a"]]
            .map { keys in
                var writer = SnapshotWriter(shape: shape)
                writer.begin(key: 1, version: 1, whole: true)
                writer.setPacked(3) { packed in
                    packed.append(dictionaryOf: 2) { entries in
                        for key in keys {
                            entries.appendKey(key)
                            entries.append(int: 1)
                        }
                    }
                }
                return writer.finish()
            }

        let modification = Modification(before: snapshots[0], after: snapshots[1])
        #expect(
            try writeText([ClassChanges(shape: shape, modifications: [modification])])
                .contains(#""newValue":{},"#)
        )
    }
}
