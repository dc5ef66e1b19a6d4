public import EventModel

/// Which events somebody may read.
public struct EventAccess: Sendable, Hashable {
    /// Every event of every app.
    public static let all = EventAccess(apps: nil)

    /// The apps; nil stands for all.
    public let apps: Set<String>?  // TEXT: apps, which are ASCII, see ServedApps.isAppID.
    /// The prefixes of partitions, for the apps that restrict them.
    private let prefixes: [String: [PrefixPattern]]  // TEXT: apps, which are ASCII.

    /// Describes access.
    ///
    /// - Parameters:
    ///   - apps: The apps whose events may be read; nil for all.
    ///   - prefixes: The prefixes of partitions that may be read, for the apps that restrict them.
    public init(apps: Set<String>?, prefixes: [String: [PrefixPattern]] = [:]) {  // TEXT: apps, which are ASCII.
        self.apps = apps
        self.prefixes = prefixes
    }

    /// Whether nothing is withheld.
    public var isUnlimited: Bool { apps == nil && prefixes.isEmpty }

    /// Returns whether anything of an app may be read.
    public func includes(app: String) -> Bool { apps?.contains(app) ?? true }

    /// Returns whether every event of an app may be read.
    public func includesAll(of app: String) -> Bool { includes(app: app) && prefixes[app] == nil }

    /// Returns whether the events of a partition may be read.
    public func includes(_ partition: PartitionID, of owner: EventOwner) -> Bool {
        guard includes(app: owner.app) else { return false }
        guard let patterns = prefixes[owner.app] else { return true }
        return PartitionRules.fits(patterns, partition, owner.user)
    }
}
