import EventModel
import EventSerializationTesting
import Testing

@Suite("Followed links")
struct FollowedLinkTests {
    static let node = ClassShape(
        name: "Node",
        properties: [
            PropertyShape(name: "id", kind: .int),
            PropertyShape(name: "next", kind: .link, isOptional: true, targetClass: "Node"),
            PropertyShape(name: "all", kind: .link, collection: .list, targetClass: "Node"),
            PropertyShape(name: "named", kind: .link, collection: .dictionary, isOptional: true, targetClass: "Node"),
            PropertyShape(name: "any", kind: .any, isOptional: true),
        ],
        primaryKeySlot: 0
    )

    private func link(_ key: Int64, _ className: String = "Node") -> Value {
        .link(ObjectReference(className: className, key: key, primaryKey: .int(key * 10)))
    }

    private func node(_ key: Int64, _ values: [String: Value] = [:]) -> ObjectSnapshot {
        .sample(Self.node, key: key, values.merging(["id": .int(key * 10)]) { first, _ in first })
    }

    @Test("a link is the primary key of its target until it is followed, then an object")
    func toOne() throws {
        let first = node(1, ["next": link(2)])

        #expect(
            try objectText(first) == #"{"all":[],"any":null,"id":10,"named":{},"next":20}"#
        )
        #expect(
            try readText([.sample(first, following: ["next": [.sample(node(2))]])], type: "Node") == """
                {"type":"Node","value":[{"all":[],"any":null,"id":10,"named":{},\
                "next":{"all":[],"any":null,"id":20,"named":{},"next":null}}]}
                """
        )
    }

    @Test("a tree of followed links is written as deep as it is, a cycle ends in the primary key")
    func recursion() throws {
        let first = node(1, ["next": link(2)])
        let second = node(2, ["next": link(1)])
        let object = ReadObject.sample(
            first,
            following: ["next": [.sample(second, following: ["next": [.sample(first)]])]]
        )

        #expect(
            try readText([object], type: "Node") == """
                {"type":"Node","value":[{"all":[],"any":null,"id":10,"named":{},\
                "next":{"all":[],"any":null,"id":20,"named":{},\
                "next":{"all":[],"any":null,"id":10,"named":{},"next":20}}}]}
                """
        )
    }

    @Test("the elements of a followed collection are objects, except those whose target is not given")
    func collections() throws {
        let first = node(
            1,
            ["all": .list([link(2), link(3), link(2)]), "named": .dictionary(["a": link(3), "b": .null])]
        )
        let object = ReadObject.sample(first, following: ["all": [.sample(node(2))], "named": [.sample(node(3))]])
        let (two, three) = (
            #"{"all":[],"any":null,"id":20,"named":{},"next":null}"#,
            #"{"all":[],"any":null,"id":30,"named":{},"next":null}"#
        )

        #expect(
            try readText([object], type: "Node") == """
                {"type":"Node","value":[{"all":[\(two),30,\(two)],"any":null,"id":10,\
                "named":{"a":\(three),"b":null},"next":null}]}
                """
        )
    }

    @Test("a followed link of any type is an object only when the class is the same")
    func anyType() throws {
        let object = ReadObject.sample(node(1, ["any": link(2)]), following: ["any": [.sample(node(2))]])
        let other = ReadObject.sample(node(1, ["any": link(2, "Other")]), following: ["any": [.sample(node(2))]])

        #expect(try readText([object], type: "Node").contains(#""any":{"all":[]"#))
        #expect(try readText([other], type: "Node").contains(#""any":20"#))
    }
}
