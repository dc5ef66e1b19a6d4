import EventModel

/// A version of a realm that syncs, and where the realm was in sync then.
struct PlacedVersion: Sendable, Hashable {
    let version: UInt64
    let place: SyncReference
}

/// Where the realm was in sync at the versions that were named last.
struct KnownPlaces: Sendable {
    /// How many versions are known at most.
    let capacity: Int
    private var places: [UInt64: SyncReference] = [:]
    /// The versions, the one that was named last at the end.
    private var order: [UInt64] = []

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { places.isEmpty }

    /// The versions with their places, the one that was named last at the end.
    var versions: [PlacedVersion] {
        order.compactMap { version in places[version].map { PlacedVersion(version: version, place: $0) } }
    }

    /// The place of a version; nil when it was not named, or so many others were since.
    subscript(version: UInt64) -> SyncReference? { places.isEmpty ? nil : places[version] }

    /// Notes the place of a version.
    ///
    /// - Returns: Whether that is news.
    @discardableResult
    mutating func note(_ version: PlacedVersion) -> Bool {
        let former = places.updateValue(version.place, forKey: version.version)
        guard former != version.place else { return false }
        if former != nil { order.removeAll { $0 == version.version } }
        order.append(version.version)
        if order.count > capacity { places[order.removeFirst()] = nil }
        return true
    }
}
