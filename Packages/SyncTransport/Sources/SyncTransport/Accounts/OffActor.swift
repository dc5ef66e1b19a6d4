/// Runs work away from the caller's actor and hands its result back as a value.
///
/// What is awaited here comes back to the caller's actor also when the work fails. A function of the caller's isolation that
/// lets an error of an `await` through directly may end on another thread (swiftlang/swift#88259): its caller then goes
/// on off the main queue.
enum OffActor {
    /// Runs work on no actor.
    @concurrent
    static func result<Value: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        do throws(Failure) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}
