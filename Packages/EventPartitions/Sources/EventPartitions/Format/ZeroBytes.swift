#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension UnsafeRawBufferPointer {
    /// Whether no byte is anything but zero; true when there are none.
    var isZero: Bool {
        guard let baseAddress, let first else { return true }
        // Each byte is compared with the one in front of it: the C library does that many at a time, in debug builds, too.
        return first == 0 && memcmp(baseAddress, baseAddress + 1, count - 1) == 0
    }
}
