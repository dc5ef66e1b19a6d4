import CSQLite
import Geospatial

/// The shape of a condition, made ready once for all rows of a statement.
final class PreparedArea: Sendable {
    private let area: GeoArea

    private init(_ region: GeoRegion) { area = GeoArea(region) }

    /// Answers whether a point lies in a shape, as SQLite asks: longitude, latitude, and the bytes of the shape.
    static func call(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let values, let longitude = number(values[0]), let latitude = number(values[1]) else {
            return sqlite3_result_int(context, 0)
        }
        guard let prepared = prepared(context, values[2]) else { return sqlite3_result_null(context) }
        sqlite3_result_int(context, prepared.area.contains(latitude: latitude, longitude: longitude) ? 1 : 0)
    }

    /// A number; nil for a missing one, and for one that is no number, which is stored as bytes.
    private static func number(_ value: OpaquePointer?) -> Double? {
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_value_double(value)
        default: nil
        }
    }

    /// The shape that SQLite keeps beside the argument of a statement, which is the same for all rows.
    private static func prepared(_ context: OpaquePointer?, _ shape: OpaquePointer?) -> PreparedArea? {
        if let known = sqlite3_get_auxdata(context, 2) {
            return Unmanaged<PreparedArea>.fromOpaque(known).takeUnretainedValue()
        }
        guard sqlite3_value_type(shape) == SQLITE_BLOB else { return nil }
        let bytes = UnsafeRawBufferPointer(start: sqlite3_value_blob(shape), count: Int(sqlite3_value_bytes(shape)))
        guard let region = GeoRegion(bytes: bytes) else { return nil }
        let made = PreparedArea(region)
        // SQLite may let go of it at once.
        sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(made).toOpaque()) { known in
            if let known { Unmanaged<PreparedArea>.fromOpaque(known).release() }
        }
        return made
    }
}

extension GeoArea {
    /// Whether an object is a point that lies in the shape, whatever its class.
    func contains(_ object: ObjectBase) -> Bool {
        guard object.value(forKey: "type") as? String == "Point",
            let coordinates = object.value(forKey: "coordinates") as? List<Double>
        else { return false }
        let numbers = coordinates.elements
        return numbers.count >= 2 && contains(latitude: numbers[1], longitude: numbers[0])
    }
}
