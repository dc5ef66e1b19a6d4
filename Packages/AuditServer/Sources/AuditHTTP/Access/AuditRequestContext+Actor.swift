import AuditModel
import AuditReview

extension AuditRequestContext {
    /// Who makes the request.
    var actor: TrailActor {
        TrailActor(
            name: tokenName ?? tokenID ?? Author.folder.name,
            address: address,
            tokenID: tokenID,
            role: identity?.role
        )
    }
}

extension TrailRecording {
    /// Records what whoever makes a request does, and returns when that is durable.
    ///
    /// - Parameters:
    ///   - activity: What is done, a verb first.
    ///   - subject: What with; of long texts the beginning is kept.
    ///   - reason: Why, where a reason is asked for.
    ///   - context: Who does it.
    /// - Throws: `unavailable` when the storage fails.
    func record(
        _ activity: String,
        about subject: String?,
        because reason: String? = nil,
        by context: AuditRequestContext
    ) async throws {
        try await record(activity, about: subject, because: reason, by: context.actor)
    }
}
