#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The network that an address counts for where each may do something so often.
///
/// Whoever has one address of IPv6 has 2⁶⁴ of them, so that those with the same first 64 bits count as one.
package enum NetworkName {
    /// Returns the address itself, or the network of one of IPv6; of IPv4 inside IPv6, the one of IPv4.
    package static func of(_ address: String) -> String {
        // With the interface that an address of one's own link has behind a percent sign.
        let text = String(address.prefix { $0 != "%" })
        var bytes = in6_addr()
        guard text.utf8.contains(UInt8(ascii: ":")), inet_pton(AF_INET6, text, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: &bytes) { bytes in
            if bytes[0..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                return bytes[12...].map { String($0) }.joined(separator: ".")
            }
            let groups = stride(from: 0, to: 8, by: 2)
                .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            return groups.joined(separator: ":") + "::/64"
        }
    }
}
