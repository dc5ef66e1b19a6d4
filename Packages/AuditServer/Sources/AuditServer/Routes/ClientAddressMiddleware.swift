import HTTPTypes
import Hummingbird

/// Finds out where a request comes from when a proxy stands in front of the server.
struct ClientAddressMiddleware: RouterMiddleware {
    private let name: HTTPField.Name?

    /// Creates the middleware.
    ///
    /// - Parameter header: The header that the proxy sets; nil leaves the address of the connection.
    init(header: String?) {
        name = header.flatMap { HTTPField.Name($0) }
    }

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        // A chain of proxies adds to the end of the list; what is in front of it may be anybody's invention.
        if let name, let last = request.headers[name]?.split(separator: ",").last {
            let address = last.trimmingPrefix(while: \.isWhitespace)
            if !address.isEmpty { context.address = String(address.prefix(64)) }
        }
        return try await next(request, context)
    }
}
