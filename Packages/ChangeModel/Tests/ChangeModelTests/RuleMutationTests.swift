import ChangeModel
import ChangeModelTesting
import Testing

@Suite("Each rule is needed")
struct RuleMutationTests {
    /// Every rule but those about clocks that are wrong, which work that nobody's clock is ahead in does not need: S12
    /// does, with and without them.
    private static let rules = (0..<UInt32(RuleSet.count)).map { RuleSet(rawValue: 1 << $0) }
        .filter { $0 != .futureIsLowered && $0 != .seenIsOlder }

    @Test("random work finds a rule that is left out", arguments: rules)
    func leftOut(rule: RuleSet) {
        let rules = RuleSet.all.subtracting(rule)

        let found = (1...RandomRuns.mutations).first { OfflineWork(seed: $0).broken(rules: rules) != nil }

        #expect(found != nil, "no seed up to \(RandomRuns.mutations) needs the rule \(rule.rawValue)")
    }

    @Test("a work that breaks a rule is made smaller until nothing can be left out")
    func shrinking() throws {
        let rules = RuleSet.all.subtracting(.placesAscend)
        let seed = try #require((1...RandomRuns.mutations).first { OfflineWork(seed: $0).broken(rules: rules) != nil })

        let small = OfflineWork(seed: seed).shrunk { $0.broken(rules: rules) != nil }

        #expect(small.broken(rules: rules) != nil)
        #expect(small.rounds.joined().count < OfflineWork(seed: seed).rounds.joined().count)
        #expect(small.rounds.joined().allSatisfy { $0.operations.count <= 2 })
        #expect(small.description.contains("insert"))
    }
}
