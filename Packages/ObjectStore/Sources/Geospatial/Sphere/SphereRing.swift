import Foundation

/// A closed line of great circles on the sphere, made ready to be asked on which side of it points lie.
///
/// From a point one walks to an axis, a point that no side leads through, along its meridian; each side that is crossed on the way is a
/// change from inside to outside or back. A side is crossed where its ends lie on different sides of the meridian, and a point exactly
/// on it counts to one side always, so that two sides that meet there are crossed together or not at all.
struct SphereRing {
    /// One great circle from a point to the next.
    private struct Side {
        /// The longitude of its beginning around the axis.
        let start: Double
        let end: Double
        /// Points on its left have a positive product with it.
        let normal: SpherePoint
        let isAxisOnLeft: Bool
    }

    private let sides: [Side]
    private let axis: SpherePoint
    private let first: SpherePoint
    private let second: SpherePoint
    private var isAxisInside = false
    /// A circle that holds the inside, by its centre and the square of the chord to its edge; nil when that is too large for one.
    private let bounds: (center: SpherePoint, squaredChord: Double)?

    /// Creates the ring of points that differ, each at most half of the sphere away from the next; the first is not repeated.
    ///
    /// - Complexity: O(*n*) in the count of points.
    init(_ points: [SpherePoint]) {
        let ends = Array(points.dropFirst() + points.prefix(1))
        let normals = zip(points, ends).map { $0.normal(to: $1) }
        let axis = Self.axis(clearOf: normals)
        let first = axis.cross(abs(axis.x) < 0.6 ? SpherePoint(1, 0, 0) : SpherePoint(0, 1, 0)).normalized
        let second = axis.cross(first)
        let longitudes = points.map { atan2($0.dot(second), $0.dot(first)) }
        sides = points.indices.map { index in
            let next = index + 1 < points.count ? index + 1 : 0
            return Side(
                start: longitudes[index],
                end: longitudes[next],
                normal: normals[index],
                isAxisOnLeft: normals[index].dot(axis) > 0
            )
        }
        (self.axis, self.first, self.second) = (axis, first, second)
        let sum = points.reduce(SpherePoint(0, 0, 0)) { $0 + $1 }
        let center = sum.normalized
        let chord = sum.squaredLength > 1e-9 ? points.map { $0.squaredChord(to: center) }.max() ?? 4 : 4
        // Within less than half of the sphere, the way round its outside is more than half, and never the inside.
        bounds = chord < 1.9 ? (center, chord + 1e-12) : nil
        isAxisInside = isAxisOnLeft(points, normals) == (Self.areaOnLeft(points) <= 2 * .pi)
    }

    /// Whether a point is on the smaller side.
    ///
    /// - Complexity: O(*n*) in the count of points, less for those that are far away.
    func contains(_ point: SpherePoint) -> Bool {
        if let bounds, point.squaredChord(to: bounds.center) > bounds.squaredChord { return false }
        let longitude = atan2(point.dot(second), point.dot(first))
        return isAxisInside != isCrossedOddly(from: point, longitude, without: nil)
    }

    /// Whether the way from a point to the axis crosses an odd number of sides.
    private func isCrossedOddly(from point: SpherePoint, _ longitude: Double, without excluded: Int?) -> Bool {
        var isOdd = false
        for (index, side) in sides.enumerated() where index != excluded {
            let (start, end) = (Self.turn(side.start - longitude), Self.turn(side.end - longitude))
            // The shorter way from one end to the other must lead over this meridian, and not over that on the other side.
            guard (start < 0) != (end < 0), abs(start - end) < .pi else { continue }
            if (side.normal.dot(point) > 0) != side.isAxisOnLeft { isOdd.toggle() }
        }
        return isOdd
    }

    /// An angle from -π to below π.
    private static func turn(_ angle: Double) -> Double {
        if angle < -.pi { return angle + 2 * .pi }
        return angle >= .pi ? angle - 2 * .pi : angle
    }

    // MARK: Sides

    /// Whether the axis is on the left of the ring: seen from the middle of its longest side.
    private func isAxisOnLeft(_ points: [SpherePoint], _ normals: [SpherePoint]) -> Bool {
        let longest = normals.indices.max { normals[$0].squaredLength < normals[$1].squaredLength } ?? 0
        let middle = (points[longest] + points[longest + 1 < points.count ? longest + 1 : 0]).normalized
        let longitude = atan2(middle.dot(second), middle.dot(first))
        return sides[longest].isAxisOnLeft != isCrossedOddly(from: middle, longitude, without: longest)
    }

    /// The area on the left of a ring, from 0 to 4π: the sum of the triangles that it makes with its first point.
    private static func areaOnLeft(_ points: [SpherePoint]) -> Double {
        guard let origin = points.first else { return 0 }
        var sum = 0.0
        for (start, end) in zip(points.dropFirst(), points.dropFirst(2)) {
            let volume = origin.dot((start - origin).cross(end - origin))
            sum += 2 * atan2(volume, 1 + origin.dot(start) + start.dot(end) + end.dot(origin))
        }
        let rest = sum.truncatingRemainder(dividingBy: 4 * .pi)
        return rest < 0 ? rest + 4 * .pi : rest
    }

    /// A point through which, and through whose opposite, no side leads: of some that lie about, the one that is farthest from all.
    private static func axis(clearOf normals: [SpherePoint]) -> SpherePoint {
        let lengths = normals.map { $0.squaredLength.squareRoot() }
        var best = candidates[0]
        var bestGap = -1.0
        for candidate in candidates {
            var gap = 2.0
            for (normal, length) in zip(normals, lengths) where length > 0 {
                gap = min(gap, abs(normal.dot(candidate)) / length)
                if gap <= bestGap { break }
            }
            if gap > bestGap { (best, bestGap) = (candidate, gap) }
            if bestGap > 0.05 { break }
        }
        return best
    }

    /// Points all over one half of the sphere, on no line with each other or with the poles.
    private static let candidates: [SpherePoint] = (0..<24)
        .map { number in
            let height = (Double(number) + 0.5) / 24
            let radius = (1 - height * height).squareRoot()
            let angle = 2.399_963 * Double(number) + 0.137
            return SpherePoint(radius * cos(angle), radius * sin(angle), height)
        }
}
