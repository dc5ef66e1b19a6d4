import Foundation

/// A shape that is made ready to be asked for many points.
///
/// ```swift
/// let area = GeoArea(circle)
/// area.contains(latitude: 46.9, longitude: 7.4)
/// ```
public struct GeoArea: Sendable {
    private enum Content {
        /// Within a chord of a point, by its square.
        case circle(SpherePoint, Double)
        /// In an odd number of rings.
        case rings([SphereRing])
    }

    private let content: Content

    /// Prepares a shape.
    ///
    /// - Complexity: O(*n*) in the count of its points.
    public init(_ shape: some GeoShape) {
        switch shape.region {
        case .circle(let circle):
            let radius = circle.radiusInRadians
            let chord = 2 * sin(min(radius, .pi) / 2)
            // The rounding of two points must not put out what lies exactly at the distance.
            content = .circle(SpherePoint(circle.center), radius >= .pi ? 5 : chord * chord * (1 + 1e-13) + 1e-30)
        case .polygon(let polygon):
            content = .rings(polygon.rings.map { ring in SphereRing(ring.dropLast().map { SpherePoint($0) }) })
        case .box(let box):
            content = .rings(Self.ring(box).map { [$0] } ?? [])
        }
    }

    /// The ring of a box; nil when it has no area.
    private static func ring(_ box: GeoBox) -> SphereRing? {
        let (low, high) = (box.bottomLeft, box.topRight)
        let corners = [
            SpherePoint(low), SpherePoint(latitude: low.latitude, longitude: high.longitude), SpherePoint(high),
            SpherePoint(latitude: high.latitude, longitude: low.longitude),
        ]
        // At a pole two corners are one.
        var points: [SpherePoint] = []
        for corner in corners where !points.contains(corner) { points.append(corner) }
        return points.count < 3 ? nil : SphereRing(points)
    }

    /// Whether a point lies in the shape; false when a number is outside of its range.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator.
    ///   - longitude: Degrees east of Greenwich.
    /// - Returns: Whether it is inside; a point on the edge of a circle is.
    /// - Complexity: O(*n*) in the count of the shape's points, O(1) for most points that are far away.
    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return false }
        let point = SpherePoint(latitude: latitude, longitude: longitude)
        switch content {
        case .circle(let center, let squaredChord): return point.squaredChord(to: center) <= squaredChord
        case .rings(let rings): return rings.count { $0.contains(point) } % 2 == 1
        }
    }
}
