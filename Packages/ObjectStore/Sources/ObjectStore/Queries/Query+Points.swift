public import Geospatial
import ObjectQueries

// A point on the earth is an object that looks like one of GeoJSON: its `type` is "Point", its `coordinates` longitude and latitude.
extension Query where T: ObjectBase {
    /// Whether the object is a point that lies in a shape.
    ///
    /// - Precondition: The class has a `type` that is text, and `coordinates` that are a list of doubles.
    public func geoWithin<Shape: GeoShape>(_ shape: Shape) -> Query<Bool> { isWithin(shape) }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
    /// Whether there is an object that is a point in a shape.
    ///
    /// - Precondition: The class has a `type` that is text, and `coordinates` that are a list of doubles.
    public func geoWithin<Shape: GeoShape>(_ shape: Shape) -> Query<Bool> { isWithin(shape) }
}

extension Query where T: _QueryCollection, T._QueryElement: ObjectBase {
    /// Whether any of the objects is a point that lies in a shape.
    ///
    /// - Precondition: The class has a `type` that is text, and `coordinates` that are a list of doubles.
    public func geoWithin<Shape: GeoShape>(_ shape: Shape) -> Query<Bool> { isWithin(shape) }
}

extension Query where T: _QueryCollection, T._QueryElement: OptionalProtocol, T._QueryElement.Wrapped: ObjectBase {
    /// Whether any of the objects of a map is a point that lies in a shape.
    ///
    /// - Precondition: The class has a `type` that is text, and `coordinates` that are a list of doubles.
    public func geoWithin<Shape: GeoShape>(_ shape: Shape) -> Query<Bool> { isWithin(shape) }
}

extension Query {
    private func isWithin(_ shape: some GeoShape) -> Query<Bool> {
        let region = shape.region
        return Query<Bool>(.condition(term.condition { .isWithin($0, region, quantifier: $1) }))
    }
}
