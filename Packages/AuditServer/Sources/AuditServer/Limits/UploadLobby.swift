import NIOCore
import Synchronization

/// Where uploads of all connections wait for one of a bounded number of places, in the order of arrival.
///
/// Whoever waits here costs an entry in a line; whoever waits in a route costs the stack of its task, some 25 KB.
final class UploadLobby: Sendable {
    /// Names an upload in the line.
    typealias Number = UInt64

    private struct Waiter {
        let number: Number
        let admitted: @Sendable () -> Void
    }

    private struct State {
        var free: Int
        var line: CircularBuffer<Waiter> = []
        var nextNumber: Number = 0
    }

    private let state: Mutex<State>

    /// Creates a lobby with nobody inside.
    ///
    /// - Parameter places: How many uploads may be under way at once.
    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.line.count } }

    /// Takes a place, or a number in the line if there is none.
    ///
    /// - Parameter admitted: Called once, from any thread, when a place was taken for somebody who had to wait.
    /// - Returns: The number of who waits; nil if a place was free.
    func enter(admitted: @escaping @Sendable () -> Void) -> Number? {
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            let number = state.nextNumber
            state.nextNumber += 1
            state.line.append(Waiter(number: number, admitted: admitted))
            return number
        }
    }

    /// Gives a place back, to whoever waits the longest.
    func leave() {
        let next = state.withLock { state in
            let next = state.line.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.admitted()
    }

    /// Leaves the line.
    ///
    /// - Returns: Whether the number still waited; if not, it has a place, and is told so or will be.
    /// - Complexity: O(*n*) in those who wait.
    func giveUp(_ number: Number) -> Bool {
        state.withLock { state in
            guard let index = state.line.firstIndex(where: { $0.number == number }) else { return false }
            state.line.remove(at: index)
            return true
        }
    }
}
