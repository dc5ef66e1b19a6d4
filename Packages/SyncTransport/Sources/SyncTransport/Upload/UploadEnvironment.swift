/// What uploads take from the world: pauses and randomness.
public struct UploadEnvironment: Sendable {
    /// Suspends for a time; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Gives random numbers from 0 to 1 for the jitter.
    public var randomFraction: @Sendable () -> Double

    /// Creates an environment.
    public init(
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomFraction: @escaping @Sendable () -> Double
    ) {
        self.sleep = sleep
        self.randomFraction = randomFraction
    }

    /// The machine's continuous clock and random numbers.
    public static let live = UploadEnvironment(
        sleep: { try await Task.sleep(for: $0) },
        randomFraction: { Double.random(in: 0...1) }
    )
}
