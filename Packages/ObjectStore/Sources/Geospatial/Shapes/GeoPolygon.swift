/// The inside of a ring on the earth, without that of the holes in it.
///
/// ```swift
/// let area = GeoPolygon(
///     outerRing: [(-2, -2), (-2, 2), (2, 2), (2, -2), (-2, -2)],
///     holes: [[(0, 0), (1, 1), (-1, 1), (0, 0)]]
/// )!
/// let inside = realm.objects(Person.self).where { $0.location.geoWithin(area) }
/// ```
/// Sides are great circles, the shorter way from one point to the next. Of the two sides of a ring, the smaller one is its inside, in
/// whichever direction its points go round. Holes may have holes: what lies in an odd number of rings is in the polygon.
///
/// Every initialiser returns nil where the rings make no polygon:
/// - a ring has less than four points, or does not end where it begins;
/// - a point appears twice in a ring, or the next one lies on the opposite side of the earth;
/// - two sides cross, or two rings have a side in common;
/// - a hole is not inside the outer ring.
///
/// Whether a place exactly on a side is inside is not said. To make a polygon costs O(*n* log *n*) in the count of points where sides
/// are short, and O(*n*²) at worst.
public struct GeoPolygon: GeoShape {
    /// The points of the ring around the polygon, the last of which is the first one.
    public let outerRing: [GeoPoint]
    private let inner: [[GeoPoint]]

    /// The rings of the holes; nil when there is none.
    public var holes: [[GeoPoint]]? { inner.isEmpty ? nil : inner }

    /// All rings, the outer one first.
    package var rings: [[GeoPoint]] { [outerRing] + inner }

    /// Creates a polygon; nil when the rings make none.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]) {
        guard RingValidation.isPolygon([outerRing] + holes) else { return nil }
        self.outerRing = outerRing
        inner = holes
    }

    /// Creates a polygon, with the ring of each hole; nil when the rings make none.
    public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// Creates a polygon of latitudes and longitudes in degrees; nil when one is outside of its range, or the rings make no polygon.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]) {
        guard let outerRing = Self.points(outerRing) else { return nil }
        var inner: [[GeoPoint]] = []
        for hole in holes {
            guard let points = Self.points(hole) else { return nil }
            inner.append(points)
        }
        self.init(outerRing: outerRing, holes: inner)
    }

    /// Creates a polygon of latitudes and longitudes in degrees, with the ring of each hole; nil as for an array of holes.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// Creates the polygon that was written as bytes before; nil when a ring is too short to be one.
    init?(known rings: [[GeoPoint]]) {
        guard let outer = rings.first, rings.allSatisfy({ $0.count >= 4 }) else { return nil }
        outerRing = outer
        inner = Array(rings.dropFirst())
    }

    private static func points(_ pairs: [(Double, Double)]) -> [GeoPoint]? {
        let points = pairs.compactMap { GeoPoint($0) }
        return points.count == pairs.count ? points : nil
    }

    /// The polygon as a shape of any kind.
    public var region: GeoRegion { .polygon(self) }
}
