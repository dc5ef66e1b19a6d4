import AuditModel
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension AuditServerError {
    /// Runs a server and names what keeps it from listening.
    ///
    /// - Parameters:
    ///   - host: The address.
    ///   - port: The port.
    ///   - body: Runs the server.
    /// - Throws: ``AuditServerError/cannotListen(host:port:reason:)`` when the address is taken or not allowed, and what the body throws.
    static func namingListening(on host: String, _ port: Int, _ body: () async throws -> Void) async throws {
        func cannotListen(_ reason: String) -> AuditServerError {
            .cannotListen(host: host, port: port, reason: reason)
        }
        do {
            try await body()
        } catch let error as IOError {
            throw cannotListen(String(cString: strerror(error.errnoCode)).lowercased())
        } catch let error as SocketAddressError {
            throw cannotListen("\(error)")
        }
    }
}
