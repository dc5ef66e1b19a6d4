import Dispatch
import Synchronization

/// Does pieces of work on several cores, and waits for all of them.
enum Parallel {
    /// Returns the results of a piece of work for each number from 0 on, in their order.
    static func map<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result] {
        guard count > 1 else { return (0..<count).map(work) }
        let results = Mutex<[Result?]>(Array(repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = work(index)
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap { $0 } }
    }

    /// Returns the results of two pieces of work.
    static func both<First: Sendable, Second: Sendable>(
        _ first: @Sendable () -> First,
        _ second: @Sendable () -> Second
    ) -> (First, Second) {
        let results = Mutex<(First?, Second?)>((nil, nil))
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            if index == 0 {
                let result = first()
                results.withLock { $0.0 = result }
            } else {
                let result = second()
                results.withLock { $0.1 = result }
            }
        }
        guard case (let first?, let second?) = results.withLock({ $0 }) else {
            preconditionFailure("Both pieces of work are done when the call returns.")
        }
        return (first, second)
    }
}
