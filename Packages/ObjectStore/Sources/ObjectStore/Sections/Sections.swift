/// The elements of a result in groups of the same key, at one version.
struct Sections<Key: Hashable> {
    /// The keys in the order in which the result has the first element of each.
    private(set) var keys: [Key] = []
    /// Where the elements of each section are.
    private(set) var places: [SectionPlaces] = []
    private var indexes: [Key: Int] = [:]
    private var count = 0
    /// The section of the element that was added last.
    private var latest = -1

    /// Adds the next element of the result.
    mutating func append(_ key: Key) {
        // Most elements are of the section of the one before: comparing is cheaper than looking up.
        if latest < 0 || keys[latest] != key { latest = section(of: key) }
        places[latest].append(count)
        count += 1
    }

    private mutating func section(of key: Key) -> Int {
        if let index = indexes[key] { return index }
        indexes[key] = keys.count
        keys.append(key)
        places.append(SectionPlaces())
        return keys.count - 1
    }

    /// The index of a section; nil when no element has the key.
    func index(of key: Key) -> Int? { indexes[key] }
}
