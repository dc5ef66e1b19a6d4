import EventModel
import Synchronization

/// How much of each category is logged.
final class LogLevels: Sendable {
    private struct State {
        var levels: [String: LogLevel]
    }

    private let state: Mutex<State>
    /// The greatest level of any category, so that what nobody wants costs one comparison.
    private let greatest: Atomic<UInt>

    /// Lets every category have one level.
    init(_ level: LogLevel) {
        let levels = Category.everything.map { ($0.rawValue, level) }
        state = Mutex(State(levels: Dictionary(levels, uniquingKeysWith: { first, _ in first })))
        greatest = Atomic(level.rawValue)
    }

    /// The level of a category; of one that is not known, that of everything.
    subscript(category: any LogCategory) -> LogLevel {
        get {
            state.withLock { $0.levels[category.rawValue] ?? $0.levels[Category.realm.rawValue] ?? .off }
        }
        set {
            state.withLock { state in
                for other in Category.everything where category.contains(other) {
                    state.levels[other.rawValue] = newValue
                }
                let most = state.levels.values.max() ?? .off
                greatest.store(most.rawValue, ordering: .relaxed)
            }
        }
    }

    /// Whether a line is wanted.
    @inline(__always)
    func wants(_ level: LogLevel, _ category: any LogCategory) -> Bool {
        level.rawValue <= greatest.load(ordering: .relaxed) && level <= self[category]
    }
}
