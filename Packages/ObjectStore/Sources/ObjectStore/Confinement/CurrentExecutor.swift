#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks the runtime which actor the running code is on.
///
/// The language only offers a check that ends the process with a message of its own, which names neither the realm nor
/// what to do instead.
enum CurrentExecutor {
    /// Takes an executor of two words and says whether it runs this code; the flags ask for an answer, not for a trap.
    private typealias Question = @convention(c) (_ identity: UInt, _ implementation: UInt, _ flags: UInt) -> Bool

    /// The runtime's own function; nil in a program that links the runtime statically and does not export it.
    private static let question: Question? = {
        #if canImport(Darwin)
        let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let everywhere: UnsafeMutableRawPointer? = nil
        #endif
        return dlsym(everywhere, "swift_task_isCurrentExecutorWithFlags").map { unsafeBitCast($0, to: Question.self) }
    }()

    /// Whether the running code is on an actor; nil when that cannot be known.
    static func isCurrent(_ actor: any Actor) -> Bool? {
        let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
        return question.map { $0(executor.0, executor.1, 0) }
    }
}
