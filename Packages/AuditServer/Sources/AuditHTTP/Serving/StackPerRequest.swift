import Hummingbird

/// Answers each request in a task of its own, whose stack goes with it.
///
/// A task keeps the largest stack that it ever had. The task of a connection lives as long as the connection, so that a thousand
/// devices kept some 45 MB for requests that were answered long ago.
struct StackPerRequest<Responder: HTTPResponder>: HTTPResponder where Responder.Context: Sendable {
    let responder: Responder

    @concurrent
    func respond(to request: Request, context: Responder.Context) async throws -> Response {
        async let response = responder.respond(to: request, context: context)
        return try await response
    }
}
