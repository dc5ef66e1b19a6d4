/// What a device does about its pending writes, by name, so that a test can leave one out and see what breaks.
package struct OverlayRules: OptionSet, Sendable {
    /// A bit for each rule.
    package let rawValue: UInt32

    /// Creates a set of rules from its bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// What an own entry says is written, also where it holds as sent: a guess may have overwritten it.
    package static let ownIsWrittenAgain = OverlayRules(rawValue: 1 << 0)
    /// The author takes the corrections.
    package static let correctionsAreTaken = OverlayRules(rawValue: 1 << 1)
    /// What later pending changes did to what was written is done again.
    package static let laterIsDoneAgain = OverlayRules(rawValue: 1 << 2)
    /// Entries of others do not touch an object whose creation or deletion is pending.
    package static let existenceCovers = OverlayRules(rawValue: 1 << 3)
    /// An element that a pending change takes away keeps its place.
    package static let placesStay = OverlayRules(rawValue: 1 << 4)
    /// An element whose link a pending deletion cleared keeps its value.
    package static let unlinkedKeepValues = OverlayRules(rawValue: 1 << 5)
    /// What an own change did to an object before it created that anew is passed over.
    package static let formerObjectsArePassed = OverlayRules(rawValue: 1 << 6)

    /// How many rules there are.
    package static let count = 7
    /// All rules.
    package static let all = OverlayRules(rawValue: 1 << UInt32(count) - 1)
}
