/// What uploads take from the world: pauses, randomness and the network's returns.
public struct UploadEnvironment: Sendable {
    /// Suspends for a time; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Gives random numbers from 0 to 1 for the jitter.
    public var randomFraction: @Sendable () -> Double
    /// Begins to watch the network: a stream with an element each time that it can be used again; may end at once.
    public var networkReturns: @Sendable () -> AsyncStream<Void>

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - sleep: Suspends for a time.
    ///   - randomFraction: Gives random numbers from 0 to 1.
    ///   - networkReturns: Notifies when the network is back; never does when left out.
    public init(
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomFraction: @escaping @Sendable () -> Double,
        networkReturns: @escaping @Sendable () -> AsyncStream<Void> = { AsyncStream { $0.finish() } }
    ) {
        self.sleep = sleep
        self.randomFraction = randomFraction
        self.networkReturns = networkReturns
    }

    /// The machine's continuous clock, random numbers and network.
    ///
    /// Where a sandbox lets nobody watch the network, the timer and the pauses' own end find out that it is back.
    public static let live = UploadEnvironment(
        sleep: { try await Task.sleep(for: $0) },
        randomFraction: { Double.random(in: 0...1) },
        networkReturns: NetworkReturns.system
    )
}
