import ChangeModel
import ChangeModelTesting
import Testing

@Suite("Independence of the order of upload")
struct UploadOrderTests {
    @Test("offline work ends in the same state in every order, in the state of the plain rules, and on every replica")
    func everyOrder() {
        for seed in 1...RandomRuns.orders {
            let work = OfflineWork(seed: seed)
            guard let sentence = work.broken() else { continue }
            let small = work.shrunk { $0.broken() != nil }
            Issue.record("seed \(seed): \(sentence)\n\(small.broken() ?? sentence)\n\(small)")
            return
        }
    }
}
