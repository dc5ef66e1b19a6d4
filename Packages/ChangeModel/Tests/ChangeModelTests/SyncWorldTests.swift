import ChangeModel
import ChangeModelTesting
import Testing

@Suite("Devices that show what is pending")
struct SyncWorldTests {
    @Test("what no pending change touches is the server's at every position, and all agree in the end")
    func agreement() {
        for seed in 1...RandomRuns.worlds {
            var world = SyncWorld(seed: seed)
            guard let wrong = world.live() else { continue }
            let small = world.trace.shrunk
            Issue.record("seed \(seed): \(wrong)\n\(small.broken ?? wrong)\n\(small)")
            return
        }
    }

    /// Every rule but the one that only one seed of a thousand needs; it has a test of its own.
    private static let rules = (0..<UInt32(OverlayRules.count)).map { OverlayRules(rawValue: 1 << $0) }
        .filter { $0 != .unlinkedKeepValues }

    @Test("random work finds what a device leaves out", arguments: rules)
    func leftOut(rule: OverlayRules) {
        let rules = OverlayRules.all.subtracting(rule)

        let found = (1...RandomRuns.worldMutations)
            .first { seed in
                var world = SyncWorld(seed: seed, rules: rules)
                return world.live() != nil
            }

        #expect(found != nil, "no seed up to \(RandomRuns.worldMutations) needs the rule \(rule.rawValue)")
    }

    @Test("what failed is made smaller until nothing can be left out, and printed")
    func shrinking() throws {
        let rules = OverlayRules.all.subtracting(.correctionsAreTaken)
        let world = try #require(
            (1...RandomRuns.worldMutations).lazy
                .compactMap { seed -> SyncWorld? in
                    var world = SyncWorld(seed: seed, rules: rules)
                    return world.live() == nil ? nil : world
                }
                .first
        )

        let small = world.trace.shrunk

        #expect(small.broken != nil)
        #expect(small.count <= 8)
        #expect(small.count < world.trace.count)
        #expect(small.description.contains("commits at"))
    }
}
