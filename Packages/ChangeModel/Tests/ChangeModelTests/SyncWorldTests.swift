import ChangeModel
import ChangeModelTesting
import Testing

@Suite("Devices that show what is pending")
struct SyncWorldTests {
    @Test("what no pending change touches is the server's at every position, and all agree in the end")
    func agreement() {
        for seed in 1...RandomRuns.worlds {
            var world = SyncWorld(seed: seed)
            guard let wrong = world.run() else { continue }
            Issue.record("seed \(seed), \(wrong)")
            return
        }
    }
}
