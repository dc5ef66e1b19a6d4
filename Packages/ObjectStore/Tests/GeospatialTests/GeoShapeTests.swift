import Geospatial
import Testing

@Suite("Shapes on the earth")
struct GeoShapeTests {
    @Test(
        "a point has a latitude, a longitude and no negative altitude",
        arguments: [
            (90.0, 180.0, 0.0, true), (-90, -180, 8848, true), (90.1, 0, 0, false), (-90.1, 0, 0, false),
            (0, 180.1, 0, false), (0, -180.1, 0, false), (0, 0, -1, false), (.nan, 0, 0, false), (0, .nan, 0, false),
            (0, 0, .nan, false),
        ]
    )
    func points(latitude: Double, longitude: Double, altitude: Double, isPoint: Bool) {
        let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude)

        #expect((point != nil) == isPoint)
        #expect(point.map { $0.latitude == latitude && $0.altitude == altitude } ?? true)
    }

    @Test("distances are converted, and none is negative")
    func distances() throws {
        let one = try #require(Distance.kilometers(6378.1))

        #expect(one.radians == 1)
        #expect(abs(one.asDegrees() - 57.295779513) < 1e-9)
        #expect(abs(one.asMiles() - 3963.167) < 0.001)
        #expect(one.asMeters() == 6_378_100)
        #expect(abs((Distance.miles(1)?.asKilometers() ?? 0) - 1.609344) < 1e-12)
        #expect(Distance.degrees(180)?.radians == .pi)
        #expect(Distance.fromMeters(1500) == Distance.kilometers(1.5))
        #expect(Distance.fromKilometers(-1) == nil)
        #expect(Distance.fromMiles(-0.1) == nil)
        #expect(Distance.fromDegrees(-1) == nil)
        #expect(Distance.fromRadians(.nan) == nil)
    }

    @Test("shapes are made of points, or of pairs of degrees with the latitude first")
    func forms() throws {
        let low = try #require(GeoPoint(latitude: 1, longitude: 2))
        let high = try #require(GeoPoint(latitude: 3, longitude: 4))
        let ring = [low, high, try #require(GeoPoint(latitude: 0, longitude: 5)), low]
        let radius = try #require(Distance.radians(0.5))

        #expect(GeoBox(bottomLeft: low, topRight: high) == GeoBox(bottomLeft: (1, 2), topRight: (3, 4)))
        #expect(GeoCircle(center: low, radiusInRadians: 0.5) == GeoCircle(center: (1, 2), radius: radius))
        #expect(GeoCircle(center: low, radius: radius) == GeoCircle(center: (1, 2), radiusInRadians: 0.5))
        #expect(GeoPolygon(outerRing: ring) == GeoPolygon(outerRing: [(1, 2), (3, 4), (0, 5), (1, 2)]))
        #expect(GeoPolygon(outerRing: ring)?.holes == nil)
        #expect(GeoBox(bottomLeft: (91, 0), topRight: (0, 0)) == nil)
        #expect(GeoCircle(center: (0, 181), radius: radius) == nil)
        #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
        #expect(GeoPolygon(outerRing: [(1, 2), (3, 4), (0, 500), (1, 2)]) == nil)
    }

    @Test("holes are one array, or one argument each")
    func holes() {
        let outer: [(Double, Double)] = [(-9, -9), (-9, 9), (9, 9), (9, -9), (-9, -9)]
        let first: [(Double, Double)] = [(1, 1), (1, 2), (2, 2), (1, 1)]
        let second: [(Double, Double)] = [(-1, -1), (-1, -2), (-2, -2), (-1, -1)]

        let listed = GeoPolygon(outerRing: outer, holes: [first, second])
        let separate = GeoPolygon(outerRing: outer, holes: first, second)

        #expect(listed?.holes?.count == 2)
        #expect(listed == separate)
    }

    @Test(
        "rings that make no polygon are refused",
        arguments: [
            ("too few points", [[(0.0, 0.0), (1, 1), (0, 0)]]), ("open", [[(0, 0), (1, 1), (1, 0), (0, 0.1)]]),
            ("a point twice", [[(0, 0), (0, 4), (4, 4), (0, 4), (4, 0), (0, 0)]]),
            ("the pole by two names", [[(0, 0), (90, 10), (0, 20), (90, 30), (0, 0)]]),
            ("the other side of the earth", [[(0, 0), (0, 180), (50, 90), (0, 0)]]),
            ("crossing itself", [[(0, 0), (2, 2), (0, 2), (2, 0), (0, 0)]]),
            ("an empty hole", [[(0, 0), (0, 9), (9, 9), (0, 0)], []]),
            ("a hole outside", [[(0, 0), (0, 9), (9, 9), (0, 0)], [(20, 20), (20, 21), (21, 21), (20, 20)]]),
            ("a hole across", [[(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)], [(1, 1), (1, 20), (2, 2), (1, 1)]]),
            ("a hole that is all", [[(0, 0), (0, 9), (9, 9), (0, 0)], [(0, 0), (0, 9), (9, 9), (0, 0)]]),
            ("a side of two", [[(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)], [(0, 0), (0, 9), (5, 5), (0, 0)]]),
            (
                "crossing holes",
                [
                    [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)], [(1, 1), (1, 5), (5, 5), (5, 1), (1, 1)],
                    [(3, 3), (3, 7), (7, 7), (7, 3), (3, 3)],
                ]
            ),
        ] as [(String, [[(Double, Double)]])]
    )
    func refusals(name: String, rings: [[(Double, Double)]]) {
        let polygon = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst()))

        #expect(polygon == nil, "\(name)")
    }

    @Test("rings may share points, and holes may have holes")
    func touching() throws {
        let outer: [(Double, Double)] = [(0, 0), (0, 9), (9, 9), (9, 0), (0, 0)]
        let touching = GeoPolygon(outerRing: outer, holes: [(0, 0), (3, 4), (4, 3), (0, 0)])
        let nested = try #require(
            GeoPolygon(
                outerRing: outer,
                holes: [(1, 1), (1, 8), (8, 8), (8, 1), (1, 1)],
                [(3, 3), (3, 6), (6, 6), (6, 3), (3, 3)]
            )
        )

        #expect(touching != nil)
        let area = GeoArea(nested)
        #expect(area.contains(latitude: 0.5, longitude: 0.5))
        #expect(!area.contains(latitude: 2, longitude: 2))
        #expect(area.contains(latitude: 4.5, longitude: 4.5))
    }

    @Test("a shape is its bytes, and nothing else is a shape")
    func bytes() throws {
        let ring: [(Double, Double)] = [(0, 0), (0, 9), (9, 9), (0, 0)]
        let shapes: [GeoRegion?] = [
            GeoBox(bottomLeft: (1, 2), topRight: (3, 4))?.region,
            GeoCircle(center: (1, 2), radiusInRadians: 0.5)?.region,
            GeoPolygon(outerRing: ring, holes: [(1, 2), (1, 3), (2, 3), (1, 2)])?.region,
        ]
        for shape in shapes {
            let shape = try #require(shape)
            #expect(GeoRegion(bytes: shape.bytes) == shape)
            for count in shape.bytes.indices { #expect(GeoRegion(bytes: shape.bytes.prefix(count)) != shape) }
            #expect(GeoRegion(bytes: shape.bytes + [0]) == nil)
        }
        #expect(GeoRegion(bytes: [UInt8]()) == nil)
        #expect(GeoRegion(bytes: [9] + [UInt8](repeating: 0, count: 32)) == nil)
    }
}
