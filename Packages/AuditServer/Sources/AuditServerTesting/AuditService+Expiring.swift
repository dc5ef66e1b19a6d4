package import AuditHTTP

extension AuditService {
    /// The same service, which never looks for expired events by itself: a test says when, however long it takes.
    package func withoutExpiring() -> AuditService {
        var service = self
        let (end, never) = AsyncStream.makeStream(of: Void.self)
        service.keepingPause = { [never] _ in
            for await _ in end { never.finish() }
            throw CancellationError()
        }
        return service
    }
}
