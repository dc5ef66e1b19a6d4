import ObjectStore
import ObjectStoreTesting
import Testing

private final class GeoHarbour: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var location: HarbourPlace?
    @Persisted var buoys: List<HarbourPlace>
    @Persisted var nearest: GeoHarbour?
    @Persisted var lights: Map<String, HarbourPlace?>
}

private final class HarbourPlace: EmbeddedObject {
    @Persisted var type: String = "Point"
    @Persisted var coordinates: List<Double>

    convenience init(_ latitude: Double, _ longitude: Double) {
        self.init()
        coordinates.append(objectsIn: [longitude, latitude])
    }
}

private final class HarbourCourse: EmbeddedObject {
    @Persisted var type: String = "Point"
    @Persisted var coordinates: List<Int>
}

private final class HarbourShip: Object {
    @Persisted var name: String
    @Persisted var course: HarbourCourse?
}

@Suite("Queries for points in shapes")
struct GeoQueryTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private var harbours: Results<GeoHarbour> { realm.objects(GeoHarbour.self) }

    init() throws {
        file = try TemporaryRealm([GeoHarbour.self, HarbourPlace.self, HarbourShip.self, HarbourCourse.self])
        realm = try file.open()
        let unmanaged = Self.unmanaged
        try realm.write { realm in realm.add(unmanaged) }
    }

    private static var unmanaged: [GeoHarbour] {
        func harbour(_ name: String, _ place: HarbourPlace?) -> GeoHarbour {
            let harbour = GeoHarbour()
            harbour.name = name
            harbour.location = place
            return harbour
        }
        let copenhagen = harbour("Copenhagen", HarbourPlace(55.6761, 12.5683))
        let malmo = harbour("Malmö", HarbourPlace(55.6050, 13.0038))
        malmo.nearest = copenhagen
        malmo.buoys.append(objectsIn: [HarbourPlace(55.6, 13), HarbourPlace(10, 10)])
        malmo.lights["north"] = HarbourPlace(55.7, 12.9)
        let suva = harbour("Suva", HarbourPlace(-18.1248, 178.4501))
        let none = harbour("None", nil)
        let broken = harbour("Broken", HarbourPlace(55.6761, 12.5683))
        broken.location?.type = "Polygon"
        let short = harbour("Short", HarbourPlace())
        short.location?.coordinates.append(12.5683)
        let wild = harbour("Wild", HarbourPlace(555, 12.5683))
        let numberless = harbour("NaN", HarbourPlace(.nan, 12.5683))
        let high = harbour("High", HarbourPlace(55.6761, 12.5683))
        high.location?.coordinates.append(300)
        return [copenhagen, malmo, suva, none, broken, short, wild, numberless, high]
    }

    /// Expects that the typed and the text form find the same harbours, managed or not.
    private func expect(
        _ shape: some GeoShape,
        _ literal: String,
        finds names: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let loose = List<GeoHarbour>()
        loose.append(objectsIn: Self.unmanaged)
        let typed = harbours.where { $0.location.geoWithin(shape) }
        let looseTyped = loose.where { $0.location.geoWithin(shape) }
        let negated = harbours.where { !$0.location.geoWithin(shape) }
        let text = harbours.filter("location geoWithin %@", shape)
        let membership = harbours.filter("location IN %@", shape)
        let written = try harbours.filter(parsing: "location GEOWITHIN \(literal)")
        #expect(typed.map(\.name).sorted() == names, sourceLocation: sourceLocation)
        #expect(looseTyped.map(\.name).sorted() == names, sourceLocation: sourceLocation)
        #expect(text.map(\.name).sorted() == names, sourceLocation: sourceLocation)
        #expect(membership.map(\.name).sorted() == names, sourceLocation: sourceLocation)
        #expect(written.map(\.name).sorted() == names, sourceLocation: sourceLocation)
        #expect(negated.count == harbours.count - names.count, sourceLocation: sourceLocation)
    }

    @Test("a box, a circle and a polygon find the points in them, typed, as an argument and written out")
    func shapes() throws {
        let box = try #require(GeoBox(bottomLeft: (55.6281, 12.0826), topRight: (55.6762, 12.5684)))
        let radius = try #require(Distance.kilometers(30))
        let circle = try #require(GeoCircle(center: (55.6761, 12.5683), radius: radius))
        let dateLine = try #require(GeoBox(bottomLeft: (-20, 170), topRight: (-10, -170)))
        let polygon = try #require(
            GeoPolygon(
                outerRing: [(55, 12), (55, 14), (56, 14), (56, 12), (55, 12)],
                holes: [[(55.67, 12.5), (55.67, 12.6), (55.68, 12.6), (55.67, 12.5)]]
            )
        )

        try expect(box, "geoBox([12.0826, 55.6281], [12.5684, 55.6762])", finds: ["Copenhagen", "High"])
        try expect(circle, "geoCircle([12.5683, 55.6761], \(radius.radians))", finds: ["Copenhagen", "High", "Malmö"])
        try expect(dateLine, "geoBox([170, -20], [-170, -10, 0])", finds: ["Suva"])
        try expect(
            polygon,
            "geoPolygon({[12, 55], [14, 55], [14, 56], [12, 56], [12, 55]}, {[12.5, 55.67], [12.6, 55.67], [12.6, 55.68], [12.5, 55.67]})",
            finds: ["Malmö"]
        )
    }

    @Test("a condition leads through links and collections, and is combined with others")
    func paths() throws {
        let circle = try #require(GeoCircle(center: (55.6761, 12.5683), radiusInRadians: 0.001))
        let wide = try #require(GeoCircle(center: (55.6, 13), radiusInRadians: 0.01))

        let linked = harbours.where { $0.nearest.location.geoWithin(circle) }
        let any = harbours.where { $0.buoys.geoWithin(wide) && $0.name == "Malmö" }
        let text = harbours.filter("ANY buoys geoWithin %@ AND name == 'Malmö'", wide)
        let none = harbours.filter("NONE buoys IN %@", wide)
        let lights = harbours.where { $0.lights.geoWithin(wide) }
        let counted = harbours.filter("SUBQUERY(buoys, $b, $b geoWithin %@).@count == 1", wide)

        #expect(linked.map(\.name) == ["Malmö"])
        #expect(any.count == 1)
        #expect(text.count == 1)
        #expect(none.count == harbours.count - 1)
        #expect(lights.map(\.name) == ["Malmö"])
        #expect(counted.map(\.name) == ["Malmö"])
        let malmo = try #require(realm.object(ofType: GeoHarbour.self, forPrimaryKey: "Malmö"))
        #expect(malmo.buoys.filter("self geoWithin %@", wide).count == 1)
        #expect(malmo.buoys.where { $0.geoWithin(wide) }.count == 1)
    }

    @Test("what a query finds follows the points, and the same query takes another shape")
    func live() throws {
        let near = try #require(GeoCircle(center: (0, 0), radiusInRadians: 0.01))
        let found = harbours.where { $0.location.geoWithin(near) }
        #expect(found.isEmpty)

        try realm.write { realm in
            let suva = realm.object(ofType: GeoHarbour.self, forPrimaryKey: "Suva")
            suva?.location?.coordinates[0] = 0
            suva?.location?.coordinates[1] = 0.1
        }

        #expect(found.map(\.name) == ["Suva"])
        let far = try #require(GeoCircle(center: (55.6050, 13.0038), radiusInRadians: 0.0001))
        #expect(harbours.where { $0.location.geoWithin(far) }.map(\.name) == ["Malmö"])
    }

    @Test(
        "what is no point, and what is no shape, is refused with a sentence",
        arguments: [
            "name geoWithin geoBox([0, 0], [1, 1])", "nearest geoWithin geoCircle([0, 0], 1)",
            "location geoWithin geoCircle([0, 0], -1)", "location geoWithin geoBox([0, 91], [1, 1])",
            "location geoWithin geoPolygon({[0, 0], [1, 1], [0, 0]})", "location geoWithin geoBall([0, 0], 1)",
            "location geoWithin 5", "location geoWithin", "location geoWithin[c] geoCircle([0, 0], 1)",
            "5 geoWithin geoCircle([0, 0], 1)", "location geoWithin geoBox([0, 0])",
        ]
    )
    func refusals(_ format: String) {
        #expect(throws: Realm.Error.self) { try harbours.filter(parsing: format) }
    }

    @Test("coordinates must be doubles, and an argument must be a shape")
    func types() throws {
        let circle = try #require(GeoCircle(center: (0, 0), radiusInRadians: 1))

        #expect(throws: Realm.Error.self) {
            try realm.objects(HarbourShip.self).filter(parsing: "course geoWithin %@", [circle])
        }
        #expect(throws: Realm.Error.self) { try harbours.filter(parsing: "location geoWithin %@", ["somewhere"]) }
        #expect(throws: Realm.Error.self) { try harbours.filter(parsing: "location IN[c] %@", [circle]) }
        #expect(throws: Realm.Error.self) { try harbours.filter(parsing: "name IN %@", [circle]) }
    }
}
