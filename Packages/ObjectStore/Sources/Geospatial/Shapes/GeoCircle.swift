/// All places on the earth that lie within a distance of one.
///
/// ```swift
/// let circle = GeoCircle(center: (47.3, -121.9), radiusInRadians: 0.25)!
/// let near = realm.objects(Company.self).where { $0.location.geoWithin(circle) }
/// ```
/// A place that lies exactly at the distance belongs to the circle.
public struct GeoCircle: GeoShape {
    /// The centre.
    public let center: GeoPoint
    /// The radius as an angle at the centre of the earth; from π on the circle is the whole earth.
    public let radiusInRadians: Double

    /// Creates a circle.
    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radiusInRadians = radius.radians
    }

    /// Creates a circle; nil when the radius is negative.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard let radius = Distance.radians(radiusInRadians) else { return nil }
        self.init(center: center, radius: radius)
    }

    /// Creates a circle around a latitude and a longitude in degrees; nil when one is outside of its range.
    public init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }

    /// Creates a circle around a latitude and a longitude in degrees; nil when one is outside of its range, or the radius is negative.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// The circle as a shape of any kind.
    public var region: GeoRegion { .circle(self) }
}
