/// What happened between two versions, as far as the change log says.
struct LoggedChanges: Equatable, Sendable {
    /// The classes that changed, by name.
    var classes: [String: LoggedClass] = [:]
    /// Whether the log does not reach back to the older version: anything may have changed.
    var isUnknown = false

    /// Changes of which nothing is known.
    static let unknown = LoggedChanges(isUnknown: true)

    /// What happened to a class; nil when nothing did.
    subscript(className: String) -> LoggedClass? {
        isUnknown ? LoggedClass(hasDeletions: true, isOverrun: true) : classes[className]
    }

    /// Adds what a later transaction did.
    mutating func formUnion(_ later: LoggedChanges) {
        isUnknown = isUnknown || later.isUnknown
        for (name, changes) in later.classes { classes[name, default: LoggedClass()].formUnion(changes) }
    }
}
