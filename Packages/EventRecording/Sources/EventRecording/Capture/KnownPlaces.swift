import EventModel

/// A version of a realm that syncs, and where the realm was in sync then.
struct PlacedVersion: Sendable, Hashable {
    let version: UInt64
    let place: SyncReference
}

/// Where the realm was at the versions that were named last.
///
/// Instances read one or two versions at a time, and each names its own again when somebody begins to listen; so few are enough, and a
/// scope of any length takes no more memory.
struct KnownPlaces: Sendable {
    /// How many versions are known at most.
    let capacity: Int
    /// The versions, the one that was named last at the end.
    private(set) var versions: [PlacedVersion] = []

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { versions.isEmpty }

    /// The place of a version; nil when it was not named, or long ago.
    subscript(version: UInt64) -> SyncReference? {
        versions.last { $0.version == version }?.place
    }

    /// Notes the place of a version.
    ///
    /// - Returns: Whether that is news.
    @discardableResult
    mutating func note(_ version: PlacedVersion) -> Bool {
        guard self[version.version] != version.place else { return false }
        versions.removeAll { $0.version == version.version }
        if versions.count == capacity { versions.removeFirst() }
        versions.append(version)
        return true
    }
}
