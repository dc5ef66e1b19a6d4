import Synchronization

/// Finds the names of the properties that a key path reads, by reading it from an object that only takes notes.
final class KeyPathRecorder {
    private(set) var names: [String] = []
    /// The tables of the objects that take notes, which do not keep them alive themselves.
    private var tables: [ClassTable] = []

    func didRead(_ name: String) {
        names.append(name)
    }

    /// Returns the names of the properties in a key path, such as `dog`, `name`.
    ///
    /// - Precondition: Every step is a persisted property; only links to one object may be followed.
    static func path<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> [String] {
        path(of: keyPath, on: Root.self) { $0.object(Root.self) }
    }

    /// Returns the names of the properties in a key path of a type whose values lead to objects that take notes.
    ///
    /// - Precondition: As for ``path(of:)``.
    static func path<Root>(
        of keyPath: AnyKeyPath,
        on type: Root.Type,
        from make: (KeyPathRecorder) -> Root
    ) -> [String] {
        let key = KnownKeyPath(keyPath: keyPath)
        if let names = known.withLock({ $0.names(of: key) }) { return names }
        let names = record(keyPath, on: type, from: make)
        known.withLock { known in
            // Key paths are literals of the program, so that few are the rule; nothing may grow without an end.
            if known.names.count >= maximumCount { known.names.removeAll() }
            known.names[key] = names
        }
        return names
    }

    private static let maximumCount = 4096
    /// What was found before: reading a key path makes an object for each of its steps.
    private static let known = Mutex(KnownNames())

    private struct KnownNames {
        var names: [KnownKeyPath: [String]] = [:]
        /// The key path that was asked for last: a program that asks the same again and again need not hash it.
        private var latest: (key: KnownKeyPath, names: [String])?

        mutating func names(of key: KnownKeyPath) -> [String]? {
            if let latest, latest.key.keyPath === key.keyPath { return latest.names }
            guard let found = names[key] else { return nil }
            latest = (key, found)
            return found
        }
    }

    // SAFETY: a key path is never changed once it is made, and only compared here.
    private struct KnownKeyPath: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }

    private static func record<Root>(
        _ keyPath: AnyKeyPath,
        on type: Root.Type,
        from make: (KeyPathRecorder) -> Root
    ) -> [String] {
        let recorder = KeyPathRecorder()
        let names = names(keyPath, of: make(recorder), recorder)
        guard !names.isEmpty else {
            misuse("The key path names a property of '\(type)' that is not persisted.")
        }
        return names
    }

    /// Reads a key path of a value whose objects take notes in a recorder.
    ///
    /// - Returns: The names of the properties; none when it leads to no persisted one.
    static func names<Root>(_ keyPath: AnyKeyPath, of root: Root, _ recorder: KeyPathRecorder) -> [String] {
        let known = recorder.names.count
        let value = root[keyPath: keyPath]
        // A projected collection reads the properties of its elements later.
        let behind = (value as? any NamingProjection)?.names ?? []
        return recorder.names[known...] + behind
    }

    /// Makes an object whose reads this recorder notes.
    func object<Root: ObjectBase>(_ type: Root.Type) -> Root {
        // The class may be one that derives from what the caller knows.
        let object = type.init()
        switch Result(catching: { () throws(Realm.Error) in try ClassSchema.of(type) }) {
        case .success(let schema):
            let table = ClassTable(schema: schema, connection: nil)
            tables.append(table)
            object._core = ObjectCore(recorder: self, table: table)
        case .failure(let error):
            misuse("A key path cannot be read: \(error.message)")
        }
        return object
    }
}
