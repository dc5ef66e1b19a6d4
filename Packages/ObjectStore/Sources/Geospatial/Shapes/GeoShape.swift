/// A shape on the earth that a query may ask points to lie in.
///
/// The shapes of the module conform; programs do not add their own.
public protocol GeoShape: Sendable, Hashable {
    /// The shape as one of those that there are.
    var region: GeoRegion { get }
}

/// One of the shapes on the earth, as a query keeps it.
///
/// ```swift
/// let region = GeoRegion.circle(GeoCircle(center: bern, radius: .miles(10)!))
/// ```
public enum GeoRegion: GeoShape {
    /// Between two corners.
    case box(GeoBox)
    /// Within a distance of a point.
    case circle(GeoCircle)
    /// Inside a ring, and in no hole.
    case polygon(GeoPolygon)

    /// The shape itself.
    public var region: GeoRegion { self }
}

extension GeoRegion: CustomStringConvertible {
    /// The shape as the text of a query has it.
    public var description: String {
        switch self {
        case .box(let box): "geoBox(\(box.bottomLeft), \(box.topRight))"
        case .circle(let circle): "geoCircle(\(circle.center), \(circle.radiusInRadians))"
        case .polygon(let polygon): "geoPolygon(\(polygon.rings.map(Self.text).joined(separator: ", ")))"
        }
    }

    private static func text(_ ring: [GeoPoint]) -> String {
        "{\(ring.map(\.description).joined(separator: ", "))}"
    }
}
