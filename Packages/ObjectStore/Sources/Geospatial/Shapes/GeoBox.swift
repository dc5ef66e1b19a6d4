/// Four corners on the earth, of which two are given: short for the polygon that has them.
///
/// ```swift
/// let box = GeoBox(bottomLeft: (55.6281, 12.0826), topRight: (55.6762, 12.5684))!
/// let people = realm.objects(Person.self).where { $0.location.geoWithin(box) }
/// ```
/// The sides are great circles, as those of a ``GeoPolygon``: between two corners of one latitude a side lies nearer to the pole than the
/// parallel does. A box without an area holds no point, and one that is wider than half of the earth is the other half.
public struct GeoBox: GeoShape {
    /// The corner in the south and west.
    public let bottomLeft: GeoPoint
    /// The corner in the north and east.
    public let topRight: GeoPoint

    /// Creates a box between two corners.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// Creates a box between two corners, each a latitude and a longitude in degrees; nil when a number is outside of its range.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }

    /// The box as a shape of any kind.
    public var region: GeoRegion { .box(self) }
}
