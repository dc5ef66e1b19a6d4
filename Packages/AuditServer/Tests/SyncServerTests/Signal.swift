import Synchronization

/// Counts what happens, so that a test can wait until it has happened so often.
final class Signal: Sendable {
    private let stream = AsyncStream<Void>.makeStream(bufferingPolicy: .unbounded)

    /// Notes that it happened.
    func happens() { stream.continuation.yield() }

    /// Waits until it has happened so many more times.
    func waits(for count: Int = 1) async {
        var iterator = stream.stream.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
    }
}

/// Something that is off until somebody turns it on.
final class Switch: Sendable {
    private let state = Mutex(false)

    /// Whether somebody turned it on.
    var isOn: Bool { state.withLock { $0 } }

    /// Turns it on.
    func turnOn() { state.withLock { $0 = true } }
}
