import Hummingbird

/// What a request carries through the routes: who makes it.
struct AuditRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who makes the request, once a token was checked.
    var identity: Identity?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// Returns the user, who alone may upload.
    ///
    /// - Throws: ``AuditServerError/forbidden(reason:)`` for an auditor.
    func uploader() throws(AuditServerError) -> EventOwner {
        switch identity {
        case .uploader(let owner): return owner
        case .auditor: throw .forbidden(reason: "an auditor reads and never writes")
        case nil: throw .unauthorized(reason: "there is none")
        }
    }

    /// Checks that the request is an auditor's.
    ///
    /// - Throws: ``AuditServerError/forbidden(reason:)`` for a user.
    func requireAuditor() throws(AuditServerError) {
        switch identity {
        case .auditor: return
        case .uploader: throw .forbidden(reason: "only an auditor may read")
        case nil: throw .unauthorized(reason: "there is none")
        }
    }
}
