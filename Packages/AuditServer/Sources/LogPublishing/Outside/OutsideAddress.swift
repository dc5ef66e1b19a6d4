#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which addresses of others a log can be told to ask.
enum OutsideAddress {
    /// Returns whether an address is one of HTTP, with a host, and says nothing that would end up in a log of somebody's.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - allowsQuery: Whether it may have a query.
    /// - Returns: Whether it can be asked.
    static func isUsable(_ url: String, allowsQuery: Bool = false) -> Bool {
        guard url.utf8.count <= 2048, let parsed = URL(string: url), let host = parsed.host() else { return false }
        return !host.isEmpty && ["http", "https"].contains(parsed.scheme?.lowercased())
            && (allowsQuery || parsed.query() == nil) && parsed.fragment() == nil && parsed.user() == nil
    }

    /// Returns whether a host is this machine, so that nobody reads what goes there.
    ///
    /// - Parameter host: A name or an address, without brackets.
    /// - Returns: Whether it is.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
