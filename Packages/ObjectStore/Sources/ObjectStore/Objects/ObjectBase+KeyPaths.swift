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
    var count: Int { get }
    func value(forKey key: String) -> Any?
    func setValue(_ value: Any?, forKey key: String)
}

extension Map: KeyedReading {}

/// Reads what a path leads to from any value.
private func read(_ keyPath: String, from value: Any?) -> Any? {
    switch value.flatMap({ unwrapped($0) }) {
    case nil: return nil
    case let object as ObjectBase: return object.value(forKeyPath: keyPath)
    case let objects as any RealmCollection: return objects.value(forKeyPath: keyPath)
    case let map as any KeyedReading:
        if keyPath == "@count" { return map.count }
        guard let (key, rest) = keyPath.firstComponent else { return map.value(forKey: keyPath) }
        return read(rest, from: map.value(forKey: key))
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
