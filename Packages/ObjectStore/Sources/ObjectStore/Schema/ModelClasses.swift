#if canImport(ObjectiveC)
import Darwin
import ObjectiveC
#endif

/// Finds the model classes of the process.
enum ModelClasses {
    /// The classes that models derive from.
    static let bases: [ObjectBase.Type] = [Object.self, EmbeddedObject.self, AsymmetricObject.self]

    /// Every class that derives from ``Object``, ``EmbeddedObject`` or ``AsymmetricObject`` and is included in the default schema.
    ///
    /// Images that were loaded since the last call are seen. On Linux a subclass of a generic class is not found: name
    /// it in `objectTypes`.
    static func all() -> [ObjectBase.Type] {
        found().filter { type in !bases.contains { $0 == type } && type.shouldIncludeInDefaultSchema() }
    }

    #if canImport(ObjectiveC)
    private static func found() -> [ObjectBase.Type] {
        var count: UInt32 = 0
        guard let classes = objc_copyClassList(&count) else { return [] }
        defer { free(UnsafeMutableRawPointer(classes)) }
        return (0..<Int(count))
            .compactMap { index in
                // Asking the superclass chain does not send messages, which some system classes would not survive.
                var ancestor: AnyClass? = class_getSuperclass(classes[index])
                while let current = ancestor, current != ObjectBase.self { ancestor = class_getSuperclass(current) }
                return ancestor == nil ? nil : classes[index] as? ObjectBase.Type
            }
    }
    #else
    private static func found() -> [ObjectBase.Type] {
        let scan = MetadataScan()
        scan.run()
        return scan.classes
    }
    #endif
}
