import Foundation

/// A point of the unit sphere, or any vector in space.
struct SpherePoint: Equatable {
    let x: Double
    let y: Double
    let z: Double

    init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Creates the point of a latitude and a longitude in degrees; every place has one point only.
    init(latitude: Double, longitude: Double) {
        guard abs(latitude) < 90 else {
            self.init(0, 0, latitude < 0 ? -1 : 1)
            return
        }
        let (up, around) = (latitude * .pi / 180, (longitude == -180 ? 180 : longitude) * .pi / 180)
        self.init(cos(up) * cos(around), cos(up) * sin(around), sin(up))
    }

    init(_ point: GeoPoint) { self.init(latitude: point.latitude, longitude: point.longitude) }

    static func + (left: SpherePoint, right: SpherePoint) -> SpherePoint {
        SpherePoint(left.x + right.x, left.y + right.y, left.z + right.z)
    }

    static func - (left: SpherePoint, right: SpherePoint) -> SpherePoint {
        SpherePoint(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: SpherePoint) -> SpherePoint {
        SpherePoint(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// A vector across the great circle through two points: twice the cross product, exact also for points that are near.
    func normal(to other: SpherePoint) -> SpherePoint { (self - other).cross(self + other) }

    var squaredLength: Double { dot(self) }

    /// The same direction at the length 1.
    var normalized: SpherePoint {
        let length = squaredLength.squareRoot()
        return length > 0 ? SpherePoint(x / length, y / length, z / length) : self
    }

    /// The square of the straight distance to another point.
    func squaredChord(to other: SpherePoint) -> Double { (self - other).squaredLength }
}
