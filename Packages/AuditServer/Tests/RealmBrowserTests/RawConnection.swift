import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A connection whose bytes a test chooses itself.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects; nil when nobody listens there.
    init?(_ host: String, _ port: Int) {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { return nil }
    }

    func write(_ text: String) {
        _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// Reads until the other side closes the connection.
    func readToEnd() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async { [descriptor] in
                    var text = Data()
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while true {
                        let count = recv(descriptor, &buffer, buffer.count, 0)
                        if count <= 0 { break }
                        text += buffer.prefix(count)
                    }
                    continuation.resume(returning: String(decoding: text, as: UTF8.self))
                }
        }
    }

    deinit { close(descriptor) }
}
