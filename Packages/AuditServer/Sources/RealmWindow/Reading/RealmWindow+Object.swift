import Foundation
import ObjectStore

extension RealmWindow {
    /// Reads an object by its primary key.
    ///
    /// - Parameters:
    ///   - className: The stored name of the class.
    ///   - key: The key as text, as ``WindowValue/text`` writes it.
    ///   - bounds: How much of the object is read.
    /// - Returns: The object; nil when there is none, also because the class has no keys or none that are written like this.
    /// - Throws: ``RealmWindowError/missingClass(_:known:)``, and the error of the store when the file is damaged.
    public func object(
        of className: String,
        key: String,
        within bounds: WindowBounds = .everything
    ) throws -> WindowObject? {
        let schema = try schema(of: className)
        guard let property = schema.primaryKeyProperty, let key = Self.key(property, key) else { return nil }
        return try realm.read { realm in
            realm.dynamicObject(ofType: schema.className, forPrimaryKey: key)
                .map { object in
                    var reader = ValueReader(bounds)
                    return reader.object(object, schema)
                }
        }
    }

    /// Reads an object by the number of its row.
    ///
    /// - Parameters:
    ///   - className: The stored name of the class.
    ///   - row: The number, see ``WindowLink/row``.
    ///   - bounds: How much of the object is read.
    /// - Returns: The object; nil when there is none.
    /// - Throws: ``RealmWindowError/missingClass(_:known:)``, and the error of the store when the file is damaged.
    public func object(
        of className: String,
        row: Int64,
        within bounds: WindowBounds = .everything
    ) throws -> WindowObject? {
        let schema = try schema(of: className)
        return try realm.read { realm in
            realm.dynamicObject(ofType: schema.className, rowNumber: row)
                .map { object in
                    var reader = ValueReader(bounds)
                    return reader.object(object, schema)
                }
        }
    }

    /// A key as the store takes it; nil when a key of this type is not written like that.
    private static func key(_ property: Property, _ text: String) -> Any? {
        switch property.type {
        case .int: Int(text)
        case .string: text
        case .objectId: try? ObjectId(string: text)
        case .UUID: UUID(uuidString: text)
        default: nil
        }
    }
}
