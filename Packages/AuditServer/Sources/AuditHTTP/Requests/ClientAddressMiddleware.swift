import HTTPTypes
import Hummingbird

/// Where a request comes from by the word of a proxy that stands in front of the server.
struct ClientAddress: Sendable {
    private let name: HTTPField.Name?

    /// Describes a proxy.
    ///
    /// - Parameter header: The header that the proxy sets; nil when there is none, and the connection's address counts.
    init(header: String?) {
        name = header.flatMap { HTTPField.Name($0) }
    }

    /// Returns the address that the proxy named; nil without a proxy, or when it named none.
    func of(_ headers: HTTPFields) -> String? {
        // A chain of proxies adds to the end of the list; what is in front of it may be anybody's invention.
        guard let name, let last = headers[name]?.split(separator: ",").last else { return nil }
        let address = last.trimmingPrefix(while: \.isWhitespace)
        return address.isEmpty ? nil : String(address.prefix(64))
    }
}

/// Finds out where a request comes from when a proxy stands in front of the server.
struct ClientAddressMiddleware: RouterMiddleware {
    let addresses: ClientAddress

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let address = addresses.of(request.headers) { context.address = address }
        return try await next(request, context)
    }
}
