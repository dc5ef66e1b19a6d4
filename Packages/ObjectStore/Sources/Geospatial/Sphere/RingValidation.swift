/// Checks that rings make a polygon.
enum RingValidation {
    /// One side of one of the rings, with a ball around it.
    private struct Side {
        let start: SpherePoint
        let end: SpherePoint
        let lowest: Double
        let highest: Double

        init(_ start: SpherePoint, _ end: SpherePoint) {
            self.start = start
            self.end = end
            // No point of a great circle is farther from its middle than its ends.
            let middle = (start + end).normalized
            let reach = middle.squaredChord(to: start).squareRoot() + 1e-12
            lowest = middle.z - reach
            highest = middle.z + reach
        }

        /// Whether both lead through one point that is inside each of them.
        func crosses(_ other: Side) -> Bool {
            let (normal, otherNormal) = (start.normal(to: end), other.start.normal(to: other.end))
            let products = [
                -normal.dot(other.start), -otherNormal.dot(end), normal.dot(other.end), otherNormal.dot(start),
            ]
            return products.allSatisfy { $0 > 0 } || products.allSatisfy { $0 < 0 }
        }

        func isSame(as other: Side) -> Bool {
            (start == other.start && end == other.end) || (start == other.end && end == other.start)
        }

        func meets(_ other: Side) -> Bool {
            start == other.start || start == other.end || end == other.start || end == other.end
        }
    }

    /// Whether the rings, of which the first is around the others, make a polygon.
    static func isPolygon(_ rings: [[GeoPoint]]) -> Bool {
        var closed: [[SpherePoint]] = []
        for ring in rings {
            guard let points = points(of: ring) else { return false }
            closed.append(points)
        }
        guard let outer = closed.first, areApart(closed.flatMap(sides)) else { return false }
        let ring = SphereRing(outer)
        return closed.dropFirst().allSatisfy { isInside($0, ring, outer) }
    }

    /// The points of a ring without the one that closes it; nil when they make no ring.
    private static func points(of ring: [GeoPoint]) -> [SpherePoint]? {
        let points = ring.map { SpherePoint($0) }
        guard points.count >= 4, points.first == points.last else { return nil }
        let ends = Array(points.dropLast())
        let sorted = ends.sorted { ($0.x, $0.y, $0.z) < ($1.x, $1.y, $1.z) }
        guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0 != $1 }) else { return nil }
        // From a point to its opposite all ways are equally long.
        guard zip(points, points.dropFirst()).allSatisfy({ ($0 + $1).squaredLength > 1e-24 }) else { return nil }
        return ends
    }

    private static func sides(of ring: [SpherePoint]) -> [Side] {
        ring.indices.map { Side(ring[$0], ring[$0 + 1 < ring.count ? $0 + 1 : 0]) }
    }

    /// Whether no two sides cross or are the same.
    private static func areApart(_ sides: [Side]) -> Bool {
        let sides = sides.sorted { $0.lowest < $1.lowest }
        for (index, side) in sides.enumerated() {
            for other in sides[(index + 1)...] {
                guard other.lowest <= side.highest else { break }
                if side.isSame(as: other) || (!side.meets(other) && side.crosses(other)) { return false }
            }
        }
        return true
    }

    /// Whether a ring that crosses no other is inside of one: any point of it says so that the two do not share.
    private static func isInside(_ points: [SpherePoint], _ ring: SphereRing, _ outer: [SpherePoint]) -> Bool {
        if let own = points.first(where: { !outer.contains($0) }) { return ring.contains(own) }
        return ring.contains((points[0] + points[1]).normalized)
    }
}
