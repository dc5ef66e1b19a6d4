import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private final class Bag: Object {
    @Persisted var numbers: List<Int>
    @Persisted var fractions: List<Double?>
    @Persisted var texts: List<String>
    @Persisted var set: MutableSet<Int>
    @Persisted var map: Map<String, Int>
    @Persisted var things: List<Thing>
}

private final class Thing: Object {
    @Persisted var name: String
    @Persisted var size: Int?
    @Persisted var next: Thing?
}

/// What a collection answers to each of its members, as text.
private func answers<C: RealmCollection>(_ collection: C, probes: [C.Element]) -> [String] {
    let all = Array(collection)
    var answers: [String] = []
    func say(_ name: String, _ value: Any?) { answers.append("\(name): \(shown(value))") }
    say("count", collection.count)
    say("isEmpty", collection.isEmpty)
    say("first", collection.first)
    say("last", collection.last)
    say("all", all)
    for probe in probes { say("index of", collection.index(of: probe)) }
    say("objects", collection.objects(at: IndexSet(all.indices.filter { $0 % 2 == 0 })))
    say("distinct", Array(collection.distinct()))
    say("true", collection.index(matching: "TRUEPREDICATE"))
    say("never", collection.index(matching: "FALSEPREDICATE"))
    say("self", collection.value(forKeyPath: "self"))
    say("@count", collection.value(forKeyPath: "@count"))
    return answers
}

private func shown(_ value: Any?) -> String {
    guard let value else { return "nil" }
    if let thing = value as? Thing { return "thing \(thing.name) \(thing.size.map { "\($0)" } ?? "nil")" }
    if let values = value as? [Any] { return "[\(values.map { shown($0) }.joined(separator: ", "))]" }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return shown(mirror.children.first?.value) }
    return "\(value)"
}

@Suite("What unmanaged collections answer is what managed ones do")
struct UnmanagedAnswersTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([Bag.self, Thing.self])
        realm = try file.open()
    }

    /// A bag as a dictionary, of which a managed and an unmanaged one are made.
    private func contents(_ random: inout SeededGenerator) -> [String: Any] {
        func many<T>(_ make: (inout SeededGenerator) -> T, _ random: inout SeededGenerator) -> [T] {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in make(&random) }
        }
        func thing(_ random: inout SeededGenerator, isOuter: Bool) -> [String: Any] {
            var thing: [String: Any] = ["name": ["a", "B", "é", ""].randomElement(using: &random) ?? ""]
            if Bool.random(using: &random) { thing["size"] = Int.random(in: -2...2, using: &random) }
            if isOuter, Bool.random(using: &random) { thing["next"] = self.thing(&random) }
            return thing
        }
        return [
            "numbers": many({ Int.random(in: -3...3, using: &$0) }, &random),
            "fractions": many(
                { Bool.random(using: &$0) ? Double.random(in: -2...2, using: &$0).rounded() : NSNull() as Any },
                &random
            ),
            "texts": many({ ["a", "B", "b", "é", "e\u{301}", ""].randomElement(using: &$0) ?? "" }, &random),
            "set": many({ Int.random(in: -3...3, using: &$0) }, &random),
            "map": Dictionary(
                many(
                    { (["a", "b", "c", "d"].randomElement(using: &$0) ?? "", Int.random(in: 0...3, using: &$0)) },
                    &random
                )
            ) { $1 },
            "things": many({ thing(&$0, isOuter: true) }, &random),
        ]
    }

    private func thing(_ random: inout SeededGenerator) -> [String: Any] {
        ["name": ["x", "y"].randomElement(using: &random) ?? "", "size": Int.random(in: 0...1, using: &random)]
    }

    @Test("every member of a collection gives the same answer, whatever is in it")
    func members() throws {
        let seed: UInt64 = 2026
        var random = SeededGenerator(seed: seed)
        for round in 0..<120 {
            let contents = contents(&random)
            let loose = Bag(value: contents)
            var created: Bag?
            try realm.write { realm in created = realm.create(Bag.self, value: contents) }
            let managed = try #require(created)

            let (first, second) = (all(managed), all(loose))

            for (one, other) in zip(first, second) where one != other {
                Issue.record("seed \(seed), round \(round): managed says \(one), unmanaged \(other); \(contents)")
            }
            #expect(first.count == second.count)
        }
    }

    private func all(_ bag: Bag) -> [String] {
        var said = answers(bag.numbers, probes: [-3, 0, 3]) + answers(bag.fractions, probes: [nil, 0, 1])
        said += answers(bag.texts, probes: ["a", "é", "z"])
        said += answers(bag.things, probes: Array(bag.things))
        func say(_ name: String, _ value: Any?) { said.append("\(name): \(shown(value))") }
        say("sum", bag.numbers.sum())
        say("min", bag.numbers.min())
        say("max", bag.numbers.max())
        let mean: Double? = bag.numbers.average()
        say("average", mean)
        let (least, most): (Double?, Double?) = (bag.fractions.min(), bag.fractions.max())
        say("fractions", [least as Any, most as Any, bag.fractions.sum() as Double])
        say("sorted", Array(bag.numbers.sorted(ascending: false)))
        say("sorted texts", Array(bag.texts.sorted()))
        say("sorted fractions", Array(bag.fractions.sorted()))
        say("filter", Array(bag.numbers.filter("self > %@", 0)))
        say("where", Array(bag.numbers.where { $0 <= 1 && $0 != 0 }))
        say("texts", Array(bag.texts.filter("self ==[c] 'b' OR self BEGINSWITH 'e'")))
        say("index", bag.numbers.index(matching: "self > %@", 0))
        say("typed index", bag.numbers.index(matching: { $0 < 0 }))
        say("text index", bag.texts.index(matching: "self == %@", "é"))
        say("nil index", bag.fractions.index(matching: "self == nil"))
        say("set", Array(bag.set.sorted()))
        say("set sum", bag.set.sum())
        say("set max", bag.set.max())
        say("set distinct", bag.set.distinct().count)
        say("set filter", Array(bag.set.filter("self < 0").sorted()))
        say("map", Array(bag.map.sorted(ascending: false)))
        say("map keys", bag.map.keys)
        say("map sum", bag.map.sum())
        say("map min", bag.map.min())
        say("map filter", Array(bag.map.filter("self > 1")))
        say("map path", bag.map.value(forKeyPath: "@max"))
        say("map value", bag.map.value(forKeyPath: "a"))
        things(bag.things, say)
        return said
    }

    private func things(_ things: List<Thing>, _ say: (String, Any?) -> Void) {
        say("names", things.value(forKey: "name") as [Any])
        say("paths", things.value(forKeyPath: "next.name") as Any?)
        say("@max", things.value(forKeyPath: "@max.size"))
        say("@sum", things.value(forKeyPath: "@sum.size"))
        say("union", things.value(forKeyPath: "@distinctUnionOfObjects.name"))
        say("by name", Array(things.sorted(by: \.name)))
        say("by both", Array(things.sorted(by: [SortDescriptor(keyPath: "size", ascending: false), "name"])))
        say("by path", Array(things.sorted(byKeyPath: "next.size")))
        say("distinct", Array(things.distinct(by: ["name"])))
        say("distinct path", Array(things.distinct(by: ["next.size"])))
        say("sum", things.sum(of: \.size))
        say("min", things.min(of: \.size))
        let mean: Double? = things.average(ofProperty: "size")
        say("average", mean)
        say("matching", things.index(matching: { $0.size > 0 }))
        say("matching path", things.index(matching: "next.size == 1"))
        say("nil", things.index(matching: "next == nil"))
        say("filter", Array(things.where { $0.name.contains("a", options: .caseInsensitive) || $0.size == nil }))
    }
}
