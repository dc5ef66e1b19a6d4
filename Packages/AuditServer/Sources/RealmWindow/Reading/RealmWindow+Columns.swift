extension RealmWindow {
    /// The properties of a class, the primary key first, those with several values last.
    ///
    /// - Parameter className: The stored name of the class.
    /// - Returns: The properties, as tables show them.
    /// - Throws: ``RealmWindowError/missingClass(_:known:)``.
    public func columns(of className: String) throws -> [WindowProperty] {
        let properties = WindowClass(try schema(of: className), count: 0).properties
        func rank(_ property: WindowProperty) -> Int { property.isPrimaryKey ? 0 : property.isSingle ? 1 : 2 }
        return (0...2).flatMap { wanted in properties.filter { rank($0) == wanted } }
    }
}

extension WindowClass {
    /// The class as a line of JSON.
    public var line: String {
        let properties = properties.map { property in
            WindowValue.object(
                [
                    WindowValue.Entry("name", .text(property.name)), WindowValue.Entry("type", .text(property.type)),
                    WindowValue.Entry("isPrimaryKey", .bool(property.isPrimaryKey)),
                    WindowValue.Entry("isIndexed", .bool(property.isIndexed)),
                ]
            )
        }
        let members = [
            WindowValue.Entry("class", .text(name)), WindowValue.Entry("objects", .int(count)),
            WindowValue.Entry("isEmbedded", .bool(isEmbedded)), WindowValue.Entry("properties", .list(properties)),
        ]
        return WindowValue.object(members).json + "\n"
    }
}
