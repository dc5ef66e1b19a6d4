#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FileSystemError {
    /// The system's word for the error number, in lower case and without an end: `no space left on device`.
    public var reason: String { String(cString: strerror(code)).lowercased() }
}
