import Daybook
import Testing

/// One way to read, with what it makes of events.
struct ReadVariant: Sendable, CustomTestStringConvertible {
    let name: String
    let step: @Sendable (Holder) throws -> Void
    let lines: [String]

    var testDescription: String { name }

    init(_ name: String, _ lines: [String], _ step: @escaping @Sendable (Holder) throws -> Void) {
        self.name = name
        self.lines = lines
        self.step = step
    }

    private static let target = read("Target", Target.json(1))
    private static let inList = read("Target", Target.json(2))
    private static let inMap = read("Target", Target.json(4))
    private static let link = read("Holder", Holder.json(link: Target.json(1)))
    private static let list = read("Holder", Holder.json(list: Target.json(2, 3)))
    private static let map = read("Holder", Holder.json(map: (Target.json(4), Target.json(5))))

    /// Reads of which the parent was obtained before the scope: ten events in all.
    static let parentBefore = [
        ReadVariant("to-one link", [target]) { _ = $0.link },
        ReadVariant("class, first", [target]) { _ = $0.realm?.objects(Target.self).first },
        ReadVariant("filtered, first", [read("Target", Target.json(1, 2))]) {
            _ = $0.realm?.objects(Target.self).where { $0.value <= 20 }.first
        },
        ReadVariant("list, first", [inList]) { _ = $0.list.first },
        ReadVariant("dynamic list, first", [inList]) { _ = $0.dynamicList("list").first },
        ReadVariant("list, by key of its elements", [inList, read("Target", Target.json(3))]) {
            _ = $0.list.value(forKey: "value")
        },
        ReadVariant("map, subscript", [inMap]) { _ = $0.map["a"] },
        ReadVariant("dynamic map, subscript", [inMap]) {
            let map: Map<String, DynamicObject?> = $0.dynamicMap("map")
            _ = map["a"]
        },
        ReadVariant("primary key", [target]) { _ = $0.realm?.object(ofType: Target.self, forPrimaryKey: 1) },
    ]

    /// Reads of which the parent is read in the scope: seventeen events in all.
    static let parentInside = [
        ReadVariant("no link", [read("Holder", Holder.json())]) { _ in },
        ReadVariant("property", [link, target]) { _ = $0.link },
        ReadVariant("key-value coding", [link, target]) { _ = $0.value(forKey: "link") },
        ReadVariant("subscript", [link, target]) { _ = $0["link"] },
        ReadVariant("dynamic object", [link, target]) {
            _ = $0.realm?.dynamicObject(ofType: "Holder", forPrimaryKey: 1)?.link
        },
        ReadVariant("list, first", [list, inList]) { _ = $0.list.first },
        ReadVariant("dynamic list, first", [list, inList]) { _ = $0.dynamicList("list").first },
        ReadVariant("map, subscript", [map, inMap]) { _ = $0.map["a"] },
        ReadVariant("dynamic map, subscript", [map, inMap]) {
            let map: Map<String, DynamicObject?> = $0.dynamicMap("map")
            _ = map["a"]
        },
    ]
}

@Suite("Scenarios: the ways to read")
struct ReadVariantTests {
    private let recorded: RecordedRealm

    init() throws {
        recorded = try RecordedRealm(holding: [Holder.linked()])
    }

    private func holder() throws -> Holder {
        try #require(recorded.realm.object(ofType: Holder.self, forPrimaryKey: 1))
    }

    @Test(
        "Scenario 85: each way to read is recorded, alone when its parent was obtained before the scope",
        .tags(.scenario85),
        arguments: ReadVariant.parentBefore
    )
    func parentBefore(variant: ReadVariant) throws {
        let recorded = try RecordedRealm(holding: [Holder.linked()], EventConfiguration(recordedReads: .handedOut))
        let holder = try #require(recorded.realm.object(ofType: Holder.self, forPrimaryKey: 1))

        try recorded.record { try variant.step(holder) }

        #expect(try recorded.lines() == variant.lines)
    }

    @Test(
        "Scenario 86: each way to follow a link shows its targets in the parent that was read in the scope",
        .tags(.scenario86),
        arguments: ReadVariant.parentInside
    )
    func parentInside(variant: ReadVariant) throws {
        try recorded.record { try variant.step(try holder()) }

        #expect(try recorded.lines() == variant.lines)
    }

    @Test("the ways of scenarios 85 and 86 make ten and seventeen events", .tags(.scenario85, .scenario86))
    func counts() {
        #expect(ReadVariant.parentBefore.reduce(0) { $0 + $1.lines.count } == 10)
        #expect(ReadVariant.parentInside.reduce(0) { $0 + $1.lines.count } == 17)
    }
}
