import Testing

@testable import AuditAdmission

@Suite("The network that an address counts for")
struct NetworkNameTests {
    @Test(
        "all addresses of one network of IPv6 count as one; one of IPv4 counts alone, also inside IPv6",
        arguments: [
            ("10.0.0.1", "10.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"), ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("fe80::1%eth0", "fe80:0:0:0::/64"), ("::1", "0:0:0:0::/64"), ("unknown", "unknown"), ("", ""),
            ("a:b", "a:b"),
        ]
    )
    func names(address: String, network: String) {
        #expect(NetworkName.of(address) == network)
    }
}
