/// The elements of a set in memory, each there once, in the order of insertion.
struct UnmanagedSet<Element: RealmCollectionValue> {
    private(set) var elements: [Element] = []
    private var places: [Element._Identity: Int] = [:]
    /// Whether an element was an unmanaged object: its identity changes once it is added to a realm.
    private var isProvisional = false

    mutating func contains(_ element: Element) -> Bool { place(of: element) != nil }

    mutating func insert(_ element: Element) {
        guard place(of: element) == nil else { return }
        let identity = element._identity
        places[identity] = elements.count
        elements.append(element)
        if Self.isProvisional(identity) { isProvisional = true }
    }

    /// - Complexity: O(*n*).
    mutating func remove(_ removed: Set<Element._Identity>) {
        replaceAll(elements.filter { !removed.contains($0._identity) })
    }

    mutating func keepOnly(_ kept: Set<Element._Identity>) {
        replaceAll(elements.filter { kept.contains($0._identity) })
    }

    mutating func replaceAll(_ elements: some Sequence<Element>) {
        self = UnmanagedSet()
        for element in elements { insert(element) }
    }

    private mutating func place(of element: Element) -> Int? {
        let identity = element._identity
        if let place = places[identity] { return place }
        // An object that was unmanaged when it was inserted may be the row that is asked for now.
        guard isProvisional, !Self.isProvisional(identity) else { return nil }
        replaceAll(elements)
        return places[identity]
    }

    private static func isProvisional(_ identity: Element._Identity) -> Bool {
        guard Element._elementType.target != nil else { return false }
        return (identity as? _ObjectIdentity)?.isProvisional ?? false
    }
}
