#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Identifies one run of the operating system, so that monotonic times of two runs are never compared.
///
/// Linux and Apple's systems make a UUID at each start, which does not move when somebody sets the clock. What is read on Apple's
/// systems was written by their documentation and never run.
public struct Boot: Sendable, Hashable {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// Creates an identifier from its halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returned where the system does not say: all bits are zero.
    public static let unknown = Boot(high: 0, low: 0)

    /// The running system's boot, read once.
    public static let current: Boot = read()

    /// The 32 hexadecimal digits.
    public var hex: String {
        Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Hexadecimal.text($0) }
    }

    /// Reads the text of a UUID: 32 hexadecimal digits and hyphens.
    ///
    /// - Returns: nil for any other count of digits.
    package init?(uuid text: some Sequence<UInt8>) {
        let nibbles = text.compactMap(Hexadecimal.value)
        guard nibbles.count == 32 else { return nil }
        func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 4 | UInt64($1) } }
        self.init(high: number(nibbles[0..<16]), low: number(nibbles[16..<32]))
    }

    #if canImport(Darwin)
    private static func read() -> Boot {
        var text = [UInt8](repeating: 0, count: 64)
        var count = text.count
        if sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0, let boot = Boot(uuid: text.prefix(count)) {
            return boot
        }
        // Only where a system hides the UUID: the time of the start is reckoned from the wall clock, and moves when that is set.
        var time = timeval()
        var size = MemoryLayout<timeval>.size
        guard sysctlbyname("kern.boottime", &time, &size, nil, 0) == 0 else { return .unknown }
        return Boot(high: UInt64(bitPattern: Int64(time.tv_sec)), low: UInt64(bitPattern: Int64(time.tv_usec)))
    }
    #else
    private static func read() -> Boot {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return .unknown }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = fread(&text, 1, text.count, file)
        return Boot(uuid: text[0..<count]) ?? .unknown
    }
    #endif
}
