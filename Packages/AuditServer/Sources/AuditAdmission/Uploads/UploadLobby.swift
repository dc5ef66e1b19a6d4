import DequeModule
package import EventModel
import Synchronization

/// Where uploads of all connections wait for one of a bounded number of places, in the order of arrival.
///
/// Whoever waits here costs an entry in a line; whoever waits in a route costs the stack of its task, some 25 KB.
package final class UploadLobby: Sendable {
    /// Names an upload in the line.
    package typealias Number = UInt64

    private struct Waiter {
        let number: Number
        let network: ExactText
        let admitted: @Sendable () -> Void
    }

    private struct State {
        var free: Int
        /// How many places each network has.
        var taken: [ExactText: Int] = [:]
        var line: Deque<Waiter> = []
        var nextNumber: Number = 0

        func hasPlace(for network: ExactText, _ share: Int) -> Bool { free > 0 && taken[network, default: 0] < share }

        mutating func take(_ network: ExactText) {
            free -= 1
            taken[network, default: 0] += 1
        }
    }

    private let share: Int
    private let state: Mutex<State>

    /// Creates a lobby with nobody inside.
    ///
    /// - Parameters:
    ///   - places: How many uploads may be under way at once.
    ///   - share: How many of them may come from one network.
    package init(places: Int, share: Int) {
        self.share = share
        state = Mutex(State(free: places))
    }

    /// How many wait.
    package var waitingCount: Int { state.withLock { $0.line.count } }

    /// Takes a place, or a number in the line if there is none.
    ///
    /// - Parameters:
    ///   - network: Where the upload comes from, see ``NetworkName``.
    ///   - admitted: Called once, from any thread, when a place was taken for somebody who had to wait.
    /// - Returns: The number of who waits; nil if a place was free.
    package func enter(from network: ExactText, admitted: @escaping @Sendable () -> Void) -> Number? {
        state.withLock { state in
            if state.hasPlace(for: network, share) {
                state.take(network)
                return nil
            }
            let number = state.nextNumber
            state.nextNumber += 1
            state.line.append(Waiter(number: number, network: network, admitted: admitted))
            return number
        }
    }

    /// Gives a place back, to whoever waits the longest and whose network has no more than its share.
    ///
    /// - Complexity: O(*n*) in those who wait from networks that have their share.
    package func leave(_ network: ExactText) {
        let next = state.withLock { state -> Waiter? in
            state.free += 1
            if let count = state.taken[network] { state.taken[network] = count > 1 ? count - 1 : nil }
            guard let index = state.line.firstIndex(where: { state.hasPlace(for: $0.network, share) }) else {
                return nil
            }
            let next = state.line.remove(at: index)
            state.take(next.network)
            return next
        }
        next?.admitted()
    }

    /// Leaves the line.
    ///
    /// - Returns: Whether the number still waited; if not, it has a place, and is told so or will be.
    /// - Complexity: O(*n*) in those who wait.
    package func giveUp(_ number: Number) -> Bool {
        state.withLock { state in
            guard let index = state.line.firstIndex(where: { $0.number == number }) else { return false }
            state.line.remove(at: index)
            return true
        }
    }
}
