import Daybook
import Synchronization

/// What happened to the uploads of all devices.
final class LoadCounts: Sendable {
    /// Something that was made to go wrong.
    enum Fault: String, Sendable, CaseIterable {
        case offline, lostAnswer, cut, slow, duplicate, repetition, wrongToken, churn, lostRenewal, twoRenewals
        case guessedPassword, stolenToken, foreignPage, madeUpPlace
        case emptyStretch, longSeal, longName, longMetadata, manyObjects, twinNames
    }

    private struct State {
        var faults: [Fault: Int] = [:]
        var refusals: [Int: Int] = [:]
        var latencies: [Double] = []
        var events = 0
        var problems: [String] = []
    }

    /// How many problems are kept; the first ones say enough.
    private static let problemLimit = 20

    private let state = Mutex(State())

    /// Counts a fault.
    func did(_ fault: Fault) { state.withLock { $0.faults[fault, default: 0] += 1 } }

    /// Counts an upload that was answered with a proof.
    func didUpload(after duration: Duration) {
        state.withLock { $0.latencies.append(duration / .milliseconds(1)) }
    }

    /// Counts an upload that was refused.
    func didRefuse(status: Int) { state.withLock { $0.refusals[status, default: 0] += 1 } }

    /// Counts events that were recorded.
    func didRecord(_ count: Int) { state.withLock { $0.events += count } }

    /// Notes what must not happen.
    func report(_ problem: String) {
        state.withLock { state in
            if state.problems.count < Self.problemLimit { state.problems.append(problem) }
        }
    }

    /// Checks that two answers to one upload say the same of the partition.
    func compare(_ first: [UInt8], _ second: [UInt8]) {
        do {
            let decoder = JSONDecoder()
            let left = try decoder.decode(Answer.self, from: Data(first))
            let right = try decoder.decode(Answer.self, from: Data(second))
            if left.root != right.root { report("one upload was answered with two roots") }
        } catch {
            report("an answer to an upload is not a proof")
        }
    }

    private struct Answer: Decodable {
        let root: Digest
    }

    var faults: [Fault: Int] { state.withLock { $0.faults } }
    var refusals: [Int: Int] { state.withLock { $0.refusals } }
    var latencies: [Double] { state.withLock { $0.latencies.sorted() } }
    var events: Int { state.withLock { $0.events } }
    var problems: [String] { state.withLock { $0.problems } }
}
