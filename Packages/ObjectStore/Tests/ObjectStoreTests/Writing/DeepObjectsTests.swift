import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Objects that lead to each other, many times over")
struct DeepObjectsTests {
    enum Way: CaseIterable {
        case link, anyObject, anyList, list, set, map
    }

    private static let count = 3000

    /// A chain of objects that no realm has, each with the name that is given; it begins with the last key, so that keys differ from places.
    private static func chain(_ way: Way, named name: String, last: Int = 0) -> [Ring] {
        let rings = (0..<count).map { Ring(value: ["id": $0 + last, "name": name]) }
        for (ring, next) in zip(rings, rings.dropFirst()) { ring.lead(to: next, way) }
        return rings
    }

    private static func realm() throws -> (file: TemporaryRealm, realm: Realm) {
        let file = try TemporaryRealm([Ring.self])
        return (file, try file.open())
    }

    /// The objects that the first one leads to, itself among them, until one comes again.
    private static func walk(from first: Ring, _ way: Way) -> [Int] {
        var keys: [Int] = []
        var next: Ring? = first
        while let ring = next, keys.count <= count {
            keys.append(ring.id)
            next = ring.next(way)
        }
        return keys
    }

    @Test(
        "a chain of thousands is added on a thread with a small stack, whatever leads from one to the next",
        arguments: Way.allCases
    )
    func added(_ way: Way) async throws {
        try await onSmallStack {
            let (file, realm) = try Self.realm()
            defer { withExtendedLifetime(file) {} }
            let rings = Self.chain(way, named: "new")

            try realm.write { realm in realm.add(rings[0]) }

            #expect(realm.objects(Ring.self).count == Self.count)
            #expect(Self.walk(from: rings[0], way) == Array(0..<Self.count))
            #expect(rings.allSatisfy { $0.realm == realm && $0.name == "new" })
        }
    }

    @Test(
        "a chain of thousands takes the place of one that is there",
        arguments: Way.allCases,
        [Realm.UpdatePolicy.all, .modified]
    )
    func updated(_ way: Way, _ policy: Realm.UpdatePolicy) async throws {
        try await onSmallStack {
            let (file, realm) = try Self.realm()
            defer { withExtendedLifetime(file) {} }
            let old = Self.chain(way, named: "old")
            try realm.write { realm in realm.add(old[0]) }

            let new = Self.chain(way, named: "new")
            try realm.write { realm in realm.add(new[0], update: policy) }

            #expect(realm.objects(Ring.self).where { $0.name == "new" }.count == Self.count)
            #expect(Self.walk(from: old[0], way) == Array(0..<Self.count))
        }
    }

    @Test("a circle of thousands ends where it began", arguments: Way.allCases)
    func circle(_ way: Way) async throws {
        try await onSmallStack {
            let (file, realm) = try Self.realm()
            defer { withExtendedLifetime(file) {} }
            let rings = Self.chain(way, named: "new")
            rings[Self.count - 1].lead(to: rings[0], way)

            try realm.write { realm in realm.add(rings[Self.count / 2]) }

            #expect(realm.objects(Ring.self).count == Self.count)
            #expect(Self.walk(from: rings[0], way) == Array(0..<Self.count) + [0])
        }
    }

    @Test(
        "a link that is assigned brings its chain, and a chain that ends with a key that is there leaves nothing behind"
    )
    func assigned() throws {
        let (file, realm) = try Self.realm()
        defer { withExtendedLifetime(file) {} }
        let first = Ring(value: ["id": -1])
        try realm.write { realm in realm.add(first) }
        let rings = Self.chain(.link, named: "new")
        try realm.write { first.link = rings[0] }
        #expect(Self.walk(from: first, .link).count == Self.count + 1)

        // The last of them has the key of the first.
        let doomed = Self.chain(.list, named: "doomed", last: Self.count)
        doomed[Self.count - 1].lead(to: Ring(value: ["id": 0]), .link)
        #expect(throws: Realm.Error.self) { try realm.write { realm in realm.add(doomed[0]) } }
        #expect(realm.objects(Ring.self).count == Self.count + 1)

        try realm.write { realm in realm.add(Self.chain(.map, named: "later", last: 2 * Self.count)[0]) }
        #expect(realm.objects(Ring.self).count == 2 * Self.count + 1)
    }

    final class Ring: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var link: Ring?
        @Persisted var any: AnyRealmValue
        @Persisted var list: List<Ring>
        @Persisted var set: MutableSet<Ring>
        @Persisted var map: Map<String, Ring?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        func lead(to next: Ring, _ way: Way) {
            switch way {
            case .link: link = next
            case .anyObject: any = .object(next)
            case .anyList: any = .fromArray([.int(1), .fromDictionary(["next": .object(next)])])
            case .list: list.append(next)
            case .set: set.insert(next)
            case .map: map["next"] = next
            }
        }

        func next(_ way: Way) -> Ring? {
            switch way {
            case .link: link
            case .anyObject: any.object(Ring.self)
            case .anyList: any.listValue?[1].dictionaryValue?["next"]?.object(Ring.self)
            case .list: list.first
            case .set: set.first
            case .map: map["next"] ?? nil
            }
        }
    }
}
