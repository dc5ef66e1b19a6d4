import Hummingbird

/// Answers each request in a task of its own, whose stack goes with it, and waits for late answers without that.
///
/// A task keeps the largest stack that it ever had. The task of a connection lives as long as the connection, so that a thousand
/// devices kept some 45 MB for requests that were answered long ago.
struct StackPerRequest<Responder: HTTPResponder<AuditRequestContext>>: HTTPResponder {
    let responder: Responder

    @concurrent
    func respond(to request: Request, context: AuditRequestContext) async throws -> Response {
        // What was promised holds the context, which holds it; a request that fails leaves neither behind.
        defer { _ = context.late.take() }
        let response = try await answer(to: request, context)
        guard let late = context.late.take() else { return response }
        return try await late()
    }

    @concurrent
    private func answer(to request: Request, _ context: AuditRequestContext) async throws -> Response {
        async let response = responder.respond(to: request, context: context)
        return try await response
    }
}
