import EventModel

extension ObjectBase {
    /// Reads what a path of names leads to, such as `captain.name`.
    ///
    /// A path through a collection makes an array of what it leads to from every element, or computes one value with an
    /// operator such as `crew.@count`; see ``RealmCollection/value(forKeyPath:)``. A path through a map goes on with a
    /// key.
    ///
    /// - Returns: The value; nil when it, or a link on the way, is nil.
    /// - Precondition: The classes on the way have the properties.
    public final func value(forKeyPath keyPath: String) -> Any? {
        guard let (key, rest) = keyPath.firstComponent else { return value(forKey: keyPath) }
        return read(rest, from: value(forKey: key))
    }

    /// Writes the property that a path of names leads to; does nothing when a link on the way is nil.
    ///
    /// A path through a collection writes the property of every element.
    ///
    /// - Precondition: As for ``setValue(_:forKey:)``.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let end = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let key = String(keyPath[keyPath.index(after: end)...])
        switch self.value(forKeyPath: String(keyPath[..<end])).flatMap({ unwrapped($0) }) {
        case nil: return
        case let object as ObjectBase: object.setValue(value, forKey: key)
        case let objects as any RealmCollection: objects.setValue(value, forKey: key)
        case let map as any KeyedReading: map.setValue(value, forKey: key)
        case let other?: misuse("'\(key)' was set on a value of type '\(type(of: other))', which has no properties.")
        }
    }
}

/// A ``Map`` of any types.
private protocol KeyedReading {
    func value(forKeyPath keyPath: String) -> Any?
    func setValue(_ value: Any?, forKey key: String)
}

extension Map: KeyedReading {}

extension Map {
    /// Reads what a path leads to, or computes one value of all entries with an operator.
    ///
    /// The first name of a path is a key; the others lead on from an object, or from a dictionary inside a value of any type. The operators
    /// are `@count`, `@allKeys`, `@allValues`, and those that ``RealmCollection/value(forKeyPath:)`` has, for the values.
    ///
    /// - Returns: The value, or what the operator computes; nil where there is no such entry.
    /// - Precondition: The classes on the way have the properties.
    /// - Complexity: O(1) for a path, O(*n*) in the count of entries for an operator.
    public func value(forKeyPath keyPath: String) -> Any? {
        switch keyPath {
        case "@allKeys": return keys
        case "@allValues": return values
        case let path where path.hasPrefix("@"): return _results.value(forKeyPath: path)
        default: break
        }
        guard let (key, rest) = keyPath.firstComponent else { return value(forKey: keyPath) }
        return read(rest, from: value(forKey: key))
    }
}

/// Reads what a path leads to from any value.
private func read(_ keyPath: String, from value: Any?) -> Any? {
    switch value.flatMap({ unwrapped($0) }) {
    case nil: return nil
    case let object as ObjectBase: return object.value(forKeyPath: keyPath)
    case let objects as any RealmCollection: return objects.value(forKeyPath: keyPath)
    case let map as any KeyedReading:
        return map.value(forKeyPath: keyPath)
    case let value as AnyRealmValue: return read(keyPath, from: value.bare)
    case let other?: misuse("'\(keyPath)' was asked of a value of type '\(type(of: other))', which has no properties.")
    }
}

extension String {
    /// What comes before and behind the first dot; nil without one.
    fileprivate var firstComponent: (key: String, rest: String)? {
        guard let end = firstIndex(of: ".") else { return nil }
        return (String(self[..<end]), String(self[index(after: end)...]))
    }
}
