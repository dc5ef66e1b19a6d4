import Synchronization

/// A time in which a sink remembers the events of every partition that goes.
///
/// Whoever stores events, and then notes elsewhere that they are stored, does both within one. If the process dies between
/// the two, ``EventSink/storedEvents(among:)`` finds the events even when their partition was uploaded and deleted meanwhile.
public final class DeletionNoting: Sendable {
    private let ending: Mutex<(@Sendable () -> Void)?>

    /// Begins the time.
    ///
    /// - Parameter ending: Called once, when the time ends; returns quickly.
    public init(_ ending: @escaping @Sendable () -> Void) {
        self.ending = Mutex(ending)
    }

    /// Ends the time, as does the release of this object; more calls do nothing.
    public func end() {
        let ending = ending.withLock { ending in
            defer { ending = nil }
            return ending
        }
        ending?()
    }

    deinit {
        end()
    }
}
