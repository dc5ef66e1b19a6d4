/// How a service waits between two runs; throws when the server ends.
package typealias ServicePause = @Sendable (Duration) async throws -> Void

/// Lets a service rest between two runs.
///
/// - Returns: Whether it goes on; only the end of the server wakes it early, and it does not.
func goesOn(after rest: Duration, by pause: ServicePause) async -> Bool {
    do {
        try await pause(rest)
        return true
    } catch {
        return false
    }
}
