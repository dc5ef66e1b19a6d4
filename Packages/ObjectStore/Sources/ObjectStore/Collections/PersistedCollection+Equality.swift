// Whether unmanaged collections hold the same, as their elements understand it: a text by its bytes, an object by being that object.

extension List {
    /// Whether both are unmanaged and hold equal elements in the same order.
    func hasEqualContents(as other: List) -> Bool {
        guard owner == nil, other.owner == nil else { return false }
        return elementsEqual(other) { $0._identity == $1._identity }
    }
}

extension MutableSet {
    /// Whether both are unmanaged and hold equal elements.
    func hasEqualContents(as other: MutableSet) -> Bool {
        guard owner == nil, other.owner == nil, count == other.count else { return false }
        return Set(map(\._identity)) == Set(other.map(\._identity))
    }
}

extension Map {
    /// Whether both are unmanaged and hold equal values under the same keys.
    func hasEqualContents(as other: Map) -> Bool {
        guard owner == nil, other.owner == nil, count == other.count else { return false }
        return zip(entries, other.entries)
            .allSatisfy { $0.key.isSame(as: $1.key) && $0.value._identity == $1.value._identity }
    }
}
