import Daybook
import Synchronization

/// What happened to the requests of all devices.
final class LoadCounts: Sendable {
    /// Something that was made to go wrong.
    enum Fault: String, Sendable, CaseIterable {
        case offline, lostAnswer, cut, slow, duplicate, repetition, wrongToken, churn, lostRenewal, twoRenewals
        case late, away, restart, shortened
        case guessedPassword, stolenToken, foreignPage, madeUpPlace
        case emptyStretch, longSeal, longName, longMetadata, manyObjects, twinNames
    }

    private struct State {
        var faults: [Fault: Int] = [:]
        var refusals: [Int: Int] = [:]
        var requests: [String: Int] = [:]
        var undone = 0
        var latencies: [Double] = []
        var events = 0
        var problems: [String] = []
    }

    /// How many problems are kept; the first ones say enough.
    private static let problemLimit = 20

    private let state = Mutex(State())

    /// Counts a fault.
    func did(_ fault: Fault) { state.withLock { $0.faults[fault, default: 0] += 1 } }

    /// Counts a request of which faults are made.
    func didRequest(_ route: LinkTraffic.Route) { state.withLock { $0.requests[route.name, default: 0] += 1 } }

    /// Counts writes that the server did not do, because of what another device did before.
    func didUndo(_ count: Int) { state.withLock { $0.undone += count } }

    /// Counts an upload that was answered.
    func didUpload(after duration: Duration) {
        state.withLock { $0.latencies.append(duration / .milliseconds(1)) }
    }

    /// Counts a request that was refused.
    func didRefuse(status: Int) { state.withLock { $0.refusals[status, default: 0] += 1 } }

    /// Counts events or changes that were made.
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

    /// How often each fault was made, by its name.
    var faults: [String: Int] {
        Dictionary(uniqueKeysWithValues: state.withLock(\.faults).map { ($0.key.rawValue, $0.value) })
    }
    /// How many requests were refused, by status.
    var refusals: [String: Int] {
        Dictionary(uniqueKeysWithValues: state.withLock(\.refusals).map { ("\($0.key)", $0.value) })
    }
    /// How many requests were made, by what they are for.
    var requests: [String: Int] { state.withLock { $0.requests } }
    var undone: Int { state.withLock { $0.undone } }
    var latencies: [Double] { state.withLock { $0.latencies.sorted() } }
    var events: Int { state.withLock { $0.events } }
    var problems: [String] { state.withLock { $0.problems } }
}
