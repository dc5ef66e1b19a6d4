/// A distance along the surface of the earth, which is taken for a sphere of 6,378.1 kilometres.
///
/// ```swift
/// let near = GeoCircle(center: bern, radius: .kilometers(15)!)
/// ```
/// A mile has 1.609344 kilometres. A distance is never negative.
public struct Distance: Sendable, Hashable {
    /// Kilometres from the centre of the earth to its equator.
    private static let earthRadius = 6378.1
    /// Kilometres of a mile.
    private static let mile = 1.609344

    /// The distance as an angle at the centre of the earth.
    public let radians: Double

    private init?(_ radians: Double) {
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    /// A distance in kilometres; nil when it is negative.
    public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers / earthRadius) }
    /// A distance in miles; nil when it is negative.
    public static func miles(_ miles: Double) -> Distance? { Distance(miles * mile / earthRadius) }
    /// A distance in degrees of a great circle; nil when it is negative.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }
    /// A distance in radians of a great circle; nil when it is negative.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// A distance in metres; nil when it is negative.
    public static func fromMeters(_ meters: Double) -> Distance? { kilometers(meters / 1000) }
    /// A distance in kilometres; nil when it is negative.
    public static func fromKilometers(_ kilometers: Double) -> Distance? { self.kilometers(kilometers) }
    /// A distance in miles; nil when it is negative.
    public static func fromMiles(_ miles: Double) -> Distance? { self.miles(miles) }
    /// A distance in degrees of a great circle; nil when it is negative.
    public static func fromDegrees(_ degrees: Double) -> Distance? { self.degrees(degrees) }
    /// A distance in radians of a great circle; nil when it is negative.
    public static func fromRadians(_ radians: Double) -> Distance? { self.radians(radians) }

    /// The distance in metres.
    public func asMeters() -> Double { asKilometers() * 1000 }
    /// The distance in kilometres.
    public func asKilometers() -> Double { radians * Self.earthRadius }
    /// The distance in miles.
    public func asMiles() -> Double { asKilometers() / Self.mile }
    /// The distance in degrees of a great circle.
    public func asDegrees() -> Double { radians * 180 / .pi }
    /// The distance in radians of a great circle.
    public func asRadians() -> Double { radians }
}
