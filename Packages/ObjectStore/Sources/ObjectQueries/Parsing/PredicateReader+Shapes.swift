import EventModel
import Geospatial

extension PredicateReader {
    /// Reads a shape: a placeholder, `geoBox(…)`, `geoCircle(…)` or `geoPolygon(…)`.
    mutating func shape() throws(QueryError) -> GeoRegion {
        let start = token
        if start.kind == .placeholder, start.text == "%@" {
            advance()
            return try arguments.nextShape(at: start.position)
        }
        guard start.kind == .word else { throw wrong("a shape") }
        advance()
        try expect("(")
        let region: GeoRegion?
        switch start.text.lowercased() {
        case "geobox":
            let low = try point()
            try expect(",")
            region = .box(GeoBox(bottomLeft: low, topRight: try point()))
        case "geocircle":
            let center = try point()
            try expect(",")
            let radius = try number()
            region = GeoCircle(center: center, radiusInRadians: radius).map { .circle($0) }
        case "geopolygon":
            var rings: [[GeoPoint]] = []
            repeat { rings.append(try ring()) } while take(",")
            region = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst())).map { .polygon($0) }
        default: throw wrong("geoBox, geoCircle or geoPolygon", at: start)
        }
        try expect(")")
        guard let region else {
            throw wrong("a shape that is one: closed rings that do not cross, no negative radius", at: start)
        }
        return region
    }

    /// Reads points in braces.
    private mutating func ring() throws(QueryError) -> [GeoPoint] {
        try expect("{")
        var points: [GeoPoint] = []
        repeat { points.append(try point()) } while take(",")
        try expect("}")
        return points
    }

    /// Reads longitude and latitude in brackets, and an altitude behind them if there is one.
    private mutating func point() throws(QueryError) -> GeoPoint {
        let start = token
        try expect("[")
        let longitude = try number()
        try expect(",")
        let latitude = try number()
        let altitude = take(",") ? try number() : 0
        try expect("]")
        guard let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) else {
            throw wrong("a longitude from -180 to 180, and then a latitude from -90 to 90", at: start)
        }
        return point
    }

    private mutating func number() throws(QueryError) -> Double {
        let start = token
        let term = try term()
        switch term {
        case .constant(.int(let number)): return Double(number)
        case .constant(.double(let number)): return number
        case .constant(.float(let number)): return Double(number)
        case .constant(.decimal128(let number)): return number.doubleValue
        default: throw wrong("a number", at: start)
        }
    }
}
