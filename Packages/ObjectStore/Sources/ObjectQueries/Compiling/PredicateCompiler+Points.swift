import EventModel
import Geospatial

// A point on the earth is an object that looks like one of GeoJSON: "Point" as its type, and coordinates, the longitude first.
extension PredicateCompiler {
    /// The condition that an object, or any of several, is a point in a shape.
    mutating func isWithin(
        _ path: PropertyPath,
        _ region: GeoRegion,
        in scope: inout TableScope
    ) throws(QueryError) -> SQL {
        let steps = try paths.steps(path, from: scope.shape)
        if let index = steps.firstIndex(where: { $0.property.collection != .none }) {
            let collection = PropertyPath(Array(path.components[...index]))
            var (elements, inner) = try paths.objects(collection, in: &scope)
            let rest = PropertyPath(Array(path.components[(index + 1)...]))
            let condition = try isWithin(rest, region, in: &inner)
            elements.tables += inner.joins
            return elements.exists("(\(condition))")
        }
        try checkPoint(steps, path, in: scope)
        let type = try operand(.path(path.appending("type")), in: &scope)
        let longitude = try operand(.element(path.appending("coordinates"), [.index(0)]), in: &scope)
        let latitude = try operand(.element(path.appending("coordinates"), [.index(1)]), in: &scope)
        let shape = SQL.argument(.data(region.bytes))
        let isInside: SQL = "\(QueryFunctions.geoWithinName)(\(longitude.sql), \(latitude.sql), \(shape))"
        return "(\(type.sql) = \(.argument(.string("Point"))) AND \(isInside))"
    }

    private mutating func checkPoint(
        _ steps: [PathCompiler.Step],
        _ path: PropertyPath,
        in scope: TableScope
    ) throws(QueryError) {
        func invalid(_ reason: String) -> QueryError {
            .invalidComparison(path: path.description, className: scope.shape.name, reason: reason)
        }
        var shape = scope.shape
        if let last = steps.last {
            guard last.property.kind == .link || last.property.kind == .embedded else {
                throw invalid("geoWithin needs an object that is a point, not a value")
            }
            shape = try paths.schema.target(of: last.property)
        }
        guard let type = shape.property(named: "type"), type.kind == .string, type.collection == .none,
            let coordinates = shape.property(named: "coordinates"), coordinates.kind == .double,
            coordinates.collection == .list
        else { throw invalid("a point has a 'type' that is text, and 'coordinates' that are a list of doubles") }
    }
}
