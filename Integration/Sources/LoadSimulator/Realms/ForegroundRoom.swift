import Synchronization

/// The room for devices that are in the foreground: the system has so many files, threads and connections, and no more.
///
/// Devices come in in the order in which they ask.
final class ForegroundRoom: Sendable {
    private struct State {
        var free: Int
        var used = 0
        var most = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var first = 0
    }

    private let state: Mutex<State>

    /// Creates a room for so many devices.
    init(size: Int) { state = Mutex(State(free: size)) }

    /// The most devices that were there at once.
    var most: Int { state.withLock(\.most) }

    /// Waits until there is room.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                state.used += 1
                state.most = max(state.most, state.used)
                return true
            }
            if isIn { continuation.resume() }
        }
    }

    /// Makes room for the next one.
    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.first < state.waiting.count else {
                state.waiting = []
                state.first = 0
                state.free += 1
                state.used -= 1
                return nil
            }
            state.first += 1
            return state.waiting[state.first - 1]
        }
        next?.resume()
    }
}
