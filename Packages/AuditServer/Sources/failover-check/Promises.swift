import EventModel
import EventProofs
import Synchronization

/// A head of the log that was given away.
struct LogHead: Sendable {
    let size: UInt64
    let root: Digest
}

/// What devices were told is safe, and what they were told that cannot be true.
final class Promises: Sendable {
    private struct State {
        var proofs: [PartitionID: DurabilityProof] = [:]
        var count = 0
        var problems: [String] = []
        var heads: [UInt64: Digest] = [:]
        var mark: ContinuousClock.Instant?
        var firstAnswer: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// How many answers there were.
    var count: Int { state.withLock { $0.count } }

    /// The last proof of each partition.
    var all: [PartitionID: DurabilityProof] { state.withLock { $0.proofs } }

    /// The heads of the log that were given away.
    var heads: [LogHead] { state.withLock { $0.heads.map { LogHead(size: $0, root: $1) } } }

    /// What is wrong already.
    var problems: [String] { state.withLock { $0.problems } }

    /// Notes an answer to an attempt that began at an instant.
    func note(_ proof: DurabilityProof, attempted: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        state.withLock { state in
            state.count += 1
            state.proofs[proof.partition] = proof
            if let mark = state.mark, attempted > mark, state.firstAnswer == nil { state.firstAnswer = now }
        }
    }

    /// Notes a head of the log.
    func note(_ head: LogHead) {
        state.withLock { state in
            if let earlier = state.heads.updateValue(head.root, forKey: head.size), earlier != head.root {
                state.problems.append("the log had two heads of the size \(head.size)")
            }
        }
    }

    /// Notes what must not happen.
    func report(_ problem: String) {
        state.withLock { $0.problems.append(problem) }
    }

    /// Waits until an attempt that began after an instant is answered, and returns when that was.
    ///
    /// - Throws: ``FailoverError/standstill`` when there is no answer for a minute.
    func firstAnswer(toAttemptsAfter instant: ContinuousClock.Instant) async throws -> ContinuousClock.Instant {
        state.withLock { state in
            state.mark = instant
            state.firstAnswer = nil
        }
        while ContinuousClock.now < instant.advanced(by: .seconds(60)) {
            if let answered = state.withLock({ $0.firstAnswer }) { return answered }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw FailoverError.standstill
    }
}
