import ObjectQueries
import Synchronization

/// The projected properties of a class of projections, found by reflection once.
struct ProjectionSchema: Sendable {
    /// A projected property.
    // SAFETY: a key path is never changed once it is made, and may be read anywhere.
    struct Property: @unchecked Sendable {
        let name: String
        /// The key path of the root.
        let keyPath: AnyKeyPath
        /// The names of the stored properties that it leads through; none where changes cannot be seen.
        let path: [String]
        /// Whether it shows one value that is no object.
        let isSingleValue: Bool
        /// Whether it shows a collection, or values of one.
        let isCollection: Bool

        /// The path as text.
        var storedKeyPath: String { path.joined(separator: ".") }
    }

    /// The properties, those of superclasses first.
    let properties: [Property]

    /// The schemas that were found; as many as there are classes of projections.
    private static let known = Mutex<[ObjectIdentifier: ProjectionSchema]>([:])

    /// Returns the properties of a class.
    static func of<P: ProjectionObservable>(_ type: P.Type) -> ProjectionSchema {
        let identifier = ObjectIdentifier(type)
        if let schema = known.withLock({ $0[identifier] }) { return schema }
        let schema = ProjectionSchema(properties: found(type))
        known.withLock { $0[identifier] = schema }
        return schema
    }

    private static func found<P: ProjectionObservable>(_ type: P.Type) -> [Property] {
        let recorder = KeyPathRecorder()
        let projection = type.init(projecting: recorder.object(P.Root.self))
        var mirrors: [Mirror] = []
        var mirror: Mirror? = Mirror(reflecting: projection)
        while let current = mirror {
            mirrors.append(current)
            mirror = current.superclassMirror
        }
        return mirrors.reversed().flatMap(\.children)
            .compactMap { child in
                guard let label = child.label, let projected = child.value as? any AnyProjected else { return nil }
                let keyPath = projected.anyKeyPath
                let valueType = Swift.type(of: keyPath).valueType
                let isCollection =
                    valueType is any _CollectionProperty.Type || valueType is any LinkingObjectsProtocol.Type
                    || valueType is any NamingProjection.Type
                return Property(
                    // The storage of a wrapper is called as its property, after an underscore.
                    name: String(label.dropFirst()),
                    keyPath: keyPath,
                    path: observable(KeyPathRecorder.names(keyPath, of: projection.rootObject, recorder), P.Root.self),
                    isSingleValue: !isCollection && !isObject(valueType),
                    isCollection: isCollection
                )
            }
    }

    /// The path, unless it leads to an object backwards, where no change is seen.
    private static func observable(_ path: [String], _ root: ObjectBase.Type) -> [String] {
        var type: ObjectBase.Type? = root
        for name in path {
            guard let current = type,
                case .success(let schema) = Result(catching: { () throws(Realm.Error) in try ClassSchema.of(current) }),
                let property = schema.property(named: name)
            else { return [] }
            type = property.type.target
        }
        return path
    }

    private static func isObject(_ type: Any.Type) -> Bool {
        if type is ObjectBase.Type { return true }
        guard let type = type as? any OptionalProtocol.Type else { return false }
        func isWrapped<Optional: OptionalProtocol>(_ type: Optional.Type) -> Bool {
            Optional.Wrapped.self is ObjectBase.Type
        }
        return isWrapped(type)
    }

    /// Returns the properties that key paths of the projection name, each with what the key path adds behind it.
    ///
    /// - Parameters:
    ///   - keyPaths: The key paths; nil for all properties.
    ///   - name: What the projection is called in the sentence of a trap.
    /// - Returns: The properties whose changes can be seen: one that shows backlinks, or is not persisted, has none.
    /// - Precondition: Each begins with a projected property.
    func chosen(_ keyPaths: [String]?, of name: String) -> [Property] {
        let chosen = keyPaths?.map { property(at: $0, of: name) } ?? properties
        return chosen.filter { !$0.path.isEmpty }
    }

    private func property(at keyPath: String, of name: String) -> Property {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let property = properties.first(where: { $0.name == parts[0] }) else {
            let hint = parts[0].closest(in: properties.map(\.name)).map { "; did you mean '\($0)'?" } ?? "."
            misuse(
                """
                The key path '\(keyPath)' cannot be observed: the projection '\(name)' has no projected property \
                '\(parts[0])'\(hint)
                """
            )
        }
        guard parts.count > 1, !property.path.isEmpty else { return property }
        return Property(
            name: property.name,
            keyPath: property.keyPath,
            path: property.path + [parts[1]],
            isSingleValue: property.isSingleValue,
            isCollection: property.isCollection
        )
    }
}
