/// The rules of conflict by name, so that a test can leave one out and see what breaks.
package struct RuleSet: OptionSet, Sendable {
    /// A bit for each rule.
    package let rawValue: UInt32

    /// Creates a set of rules from its bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The newer write of a cell wins, whenever it arrives.
    package static let newerWins = RuleSet(rawValue: 1 << 0)
    /// A default is older than every write.
    package static let defaultsAreOldest = RuleSet(rawValue: 1 << 1)
    /// A proposal of a creation or deletion leaves a mark also when it is not accepted.
    package static let everyProposalMarks = RuleSet(rawValue: 1 << 2)
    /// What is written to an object that was deleted meanwhile is refused.
    package static let deletionWins = RuleSet(rawValue: 1 << 3)
    /// A new object has nothing of the one before it.
    package static let newObjectsAreEmpty = RuleSet(rawValue: 1 << 4)
    /// What is written into a former life of a cell changes nothing.
    package static let formerLivesAreGone = RuleSet(rawValue: 1 << 5)
    /// Places with one anchor stand in the order of their stamps.
    package static let placesAscend = RuleSet(rawValue: 1 << 6)
    /// The right neighbour is meant where the author saw it.
    package static let neighboursAsSeen = RuleSet(rawValue: 1 << 7)
    /// A removed element stays removed.
    package static let removalWins = RuleSet(rawValue: 1 << 8)
    /// Of two moves of an element the newer one wins.
    package static let newerMoveWins = RuleSet(rawValue: 1 << 9)
    /// What was written after a collection was cleared stays.
    package static let clearingSparesNewer = RuleSet(rawValue: 1 << 10)
    /// What was written before a collection was cleared stays away when it arrives later.
    package static let clearingMeetsLate = RuleSet(rawValue: 1 << 11)
    /// An increment counts on every base that is older than it.
    package static let incrementsStay = RuleSet(rawValue: 1 << 12)
    /// A deletion clears the links that are older than it.
    package static let deletionClearsLinks = RuleSet(rawValue: 1 << 13)
    /// A link that is newer than the deletion of its target is kept.
    package static let newerLinksStay = RuleSet(rawValue: 1 << 14)
    /// A deletion clears only links to the object that it meant.
    package static let linksMeanOneObject = RuleSet(rawValue: 1 << 15)
    /// An element that was taken away because its link was cleared comes back when a newer value arrives.
    package static let clearedElementsReturn = RuleSet(rawValue: 1 << 16)
    /// A stamp from the future is lowered.
    package static let futureIsLowered = RuleSet(rawValue: 1 << 17)
    /// A stamp is newer than everything that its author had seen, also when it is lowered.
    package static let seenIsOlder = RuleSet(rawValue: 1 << 18)

    /// How many rules there are.
    package static let count = 19
    /// All rules, as they hold everywhere but in tests.
    package static let all = RuleSet(rawValue: 1 << UInt32(count) - 1)
}
