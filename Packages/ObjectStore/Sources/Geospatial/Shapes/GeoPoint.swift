/// A place on the earth by its latitude and longitude, of which shapes are made.
///
/// ```swift
/// let bern = GeoPoint(latitude: 46.948, longitude: 7.447)!
/// ```
/// A point is an argument of queries and not the type of a property: places are kept in embedded objects with a `type` that is "Point"
/// and `coordinates`, the longitude first.
public struct GeoPoint: Sendable, Hashable {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double
    /// Metres above the sea, at least 0; no query asks for it.
    public let altitude: Double

    /// Creates a point; nil when a number is outside of its range.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator, from -90 to 90.
    ///   - longitude: Degrees east of Greenwich, from -180 to 180.
    ///   - altitude: Metres above the sea, at least 0.
    public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// Creates the point of a pair of degrees, the latitude first.
    init?(_ pair: (latitude: Double, longitude: Double)) {
        self.init(latitude: pair.latitude, longitude: pair.longitude)
    }
}

extension GeoPoint: CustomStringConvertible {
    /// Longitude and latitude in brackets, as the text of a query has them.
    public var description: String { "[\(longitude), \(latitude)]" }
}
