#if canImport(Glibc)
import Glibc

/// The machine's network interfaces.
enum NetworkInterfaces {
    /// Returns whether an interface that leads out of the machine is up and has an address that is more than a link's own.
    ///
    /// When the system does not say, it counts as usable: then nothing ever seems to return.
    static func areUsable() -> Bool {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return true }
        defer { freeifaddrs(first) }
        return sequence(first: first, next: { $0?.pointee.ifa_next })
            .contains { interface in
                guard let interface = interface?.pointee, let address = interface.ifa_addr else { return false }
                return leadsOut(flags: interface.ifa_flags) && isRoutable(address)
            }
    }

    /// Returns whether the flags are of an interface that is up, has a carrier, and is not the machine's own loop.
    static func leadsOut(flags: UInt32) -> Bool {
        let needed = UInt32(IFF_UP | IFF_RUNNING)
        return flags & needed == needed && flags & UInt32(IFF_LOOPBACK) == 0
    }

    /// Returns whether an address is of the internet's families and not one that every link gives itself (fe80::/10).
    static func isRoutable(_ address: UnsafePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET: true
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { $0[0] != 0xFE || $0[1] & 0xC0 != 0x80 }
            }
        default: false
        }
    }
}
#endif
