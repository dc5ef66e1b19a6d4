/// Records what auditors, administrators and the server itself do, before it is answered.
///
/// Safe to call from any task.
package protocol TrailRecording: Sendable {
    /// Records what somebody does, and returns when that is durable.
    ///
    /// - Parameters:
    ///   - activity: What is done, a verb first.
    ///   - subject: What with; of long texts the beginning is kept.
    ///   - reason: Why, where a reason is asked for.
    ///   - actor: Who does it.
    /// - Throws: `unavailable` when the storage fails.
    func record(
        _ activity: String,
        about subject: String?,
        because reason: String?,
        by actor: TrailActor
    ) async throws
}
