/// A type whose properties key paths name to order, to compute and to observe by: objects, and projections of them.
public protocol KeypathSortable: SendableMetatype {
    /// Finds the names of the stored properties that a key path of the type leads through; not meant for programs.
    ///
    /// - Precondition: The key path leads to a persisted property, through links and projected properties only.
    static func _names(of keyPath: AnyKeyPath) -> [String]
}

extension ObjectBase: KeypathSortable {
    /// Finds the names of the properties that a key path leads through.
    public static func _names(of keyPath: AnyKeyPath) -> [String] {
        KeyPathRecorder.path(of: keyPath, on: self) { $0.object(self) }
    }
}

extension KeypathSortable {
    /// The properties of a key path as text, such as `dog.name`.
    static func name(of keyPath: AnyKeyPath) -> String { _names(of: keyPath).joined(separator: ".") }
}
