import EventModelTesting
import Foundation
import Geospatial
import Testing

/// A latitude and a longitude in degrees.
private typealias Place = (latitude: Double, longitude: Double)

/// The point of a place in space.
private func space(_ place: Place) -> [Double] {
    let (up, around) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return [cos(up) * cos(around), cos(up) * sin(around), sin(up)]
}

private func dot(_ left: [Double], _ right: [Double]) -> Double {
    left[0] * right[0] + left[1] * right[1] + left[2] * right[2]
}

private func cross(_ left: [Double], _ right: [Double]) -> [Double] {
    [
        left[1] * right[2] - left[2] * right[1], left[2] * right[0] - left[0] * right[2],
        left[0] * right[1] - left[1] * right[0],
    ]
}

/// Kilometres between two places, by the haversine formula.
private func kilometers(_ left: Place, _ right: Place) -> Double {
    let (first, second) = (left.latitude * .pi / 180, right.latitude * .pi / 180)
    let turn = (right.longitude - left.longitude) * .pi / 180
    let half = pow(sin((second - first) / 2), 2) + cos(first) * cos(second) * pow(sin(turn / 2), 2)
    return 2 * 6378.1 * asin(min(1, half.squareRoot()))
}

@Suite("Points in shapes on the earth")
struct GeoAreaTests {
    private func place(_ random: inout SeededGenerator) -> Place {
        // Evenly over the sphere, so that the poles are not crowded.
        let height = Double.random(in: -1...1, using: &random)
        return (asin(height) * 180 / .pi, Double.random(in: -180...180, using: &random))
    }

    /// A place at a distance from another one, in degrees, in a direction.
    private func place(_ center: Place, _ distance: Double, _ direction: Double) -> Place {
        let (up, far, turn) = (center.latitude * .pi / 180, distance * .pi / 180, direction * .pi / 180)
        let latitude = asin(sin(up) * cos(far) + cos(up) * sin(far) * cos(turn))
        let longitude =
            center.longitude * .pi / 180
            + atan2(sin(turn) * sin(far) * cos(up), cos(far) - sin(up) * sin(latitude))
        var degrees = longitude * 180 / .pi
        if degrees > 180 { degrees -= 360 }
        if degrees < -180 { degrees += 360 }
        return (latitude * 180 / .pi, degrees)
    }

    @Test(
        "known distances between cities are those of circles",
        arguments: [
            ("Copenhagen and Malmö", (55.6761, 12.5683), (55.6050, 13.0038), 28.45),
            ("London and Paris", (51.5074, -0.1278), (48.8566, 2.3522), 343.9),
            ("Auckland and Santiago", (-36.8485, 174.7633), (-33.4489, -70.6693), 9672.0),
            ("the poles", (90, 0), (-90, 0), 6378.1 * .pi),
            ("Fiji and Samoa, across the date line", (-17.7134, 178.0650), (-13.7590, -172.1046), 1141.0),
        ] as [(String, (Double, Double), (Double, Double), Double)]
    )
    func cities(name: String, first: (Double, Double), second: (Double, Double), distance: Double) throws {
        let smaller = try #require(Distance.kilometers(distance * 0.99))
        let greater = try #require(Distance.kilometers(distance * 1.01))
        let near = try #require(GeoCircle(center: first, radius: smaller))
        let far = try #require(GeoCircle(center: first, radius: greater))

        #expect(!GeoArea(near).contains(latitude: second.0, longitude: second.1), "\(name)")
        #expect(GeoArea(far).contains(latitude: second.0, longitude: second.1), "\(name)")
    }

    @Test("a circle holds what is near by the haversine formula, wherever it lies")
    func circles() throws {
        let seed: UInt64 = 71
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let (center, point) = (place(&random), place(&random))
            let distance = kilometers(center, point)
            let radius = Double.random(in: 0...20_037, using: &random)
            guard abs(distance - radius) > 0.001 else { continue }
            let far = try #require(Distance.kilometers(radius))
            let circle = try #require(GeoCircle(center: (center.latitude, center.longitude), radius: far))

            let isInside = GeoArea(circle).contains(latitude: point.latitude, longitude: point.longitude)

            #expect(isInside == (distance < radius), "seed \(seed): \(center), \(point), \(radius) km")
        }
    }

    @Test("a point is in its circle of radius 0, and a circle of half a turn is the whole earth")
    func extremes() throws {
        let point = try #require(GeoCircle(center: (47.3, -121.9), radiusInRadians: 0))
        let all = try #require(GeoCircle(center: (0, 0), radiusInRadians: .pi))

        #expect(GeoArea(point).contains(latitude: 47.3, longitude: -121.9))
        #expect(!GeoArea(point).contains(latitude: 47.3, longitude: -121.900001))
        #expect(GeoArea(all).contains(latitude: 0, longitude: 180))
        #expect(!GeoArea(all).contains(latitude: 91, longitude: 0))
        #expect(!GeoArea(all).contains(latitude: .nan, longitude: 0))
    }

    @Test("a convex polygon holds what is on the same side of all of its sides, in whichever direction it goes round")
    func convex() throws {
        let seed: UInt64 = 72
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1500 {
            let center = place(&random)
            let radius = pow(10, Double.random(in: -3...1.9, using: &random))
            let directions = (0..<Int.random(in: 3...12, using: &random))
                .map { _ in Double.random(in: 0..<360, using: &random) }.sorted()
            // Without the centre inside, a side could be on either side of it; points too near make no ring.
            let gaps = zip(directions, directions.dropFirst() + [directions[0] + 360]).map { $1 - $0 }
            guard gaps.allSatisfy({ (1..<175).contains($0) }) else { continue }
            var corners = directions.map { place(center, radius, $0) }
            if Bool.random(using: &random) { corners.reverse() }
            let ring = (corners + [corners[0]]).map { ($0.latitude, $0.longitude) }
            let area = GeoArea(try #require(GeoPolygon(outerRing: ring)))
            let middle = space(center)
            let normals = zip(corners, corners.dropFirst() + [corners[0]]).map { cross(space($0), space($1)) }
            let sides = normals.map { normal in dot(normal, middle) < 0 ? normal.map { -$0 } : normal }

            for _ in 0..<20 {
                let point =
                    Bool.random(using: &random)
                    ? place(&random)
                    : place(
                        center,
                        Double.random(in: 0...(1.5 * radius), using: &random),
                        Double.random(in: 0..<360, using: &random)
                    )
                let products = sides.map { dot($0, space(point)) / dot($0, $0).squareRoot() }
                guard products.allSatisfy({ abs($0) > 1e-12 }) else { continue }

                let isInside = area.contains(latitude: point.latitude, longitude: point.longitude)

                #expect(isInside == products.allSatisfy { $0 > 0 }, "seed \(seed): \(ring), \(point)")
            }
        }
    }

    @Test("two polygons that share a side hold each point near it once, also where a corner has its longitude")
    func halves() throws {
        let seed: UInt64 = 73
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let center = place(&random)
            let corners = [0.0, 90, 180, 270].map { place(center, 5, $0) }.map { ($0.latitude, $0.longitude) }
            let middle = (center.latitude, center.longitude)
            let fan = try (0..<4)
                .map { index in
                    let (one, two) = (corners[index], corners[(index + 1) % 4])
                    return GeoArea(try #require(GeoPolygon(outerRing: [middle, one, two, middle])))
                }
            for _ in 0..<20 {
                // On the sides and beside them.
                let direction =
                    Double(Int.random(in: 0..<4, using: &random) * 90) + Double.random(in: -1e-6...1e-6, using: &random)
                let point = place(center, Double.random(in: 0.01...4, using: &random), direction)

                let count = fan.count { $0.contains(latitude: point.latitude, longitude: point.longitude) }

                #expect(count == 1, "seed \(seed): \(center), \(point)")
            }
        }
    }

    @Test(
        "a box has the corners that are given, also over the date line and at a pole",
        arguments: [
            ((55.6281, 12.0826), (55.6762, 12.5684), (55.6761, 12.5683), true),
            ((55.6281, 12.0826), (55.6762, 12.5684), (55.6761, 12.5690), false),
            ((-10, 170), (10, -170), (0, 180), true), ((-10, 170), (10, -170), (0, -175), true),
            ((-10, 170), (10, -170), (0, 0), false), ((60, 0), (90, 90), (80, 45), true),
            ((60, 0), (90, 90), (80, 100), false), ((-90, -40), (-60, 40), (-89.9, 0), true),
            // The northern side is a great circle: in its middle it is nearer to the pole than its ends.
            ((40, -30), (50, 30), (52, 0), true), ((40, -30), (50, 30), (41, 0), false),
            // Upside down it is the same; without an area it is nothing.
            ((10, 10), (0, 0), (5, 5), true), ((10, 10), (10, 20), (10, 15), false),
            ((10, 10), (10, 10), (10, 10), false),
            // Wider than half of the earth it is the other half.
            ((-10, -100), (10, 100), (0, 180), true), ((-10, -100), (10, 100), (0, 0), false),
        ] as [((Double, Double), (Double, Double), (Double, Double), Bool)]
    )
    func boxes(low: (Double, Double), high: (Double, Double), point: (Double, Double), isInside: Bool) throws {
        let box = try #require(GeoBox(bottomLeft: low, topRight: high))

        #expect(GeoArea(box).contains(latitude: point.0, longitude: point.1) == isInside)
    }

    @Test("a hole is no part of a polygon, and a polygon around a pole holds it")
    func holes() throws {
        let ring = stride(from: -180.0, to: 180, by: 30).map { (60.0, $0) } + [(60.0, -180.0)]
        let hole = stride(from: -180.0, to: 180, by: 45).map { (80.0, $0) } + [(80.0, -180.0)]
        let whole = GeoArea(try #require(GeoPolygon(outerRing: ring)))
        let holed = GeoArea(try #require(GeoPolygon(outerRing: ring, holes: hole)))

        #expect(whole.contains(latitude: 90, longitude: 0))
        #expect(whole.contains(latitude: 70, longitude: 13))
        #expect(!whole.contains(latitude: 50, longitude: 13))
        #expect(!holed.contains(latitude: 90, longitude: 0))
        #expect(holed.contains(latitude: 70, longitude: 13))
    }

    @Test("a polygon of many points that is no wider than a garden is as exact as a country")
    func many() throws {
        let center: Place = (46.9480, 7.4474)
        let corners = (0..<4000)
            .map { index in
                place(center, (index % 2 == 0 ? 1 : 0.5) * 0.0001, Double(index) * 0.09)
            }
        let ring = (corners + [corners[0]]).map { ($0.latitude, $0.longitude) }
        let area = GeoArea(try #require(GeoPolygon(outerRing: ring)))

        #expect(area.contains(latitude: center.latitude, longitude: center.longitude))
        for index in stride(from: 0, to: 4000, by: 20) {
            let tip = place(center, 0.000099, Double(index) * 0.09)
            let notch = place(center, 0.000060, Double(index + 1) * 0.09)
            #expect(area.contains(latitude: tip.latitude, longitude: tip.longitude))
            #expect(!area.contains(latitude: notch.latitude, longitude: notch.longitude))
        }
    }
}
