import HTTPTypes
import HummingbirdCore

/// Whether a request comes from a page of this server, by the word of the browser.
///
/// A browser says of which site a page is (`Sec-Fetch-Site`) where the page came with TLS, or from this machine. Elsewhere it
/// names the page's origin, with every request that changes something, and with every one to another server that a script makes.
enum PageOrigin {
    /// Returns whether nothing speaks against it.
    static func isOfOurPages(_ request: Request) -> Bool {
        if let site = site(request) { return site == "same-origin" || site == "none" }
        return request.headers[.origin].map { isOurs($0, request) } ?? true
    }

    /// Returns whether the browser says so; without its word it does not.
    static func isProvenOfOurPages(_ request: Request) -> Bool {
        if let site = site(request) { return site == "same-origin" }
        return request.headers[.origin].map { isOurs($0, request) } ?? false
    }

    private static func site(_ request: Request) -> String? {
        HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
    }

    private static func isOurs(_ origin: String, _ request: Request) -> Bool {
        guard let host = request.head.authority else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
